import type { InvoiceWithPayment } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant, Money, Period } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { CompanyLink } from '../companies/company-link.tsx';
import { StateBadge } from '../invoices/state-badge.tsx';
import { useInvoicesText } from '../invoices/text.ts';
import { useInvoicesBulk } from './bulk.tsx';
import { CreateInvoice } from './create-invoice.tsx';
import { useOperatorInvoicesText } from './text.ts';

/** The invoices of all companies. */
export function OperatorInvoicesPage() {
  const t = useOperatorInvoicesText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      actions={<CreateInvoice />}
      name="operator-invoices"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['operator-invoices']}
      read={(search, options) => paydesk().operator.invoices.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      bulk={useInvoicesBulk()}
      rowLink={({ id }, children) => (
        <Link to="/console/invoices/$invoiceId" params={{ invoiceId: id }}>
          {children}
        </Link>
      )}
      csv={{ fileName: 'invoices.csv', read: (search) => paydesk().operator.invoices.csv(search as object) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<InvoiceWithPayment>[] {
  const t = useOperatorInvoicesText();
  const words = useListsText();
  return [
    { id: 'number', header: words('words.number'), cell: ({ number }) => number },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    {
      id: 'period',
      header: words('words.period'),
      cell: ({ startAt, endAt }) => <Period startAt={startAt} endAt={endAt} />,
    },
    { id: 'status', header: words('words.status'), cell: (invoice) => <StateBadge invoice={invoice} /> },
    { id: 'due', header: t('due'), cell: ({ dueAt }) => <Instant value={dueAt} as="date" /> },
    {
      id: 'total',
      header: t('total'),
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useOperatorInvoicesText();
  const words = useListsText();
  const states = useInvoicesText();
  return [
    { kind: 'search', name: 'number', label: t('search') },
    {
      kind: 'choice',
      name: 'state',
      label: words('words.status'),
      options: (['open', 'overdue', 'paid', 'credited', 'void'] as const).map((value) => ({
        value,
        label: states(`states.${value === 'open' ? 'due' : value}`),
      })),
    },
    { kind: 'date', name: 'startAt', label: t('periodFrom') },
    { kind: 'date', name: 'endAt', label: t('periodTo') },
  ];
}
