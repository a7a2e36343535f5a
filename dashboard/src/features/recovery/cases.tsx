import type { RecoveryCase } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { List } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge, type Tone } from '../../ui/badge/badge.tsx';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { useRecoveryText } from './text.ts';

const TONES: Record<RecoveryCase['state'], Tone> = { open: 'info', person: 'warning', done: 'neutral' };
const STATES = ['open', 'person', 'done'] as const;

/** What the database lacks, and who decides. */
export function Cases() {
  const t = useRecoveryText();
  const words = useListsText();
  return (
    <List
      name="recovery-cases"
      caption={t('cases')}
      columns={useColumns()}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          label: words('words.status'),
          options: STATES.map((value) => ({ value, label: t(`states.${value}`) })),
        },
      ]}
      queryKey={['recovery-cases']}
      read={(search, options) => paydesk().operator.recovery.cases.list({ perPage: 25, ...search } as object, options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<RecoveryCase>[] {
  const t = useRecoveryText();
  const words = useListsText();
  return [
    { id: 'kind', header: t('what'), cell: ({ kind, number }) => `${kind.replaceAll('_', ' ')} ${number ?? ''}` },
    {
      id: 'company',
      header: words('words.company'),
      cell: (row) => <NamedCompanyLink company={row} />,
      isActive: true,
    },
    { id: 'at', header: words('words.at'), cell: ({ happenedAt }) => <Instant value={happenedAt} /> },
    {
      id: 'state',
      header: words('words.status'),
      cell: ({ state }) => <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>,
    },
    { id: 'plan', header: t('plan'), cell: ({ plan, note }) => plan ?? note },
    {
      id: 'amount',
      header: words('words.amount'),
      cell: ({ amount, currency }) =>
        amount === null || currency === null ? null : <Money amount={amount} currency={currency} />,
      isNumeric: true,
    },
  ];
}
