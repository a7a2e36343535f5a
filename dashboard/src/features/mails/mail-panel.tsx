import type { Mail } from '@paydesk/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { languageName } from '../../format/languages.ts';
import { Instant } from '../../format/values.tsx';
import { useFormsText } from '../../forms/text.ts';
import { useLanguage } from '../../i18n/language.ts';
import { LoadFailed } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Description } from '../../ui/description/description.tsx';
import { SidePanel } from '../../ui/side-panel/side-panel.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { Tabs } from '../../ui/tabs/tabs.tsx';
import { CompanyLink } from '../companies/company-link.tsx';
import { Attachments } from './attachments.tsx';
import { MailFrame } from './mail-frame.tsx';
import styles from './mails.module.css';
import { ResendMail } from './resend-mail.tsx';
import { useMailsText } from './text.ts';
import { isAboutMoney, TONES } from './types.ts';

const MOVING_INTERVAL_MS = 2_000;

type Props = { id: string; onClose: () => void; onResent: (id: string) => void };

/** A mail with its content and files; one about money can be sent again. */
export function MailPanel({ id, onClose, onResent }: Props) {
  const t = useMailsText();
  const forms = useFormsText();
  const answer = useQuery({
    queryKey: ['mail', id],
    queryFn: ({ signal }) => paydesk().operator.mails.get(id, { signal }),
    // A link in the text may give access to an account: the page does not keep it.
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.status === 'queued' ? MOVING_INTERVAL_MS : false),
  });
  const mail = answer.data;
  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={mail?.subject ?? t('one')}
      closeLabel={forms('close')}
      footer={
        mail !== undefined && isAboutMoney(mail.type) ? <ResendMail mail={mail} onResent={onResent} /> : undefined
      }
    >
      {answer.isError ? (
        <LoadFailed error={answer.error} onRetry={() => void answer.refetch()} />
      ) : mail === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <Facts mail={mail} />
          <Attachments mail={mail} />
          <Content mail={mail} />
        </>
      )}
    </SidePanel>
  );
}

function Facts({ mail }: { mail: Mail }) {
  const t = useMailsText();
  const words = useListsText();
  const reader = useLanguage();
  const { to, type, status, language, createdAt, sentAt, companyId, resendOf } = mail;
  const company = { term: words('words.company'), value: <CompanyLink company={mail} /> };
  const sent = { term: words('words.sent'), value: <Instant value={sentAt ?? createdAt} /> };
  return (
    <Description
      items={[
        { term: words('words.recipient'), value: to.join(', ') },
        ...(companyId === null ? [] : [company]),
        { term: words('words.type'), value: t(`types.${type}`) },
        { term: words('words.language'), value: languageName(language, reader) },
        {
          term: words('words.status'),
          value: (
            <>
              <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge> {resendOf === null ? null : t('repeats')}
            </>
          ),
        },
        { term: words('words.created'), value: <Instant value={createdAt} /> },
        ...(sentAt === null ? [] : [sent]),
      ]}
    />
  );
}

/** A mail about an account is shown as text alone, whose link can be followed and passed on. */
function Content({ mail: { type, text, html } }: { mail: Mail }) {
  const t = useMailsText();
  const [shown, setShown] = useState('html');
  if (text === null) return <p className={styles.content}>{t(isAboutMoney(type) ? 'expired' : 'hidden')}</p>;
  if (html === null || !isAboutMoney(type)) return <p className={styles.text}>{withLinks(text)}</p>;
  const tabs = [
    { id: 'html', label: t('asHtml') },
    { id: 'text', label: t('asText') },
  ];
  return (
    <div className={styles.content}>
      <Tabs tabs={tabs} value={shown} onChange={setShown}>
        {shown === 'html' ? (
          <MailFrame html={html} title={t('asHtml')} />
        ) : (
          <p className={styles.text}>{withLinks(text)}</p>
        )}
      </Tabs>
    </div>
  );
}

/** The text, whose addresses of this service are links. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
    URL.canParse(part) && new URL(part).origin === location.origin ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
      <a key={index} href={part} target="_blank" rel="noopener">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
