import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { useListsText } from '../../lists/text.ts';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { useAccounts } from '../ledger/accounts.ts';
import { useOperatorInvoicesText } from './text.ts';

type Props = { invoiceId: string; of: 'void' | 'credit_note' | 'refund'; amount?: string };

/** What an action would post to the ledger, account by account. While the amount is none that the action takes, it shows nothing. */
export function Postings({ invoiceId, of, amount }: Props) {
  const t = useOperatorInvoicesText();
  const words = useListsText();
  const format = useFormat();
  const accounts = useAccounts();
  const { data, isError } = useQuery({
    queryKey: ['operator-invoices', invoiceId, 'postings', of, amount],
    queryFn: async ({ signal }) => paydesk().operator.invoices.postings.preview(invoiceId, { of, amount }, { signal }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined || isError) return null;
  const sum = (side: string | null, currency: string) =>
    side === null || Number(side) === 0 ? '' : format.money(side, currency);
  return (
    <Table caption={t('postings')}>
      <thead>
        <tr>
          <Th>{words('words.account')}</Th>
          <Th align="end">{words('words.debit')}</Th>
          <Th align="end">{words('words.credit')}</Th>
        </tr>
      </thead>
      <tbody>
        {data.data.map(({ account, currency, debit, credit }) => (
          <TableRow key={`${account} ${currency} ${debit} ${credit}`}>
            <Td label={words('words.account')}>{accounts.nameOf(account)}</Td>
            <Td label={words('words.debit')} numeric>
              {sum(debit, currency)}
            </Td>
            <Td label={words('words.credit')} numeric>
              {sum(credit, currency)}
            </Td>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
