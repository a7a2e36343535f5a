import type { LedgerBalance } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Money } from '../../format/values.tsx';
import { toInstants } from '../../lists/days.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { useAccounts } from '../ledger/accounts.ts';
import { useBalancesText } from './text.ts';

/** What each account holds. */
export function BalancesPage() {
  const t = useBalancesText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="balances"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['balances']}
      read={(search, options) => paydesk().operator.ledger.balances.list(toInstants(search), options)}
      rowId={({ account, currency }) => `${account} ${currency}`}
      csv={{ fileName: 'balances.csv', read: (search) => paydesk().operator.ledger.balances.csv(toInstants(search)) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<LedgerBalance>[] {
  const words = useListsText();
  const accounts = useAccounts();
  return [
    { id: 'account', header: words('words.account'), cell: ({ account }) => accounts.nameOf(account) },
    { id: 'currency', header: words('words.currency'), cell: ({ currency }) => currency },
    {
      id: 'balance',
      header: words('words.balance'),
      cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const words = useListsText();
  return [{ kind: 'date', name: 'to', label: words('words.to') }];
}
