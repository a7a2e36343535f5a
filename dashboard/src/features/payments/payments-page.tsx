import type { OperatorPayment } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { cardName } from '../../format/card.ts';
import { Instant, Money } from '../../format/values.tsx';
import { toInstants } from '../../lists/days.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { CompanyLink } from '../companies/company-link.tsx';
import { InvoiceLink } from '../operator-invoices/invoice-link.tsx';
import { isDebit } from '../pay/outcome.ts';
import { STATUS_TONES } from './status-tones.ts';
import { usePaymentsText } from './text.ts';

/** The payments of all companies. */
export function PaymentsPage() {
  const t = usePaymentsText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="payments"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['payments']}
      read={(search, options) => paydesk().operator.payments.list({ perPage: 25, ...toInstants(search) }, options)}
      rowId={({ id }) => id}
      isMoving={({ data }) => data.some(({ status }) => status === 'Processing' || status === 'RequiresAction')}
      csv={{
        fileName: 'payments.csv',
        read: (search) => paydesk().operator.payments.csv(toInstants(search) as object),
      }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<OperatorPayment>[] {
  const t = usePaymentsText();
  const words = useListsText();
  return [
    {
      id: 'invoice',
      header: words('words.invoice'),
      cell: ({ invoiceId, invoiceNumber }) => <InvoiceLink invoiceId={invoiceId} number={invoiceNumber} />,
    },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ status, card }) => (
        <Badge tone={STATUS_TONES[status]}>
          {t(`statuses.${status === 'Processing' && isDebit({ card }) ? 'debit' : status}`)}
        </Badge>
      ),
    },
    {
      id: 'paidWith',
      header: t('paidWith'),
      cell: ({ card, paypalAccount }) => (card === null ? paypalAccount?.email : cardName(card)) ?? t('credit'),
    },
    {
      id: 'initiator',
      header: t('initiator'),
      cell: ({ initiator }) => t(`initiators.${initiator}`),
      isOptional: true,
    },
    { id: 'gateway', header: words('words.gateway'), cell: ({ gateway }) => gateway, isOptional: true },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    {
      id: 'amount',
      header: words('words.amount'),
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = usePaymentsText();
  const words = useListsText();
  return [
    {
      kind: 'choice',
      name: 'status',
      label: words('words.status'),
      options: [
        { value: 'Processing', label: t('statuses.Processing') },
        { value: 'Succeeded', label: t('statuses.Succeeded') },
        { value: 'Failed', label: t('statuses.Failed') },
        { value: 'RequiresAction', label: t('statuses.RequiresAction') },
        { value: 'NeedsReview', label: t('statuses.NeedsReview') },
      ],
    },
    {
      kind: 'choice',
      name: 'method',
      label: words('words.method'),
      options: [
        { value: 'Card', label: t('methods.Card') },
        { value: 'paypal', label: t('methods.paypal') },
      ],
    },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
    { kind: 'text', name: 'currency', label: words('words.currency') },
    { kind: 'amount', name: 'min', label: words('words.amountFrom') },
    { kind: 'amount', name: 'max', label: words('words.amountTo') },
  ];
}
