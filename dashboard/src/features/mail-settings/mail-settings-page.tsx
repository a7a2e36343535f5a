import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { Page } from '../../shell/page.tsx';
import { MailSettingsForm } from './mail-settings-form.tsx';
import { useMailSettingsText } from './text.ts';

/** Who gets the company's mails about money, and which, for the company itself. */
export function MailSettingsPage() {
  const t = useMailSettingsText();
  const queries = useQueryClient();
  const mayChange = useMay()('platform.billing.all');
  const { data: settings } = useSuspenseQuery({
    queryKey: ['mail-settings'],
    queryFn: ({ signal }) => paydesk().mailSettings.get({ signal }),
  });
  return (
    <Page title={t('title')} description={t('description')}>
      <MailSettingsForm
        settings={settings}
        save={(changed) => paydesk().mailSettings.update(changed)}
        onSaved={(saved) => queries.setQueryData(['mail-settings'], saved)}
        disabledReason={mayChange ? undefined : t('readOnly')}
      />
    </Page>
  );
}
