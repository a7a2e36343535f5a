import type { OperatorRefund } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { toInstants } from '../../lists/days.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { CompanyLink } from '../companies/company-link.tsx';
import { STATUS_TONES } from '../payments/status-tones.ts';
import { useRefundsText } from './text.ts';

/** The refunds of all companies. */
export function RefundsPage() {
  const t = useRefundsText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="refunds"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['refunds']}
      read={(search, options) => paydesk().operator.refunds.list({ perPage: 25, ...toInstants(search) }, options)}
      rowId={({ id }) => id}
      isMoving={({ data }) => data.some(({ status }) => status === 'Processing')}
      csv={{ fileName: 'refunds.csv', read: (search) => paydesk().operator.refunds.csv(toInstants(search) as object) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<OperatorRefund>[] {
  const t = useRefundsText();
  const words = useListsText();
  return [
    {
      id: 'created',
      header: words('words.created'),
      cell: ({ createdAt, invoiceId }) => (
        <Link to="/console/invoices/$invoiceId" params={{ invoiceId }}>
          <Instant value={createdAt} />
        </Link>
      ),
    },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{t(`statuses.${status}`)}</Badge>,
    },
    { id: 'reason', header: words('words.reason'), cell: ({ reason }) => reason },
    { id: 'source', header: t('source'), cell: ({ source }) => t(`sources.${source}`), isOptional: true },
    {
      id: 'amount',
      header: words('words.amount'),
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useRefundsText();
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
        { value: 'NeedsReview', label: t('statuses.NeedsReview') },
      ],
    },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
    { kind: 'text', name: 'currency', label: words('words.currency') },
    { kind: 'amount', name: 'min', label: words('words.amountFrom') },
    { kind: 'amount', name: 'max', label: words('words.amountTo') },
  ];
}
