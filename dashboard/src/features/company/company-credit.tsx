import type { CreditEntry } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { ListPart } from '../../lists/part.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { GrantCredit } from './grant-credit.tsx';
import { useCompanyText } from './text.ts';

/** The company's credit, entry by entry, the newest first. */
export function CompanyCredit({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const words = useListsText();
  const mayGrant = useLacksRole('finance') === undefined;
  const columns: Column<CreditEntry>[] = [
    { id: 'at', header: words('words.at'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    { id: 'what', header: t('what'), cell: ({ kind }) => t(`kinds.${kind}`) },
    { id: 'reason', header: words('words.reason'), cell: ({ reason }) => reason },
    {
      id: 'amount',
      header: words('words.amount'),
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      isNumeric: true,
    },
    {
      id: 'balance',
      header: words('words.balance'),
      cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
      isNumeric: true,
    },
  ];
  return (
    <ListPart
      title={t('creditTitle')}
      actions={mayGrant ? <GrantCredit companyId={companyId} /> : undefined}
      queryKey={['companies', companyId, 'credits']}
      read={async (options) => (await paydesk().operator.companies.credits.list(companyId, {}, options)).data}
      columns={columns}
      rowId={({ id }) => id}
      empty={t('noCredit')}
    />
  );
}
