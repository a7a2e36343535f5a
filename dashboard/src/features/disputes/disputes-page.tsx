import type { ListedDispute } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { toInstants } from '../../lists/days.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge, type Tone } from '../../ui/badge/badge.tsx';
import { CompanyLink } from '../companies/company-link.tsx';
import { InvoiceLink } from '../operator-invoices/invoice-link.tsx';
import { useDisputesText } from './text.ts';

const TONES: Record<ListedDispute['status'], Tone> = {
  NeedsResponse: 'danger',
  UnderReview: 'warning',
  Won: 'success',
  Lost: 'neutral',
  Closed: 'neutral',
};

/** The disputes of all companies. */
export function DisputesPage() {
  const t = useDisputesText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="disputes"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['disputes']}
      read={(search, options) => paydesk().operator.disputes.list({ perPage: 25, ...toInstants(search) }, options)}
      csv={{
        fileName: 'disputes.csv',
        read: (search) => paydesk().operator.disputes.csv(toInstants(search) as object),
      }}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<ListedDispute>[] {
  const t = useDisputesText();
  const words = useListsText();
  return [
    {
      id: 'opened',
      header: words('words.opened'),
      cell: ({ openedAt }) => <Instant value={openedAt} as="date" />,
    },
    {
      id: 'invoice',
      header: words('words.invoice'),
      cell: ({ invoiceId, invoiceNumber }) => <InvoiceLink invoiceId={invoiceId} number={invoiceNumber} />,
      isActive: true,
    },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>,
    },
    { id: 'reason', header: words('words.reason'), cell: ({ reason }) => reason },
    { id: 'gateway', header: words('words.gateway'), cell: ({ gateway }) => gateway, isOptional: true },
    {
      id: 'amount',
      header: words('words.amount'),
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      isNumeric: true,
    },
    {
      id: 'withdrawn',
      header: t('withdrawn'),
      cell: ({ withdrawnAmount, currency }) => <Money amount={withdrawnAmount} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useDisputesText();
  const words = useListsText();
  return [
    {
      kind: 'choice',
      name: 'status',
      label: words('words.status'),
      options: [
        { value: 'NeedsResponse', label: t('statuses.NeedsResponse') },
        { value: 'UnderReview', label: t('statuses.UnderReview') },
        { value: 'Won', label: t('statuses.Won') },
        { value: 'Lost', label: t('statuses.Lost') },
        { value: 'Closed', label: t('statuses.Closed') },
      ],
    },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
    { kind: 'text', name: 'currency', label: words('words.currency') },
  ];
}
