import type { UsageSum } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { type ListSearch, useListSearch } from '../../lists/use-list-search.ts';
import { useOperatorUsageText } from './text.ts';

/** The usage of one company, which the address names. */
export function OperatorUsagePage() {
  const t = useOperatorUsageText();
  const { search } = useListSearch();
  const isChosen = (search.companyId ?? '') !== '';
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="operator-usage"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['operator-usage']}
      read={readUsage}
      rowId={({ path, start }) => `${path} ${start}`}
      csv={{
        fileName: 'usage.csv',
        read: (filters) => paydesk().operator.usage.csv({ granularity: 'day', ...filters } as never),
        disabledReason: isChosen ? undefined : t('chooseText'),
      }}
      empty={
        isChosen ? { title: t('empty.title'), text: t('empty.text') } : { title: t('choose'), text: t('chooseText') }
      }
    />
  );
}

async function readUsage({ companyId, ...rest }: ListSearch['search'], options: { signal: AbortSignal }) {
  if (companyId === undefined || companyId === '') return { data: [], total: 0, page: 1, perPage: 25 };
  return paydesk().operator.usage.list({ companyId, perPage: 25, granularity: 'day', ...rest } as never, options);
}

function useColumns(): Column<UsageSum>[] {
  const t = useOperatorUsageText();
  const words = useListsText();
  const format = useFormat();
  return [
    { id: 'path', header: words('words.path'), cell: ({ path }) => <code>{path}</code> },
    { id: 'start', header: t('start'), cell: ({ start }) => <Instant value={start} /> },
    {
      id: 'quantity',
      header: words('words.quantity'),
      cell: ({ quantity }) => format.number(quantity),
      isNumeric: true,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useOperatorUsageText();
  const words = useListsText();
  return [
    { kind: 'search', name: 'companyId', label: t('company') },
    { kind: 'text', name: 'path', label: words('words.path') },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
    {
      kind: 'choice',
      name: 'granularity',
      label: t('granularity'),
      options: (['hour', 'day', 'month'] as const).map((value) => ({ value, label: words(`words.${value}`) })),
    },
  ];
}
