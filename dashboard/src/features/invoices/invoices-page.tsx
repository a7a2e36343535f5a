import type { InvoiceWithPayment } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant, Money, Period } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import type { Column, Filter } from '../../lists/types.ts';
import { StateBadge } from './state-badge.tsx';
import { useInvoicesText } from './text.ts';

/** A company's invoices. */
export function InvoicesPage() {
  const t = useInvoicesText();
  return (
    <ListPage
      title={t('title')}
      name="invoices"
      caption={t('caption')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['invoices']}
      read={(search, options) => paydesk().invoices.list({ perPage: 25, ...search }, options)}
      csv={{ fileName: 'invoices.csv', read: (search) => paydesk().invoices.csv(search) }}
      rowId={({ id }) => id}
      rowLink={({ id }, children) => (
        <Link to="/app/invoices/$invoiceId" params={{ invoiceId: id }}>
          {children}
        </Link>
      )}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
      isMoving={({ data }) => data.some(({ payment }) => payment?.status === 'Processing')}
    />
  );
}

function useColumns(): Column<InvoiceWithPayment>[] {
  const t = useInvoicesText();
  return [
    { id: 'number', header: t('number'), cell: ({ number }) => number },
    { id: 'period', header: t('period'), cell: ({ startAt, endAt }) => <Period startAt={startAt} endAt={endAt} /> },
    { id: 'status', header: t('status'), cell: (invoice) => <StateBadge invoice={invoice} /> },
    { id: 'due', header: t('due'), cell: ({ dueAt }) => <Instant value={dueAt} as="date" /> },
    { id: 'method', header: t('method'), cell: ({ method }) => t(`methods.${method}`), isOptional: true },
    {
      id: 'issued',
      header: t('issued'),
      cell: ({ createdAt }) => <Instant value={createdAt} as="date" />,
      isOptional: true,
    },
    {
      id: 'total',
      header: t('total'),
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useInvoicesText();
  return [
    { kind: 'search', name: 'receipt', label: t('search') },
    {
      kind: 'choice',
      name: 'state',
      label: t('status'),
      options: [
        { value: 'open', label: t('states.due') },
        { value: 'overdue', label: t('states.overdue') },
        { value: 'paid', label: t('states.paid') },
        { value: 'credited', label: t('states.credited') },
        { value: 'void', label: t('states.void') },
      ],
    },
    {
      kind: 'choice',
      name: 'method',
      label: t('method'),
      options: [
        { value: 'Card', label: t('methods.Card') },
        { value: 'paypal', label: t('methods.paypal') },
      ],
    },
    { kind: 'text', name: 'currency', label: t('currency') },
    { kind: 'date', name: 'startAt', label: t('periodFrom') },
    { kind: 'date', name: 'endAt', label: t('periodTo') },
    { kind: 'amount', name: 'min', label: t('amountFrom') },
    { kind: 'amount', name: 'max', label: t('amountTo') },
  ];
}
