import type { MailSummary } from '@paydesk/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { paydesk, useSession } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { toInstants } from '../../lists/days.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { findCompanies, nameCompany } from '../companies/company-field.tsx';
import { CompanyLink } from '../companies/company-link.tsx';
import { findInvoices, nameInvoice } from '../operator-invoices/find-invoices.ts';
import { MailPanel } from './mail-panel.tsx';
import styles from './mails.module.css';
import { PreviewMail } from './preview-mail.tsx';
import { useMailsText } from './text.ts';
import { ACCOUNT_TYPES, MONEY_TYPES, TONES } from './types.ts';

/** The mails of the service that the role may see, and the one that the address names. */
export function MailsPage() {
  const t = useMailsText();
  const { mail, invoiceId, companyId } = useSearch({ from: '/console/console/emails' });
  const navigate = useNavigate();
  const show = (id?: string) =>
    void navigate({ to: '.', search: (kept) => ({ ...kept, mail: id }), resetScroll: false });
  const about = invoiceId === undefined ? companyId && { companyId } : { invoiceId };
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="mails"
      caption={t('title')}
      actions={<PreviewMail about={about || undefined} />}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['mails']}
      read={({ mail: _, ...search }, options) =>
        paydesk().operator.mails.list({ perPage: 25, ...toInstants(search) }, options)
      }
      rowId={({ id }) => id}
      rowLink={({ id }, subject) => (
        <Link to="." search={(kept) => ({ ...kept, mail: id })} resetScroll={false}>
          {subject}
        </Link>
      )}
      csv={{
        fileName: 'mails.csv',
        read: ({ mail: _, ...search }) => paydesk().operator.mails.csv(toInstants(search) as object),
      }}
      isMoving={({ data }) => data.some(({ status }) => status === 'queued')}
      before={({ data }) =>
        data.some(({ status }) => status === 'kept') ? <Banner tone="info">{t('kept')}</Banner> : null
      }
      below={mail === undefined ? undefined : <MailPanel key={mail} id={mail} onClose={() => show()} onResent={show} />}
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
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
  ];
}

function useFilters(): Filter[] {
  const t = useMailsText();
  const words = useListsText();
  const isAdmin = useSession()?.operatorRole === 'admin';
  const types = isAdmin ? [...MONEY_TYPES, ...ACCOUNT_TYPES] : MONEY_TYPES;
  const statuses = ['queued', 'sent', 'failed', 'kept'] as const;
  return [
    { kind: 'search', name: 'recipient', label: t('recipient') },
    { kind: 'found', name: 'companyId', label: words('words.company'), find: findCompanies, nameOf: nameCompany },
    { kind: 'found', name: 'invoiceId', label: words('words.invoice'), find: findInvoices, nameOf: nameInvoice },
    {
      kind: 'choice',
      name: 'type',
      label: words('words.type'),
      options: types.map((value) => ({ value, label: t(`types.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'status',
      label: words('words.status'),
      options: statuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
    },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
  ];
}
