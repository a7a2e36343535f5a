import { useSuspenseQuery } from '@tanstack/react-query';
import { paydesk, useSession } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { useListsText } from '../../lists/text.ts';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { GrantCredit } from './grant-credit.tsx';
import { useCompanyText } from './text.ts';

/** The company's credit, entry by entry, the newest first. */
export function CompanyCredit({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const words = useListsText();
  const role = useSession()?.operatorRole;
  const { data } = useSuspenseQuery({
    queryKey: ['companies', companyId, 'credits'],
    queryFn: async ({ signal }) => (await paydesk().operator.companies.credits.list(companyId, {}, { signal })).data,
  });
  const mayGrant = role === 'finance' || role === 'admin';
  return (
    <Card title={t('creditTitle')} actions={mayGrant ? <GrantCredit companyId={companyId} /> : undefined}>
      {data.length === 0 ? (
        <p>{t('noCredit')}</p>
      ) : (
        <Table caption={t('creditTitle')}>
          <thead>
            <tr>
              <Th>{words('words.at')}</Th>
              <Th>{t('what')}</Th>
              <Th>{words('words.reason')}</Th>
              <Th align="end">{words('words.amount')}</Th>
              <Th align="end">{words('words.balance')}</Th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, createdAt, kind, reason, amount, balance, currency }) => (
              <TableRow key={id}>
                <Td label={words('words.at')}>
                  <Instant value={createdAt} />
                </Td>
                <Td label={t('what')}>{t(`kinds.${kind}`)}</Td>
                <Td label={words('words.reason')}>{reason}</Td>
                <Td label={words('words.amount')} numeric>
                  <Money amount={amount} currency={currency} />
                </Td>
                <Td label={words('words.balance')} numeric>
                  <Money amount={balance} currency={currency} />
                </Td>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
