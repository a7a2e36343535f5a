import type { MailSummary } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge, type Tone } from '../../ui/badge/badge.tsx';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { useMailsText } from './text.ts';

const TONES: Record<MailSummary['status'], Tone> = {
  queued: 'info',
  sent: 'success',
  failed: 'danger',
  kept: 'neutral',
};

/** The e-mails of the service. */
export function MailsPage() {
  const t = useMailsText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="mails"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['mails']}
      read={(search, options) => paydesk().operator.mails.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<MailSummary>[] {
  const t = useMailsText();
  const words = useListsText();
  return [
    { id: 'subject', header: words('words.subject'), cell: ({ subject }) => subject },
    { id: 'to', header: words('words.recipient'), cell: ({ to }) => to.join(', ') },
    { id: 'type', header: words('words.type'), cell: ({ type }) => t(`types.${type}`) },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>,
    },
    {
      id: 'company',
      header: words('words.company'),
      cell: (row) => <NamedCompanyLink company={row} />,
      isActive: true,
    },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
  ];
}

function useFilters(): Filter[] {
  const t = useMailsText();
  const words = useListsText();
  return [
    { kind: 'search', name: 'recipient', label: words('words.recipient') },
    {
      kind: 'choice',
      name: 'status',
      label: words('words.status'),
      options: [
        { value: 'queued', label: t('statuses.queued') },
        { value: 'sent', label: t('statuses.sent') },
        { value: 'failed', label: t('statuses.failed') },
        { value: 'kept', label: t('statuses.kept') },
      ],
    },
    {
      kind: 'choice',
      name: 'type',
      label: words('words.type'),
      options: [
        { value: 'verify_email', label: t('types.verify_email') },
        { value: 'reset_password', label: t('types.reset_password') },
        { value: 'password_changed', label: t('types.password_changed') },
        { value: 'change_email', label: t('types.change_email') },
        { value: 'email_changing', label: t('types.email_changing') },
        { value: 'email_kept', label: t('types.email_kept') },
        { value: 'passkey_added', label: t('types.passkey_added') },
        { value: 'passkey_removed', label: t('types.passkey_removed') },
        { value: 'totp_enabled', label: t('types.totp_enabled') },
        { value: 'totp_disabled', label: t('types.totp_disabled') },
        { value: 'recovery_codes_replaced', label: t('types.recovery_codes_replaced') },
        { value: 'invitation', label: t('types.invitation') },
        { value: 'charges_held', label: t('types.charges_held') },
      ],
    },
  ];
}
