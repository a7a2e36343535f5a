import type { MailSummary } from '@paydesk/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { MailPanel } from './mail-panel.tsx';
import styles from './mails.module.css';
import { useMailsText } from './text.ts';
import { TONES } from './tones.ts';

/** The e-mails of the service, and the one that the address names. */
export function MailsPage() {
  const t = useMailsText();
  const { mail } = useSearch({ from: '/console/console/emails' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '.', search: (kept) => ({ ...kept, mail: undefined }), resetScroll: false });
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="mails"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['mails']}
      read={({ mail: _, ...search }, options) => paydesk().operator.mails.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      rowLink={({ id }, subject) => (
        <Link to="." search={(kept) => ({ ...kept, mail: id })} resetScroll={false}>
          {subject}
        </Link>
      )}
      before={({ data }) =>
        data.some(({ status }) => status === 'kept') ? <Banner tone="info">{t('kept')}</Banner> : null
      }
      below={mail === undefined ? undefined : <MailPanel id={mail} onClose={close} />}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<MailSummary>[] {
  const t = useMailsText();
  const words = useListsText();
  return [
    { id: 'subject', header: words('words.subject'), cell: ({ subject }) => subject },
    {
      id: 'to',
      header: words('words.recipient'),
      cell: ({ to }) => <span className={styles.recipient}>{to.join(', ')}</span>,
    },
    {
      id: 'type',
      header: words('words.type'),
      cell: ({ type }) => <span className={styles.words}>{t(`types.${type}`)}</span>,
    },
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
        { value: 'invoice_issued', label: t('types.invoice_issued') },
        { value: 'receipt', label: t('types.receipt') },
        { value: 'payment_failed', label: t('types.payment_failed') },
        { value: 'confirmation_needed', label: t('types.confirmation_needed') },
        { value: 'card_expires', label: t('types.card_expires') },
        { value: 'statement', label: t('types.statement') },
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
