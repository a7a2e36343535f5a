import { useQueryClient } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { Part } from '../../lists/part.tsx';
import { MailSettingsForm } from '../mail-settings/mail-settings-form.tsx';
import { useMailSettingsText } from '../mail-settings/text.ts';
import { MailsOf } from '../mails/mails-of.tsx';
import { CompanyFrame } from './company-frame.tsx';

/** Which mails about money a company gets, and the latest to it. */
export function CompanyMailsPage() {
  return (
    <CompanyFrame part="mails">
      {({ id }) => (
        <>
          <Settings companyId={id} />
          <MailsOf about={{ companyId: id }} />
        </>
      )}
    </CompanyFrame>
  );
}

function Settings({ companyId }: { companyId: string }) {
  const t = useMailSettingsText();
  const queries = useQueryClient();
  const reason = useLacksRole('finance');
  const queryKey = ['companies', companyId, 'mail-settings'];
  const { mailSettings } = paydesk().operator.companies;
  return (
    <Part
      title={t('title')}
      description={t('description')}
      queryKey={queryKey}
      read={(options) => mailSettings.get(companyId, options)}
    >
      {(settings) => (
        <MailSettingsForm
          settings={settings}
          save={(changed) => mailSettings.update(companyId, changed)}
          onSaved={(saved) => queries.setQueryData(queryKey, saved)}
          disabledReason={reason}
        />
      )}
    </Part>
  );
}
