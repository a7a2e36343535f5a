import type { MailPreviewBody } from '@paydesk/client';
import { isPaydeskError } from '@paydesk/client';
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { languageName } from '../../format/languages.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { LANGUAGES, type Language, useLanguage } from '../../i18n/language.ts';
import { LoadFailed } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Description } from '../../ui/description/description.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FieldRow } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { CompanyField } from '../companies/company-field.tsx';
import { MailFrame } from './mail-frame.tsx';
import styles from './mails.module.css';
import { useMailsText } from './text.ts';
import { MONEY_TYPES, type MoneyMailType } from './types.ts';

/** What a mail is about: an invoice, or the newest of what a company has. */
export type MailAbout = { invoiceId: string } | { companyId: string };

/** Shows a mail about money as it would be written now. Without what it is about, the company is chosen first. */
export function PreviewMail({ about }: { about?: MailAbout }) {
  const t = useMailsText();
  const reason = useLacksRole('finance');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon={<Eye aria-hidden="true" />} disabledReason={reason} onClick={() => setIsOpen(true)}>
        {t('preview')}
      </Button>
      {isOpen ? <PreviewDialog about={about} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function PreviewDialog({ about: given, onClose }: { about?: MailAbout; onClose: () => void }) {
  const t = useMailsText();
  const forms = useFormsText();
  const words = useListsText();
  const reader = useLanguage();
  const [companyId, setCompanyId] = useState('');
  const [type, setType] = useState<MoneyMailType>('invoice_issued');
  const [language, setLanguage] = useState('');
  const about = given ?? (companyId === '' ? undefined : { companyId });
  const languages = LANGUAGES.map((value) => ({ value, label: languageName(value, reader) }));
  return (
    <Dialog open onClose={onClose} size="large" title={t('preview')} closeLabel={forms('close')}>
      <div className={styles.preview}>
        {given === undefined ? <CompanyField onChange={setCompanyId} /> : null}
        <FieldRow>
          <Select
            label={words('words.type')}
            value={type}
            onChange={(value) => setType(value as MoneyMailType)}
            options={MONEY_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))}
          />
          <Select
            label={words('words.language')}
            value={language}
            onChange={setLanguage}
            options={[{ value: '', label: t('ofCompany') }, ...languages]}
          />
        </FieldRow>
        {about === undefined ? null : (
          <Preview body={{ type, ...about, ...(language === '' ? {} : { language: language as Language }) }} />
        )}
      </div>
    </Dialog>
  );
}

function Preview({ body }: { body: MailPreviewBody }) {
  const t = useMailsText();
  const words = useListsText();
  const { data, error, refetch } = useQuery({
    queryKey: ['mails', 'preview', body],
    queryFn: ({ signal }) => paydesk().operator.mails.preview(body, { signal }),
    retry: false,
  });
  if (isPaydeskError(error) && error.status === 400) return <Banner tone="info">{t('nothingToTell')}</Banner>;
  if (error !== null) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={8} />;
  const files = data.attachments.map(({ name }) => name).join(', ');
  return (
    <>
      <Description
        items={[
          { term: words('words.subject'), value: data.subject },
          ...(files === '' ? [] : [{ term: t('attachments'), value: files }]),
        ]}
      />
      <MailFrame html={data.html} title={t('asHtml')} />
    </>
  );
}
