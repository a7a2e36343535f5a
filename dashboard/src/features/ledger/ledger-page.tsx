import type { LedgerPosting } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { toInstants } from '../../lists/days.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { CompanyLink } from '../companies/company-link.tsx';
import { useAccounts } from './accounts.ts';
import { useLedgerText } from './text.ts';

/** The postings of the ledger. */
export function LedgerPage() {
  const t = useLedgerText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="ledger"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['ledger']}
      read={(search, options) => paydesk().operator.ledger.list({ perPage: 50, ...toInstants(search) }, options)}
      rowId={({ kind, sourceId, account }) => `${kind} ${sourceId} ${account}`}
      csv={{ fileName: 'ledger.csv', read: (search) => paydesk().operator.ledger.csv(toInstants(search)) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<LedgerPosting>[] {
  const t = useLedgerText();
  const accounts = useAccounts();
  const words = useListsText();
  return [
    { id: 'at', header: words('words.at'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    { id: 'kind', header: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    { id: 'account', header: words('words.account'), cell: ({ account }) => accounts.nameOf(account) },
    {
      id: 'amount',
      header: words('words.amount'),
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const { options } = useAccounts();
  const words = useListsText();
  return [
    { kind: 'choice', name: 'account', label: words('words.account'), options },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
  ];
}
