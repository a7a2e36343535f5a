import type { OperatorCreditNote } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { toInstants } from '../../lists/days.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { CompanyLink } from '../companies/company-link.tsx';
import { InvoiceLink } from '../operator-invoices/invoice-link.tsx';
import { useCreditNotesText } from './text.ts';

/** The credit notes of all companies. */
export function CreditNotesPage() {
  const t = useCreditNotesText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="credit-notes"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['credit-notes']}
      read={(search, options) => paydesk().operator.creditNotes.list({ perPage: 25, ...toInstants(search) }, options)}
      rowId={({ id }) => id}
      csv={{
        fileName: 'credit-notes.csv',
        read: (search) => paydesk().operator.creditNotes.csv(toInstants(search) as object),
      }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<OperatorCreditNote>[] {
  const words = useListsText();
  return [
    { id: 'number', header: words('words.number'), cell: ({ number }) => number },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    {
      id: 'invoice',
      header: words('words.invoice'),
      cell: ({ invoiceId, invoiceNumber }) => <InvoiceLink invoiceId={invoiceId} number={invoiceNumber} />,
    },
    { id: 'reason', header: words('words.reason'), cell: ({ reason }) => reason },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    {
      id: 'amount',
      header: words('words.amount'),
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useCreditNotesText();
  const words = useListsText();
  return [
    { kind: 'search', name: 'number', label: t('search') },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
    { kind: 'text', name: 'currency', label: words('words.currency') },
    { kind: 'amount', name: 'min', label: words('words.amountFrom') },
    { kind: 'amount', name: 'max', label: words('words.amountTo') },
  ];
}
