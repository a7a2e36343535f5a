import type { UsageList, UsageSum } from '@paydesk/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { paydesk } from '../../api/session.ts';
import { LazyBarChart } from '../../charts/lazy-bar-chart.tsx';
import { useFormat } from '../../format/format.ts';
import { CsvButton } from '../../lists/csv-button.tsx';
import { List } from '../../lists/list-page.tsx';
import type { Column, Filter } from '../../lists/types.ts';
import { type ListSearch, useListSearch } from '../../lists/use-list-search.ts';
import { Page } from '../../shell/page.tsx';
import { Card } from '../../ui/card/card.tsx';
import { fillTotals } from './intervals.ts';
import { useUsageText } from './text.ts';
import { Thresholds } from './thresholds.tsx';
import styles from './usage.module.css';

type Granularity = 'hour' | 'day' | 'month';

/** What a company has used, over time and by path. */
export function UsagePage() {
  const t = useUsageText();
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={<CsvButton fileName="usage.csv" read={(search) => paydesk().usage.csv(queryOf(search) as never)} />}
    >
      <div className={styles.parts}>
        <Chart />
        <List
          name="usage"
          caption={t('caption')}
          columns={useColumns()}
          filters={useFilters()}
          queryKey={['usage']}
          read={readUsage}
          rowId={({ path, start }) => `${path} ${start}`}
          empty={{ title: t('empty.title'), text: t('empty.text') }}
        />
        <Thresholds />
      </div>
    </Page>
  );
}

function readUsage(search: ListSearch['search'], options: { signal: AbortSignal }): Promise<UsageList> {
  return paydesk().usage.list({ perPage: 25, ...queryOf(search) } as never, options);
}

/** A path in the address finds all that begin with it. */
function queryOf({ path, ...search }: ListSearch['search']) {
  const found = path === undefined || path === '' || path.endsWith('*') ? path : `${path}*`;
  return { granularity: 'day', ...search, path: found };
}

/** The sum of all paths that the filters let pass. It shares its request with the table. */
function Chart() {
  const t = useUsageText();
  const format = useFormat();
  const { search } = useListSearch();
  const { data } = useQuery({
    queryKey: ['usage', search],
    queryFn: ({ signal }) => readUsage(search, { signal }),
    placeholderData: keepPreviousData,
  });
  const granularity = granularityOf(search.granularity);
  const labelOf = useIntervalLabel();
  const { from, to } = search;
  const totals = fillTotals(data?.totals ?? [], { from, to, granularity, nowMs: Date.now() });
  const sum = (data?.totals ?? []).reduce((all, { quantity }) => all + BigInt(quantity), 0n);
  return (
    <Card title={data === undefined ? t('total') : t('totalOf', { quantity: format.number(String(sum)) })}>
      <div className={styles.chart}>
        <Suspense fallback={null}>
          {data === undefined ? null : (
            <LazyBarChart
              caption={t('chart')}
              series={[t('quantity')]}
              table={{ label: t('asTable'), labelHeader: t('interval') }}
              formatAxis={format.compact}
              points={totals.map(({ start, quantity }) => ({
                id: start,
                label: labelOf(start, granularity),
                axisLabel: granularity === 'month' ? format.month(start) : format.shortDay(start),
                values: [Number(quantity)],
                texts: [format.number(quantity)],
              }))}
            />
          )}
        </Suspense>
      </div>
    </Card>
  );
}

function granularityOf(text: string | undefined): Granularity {
  return text === 'hour' || text === 'month' ? text : 'day';
}

/** The name of an interval: its hour, its day or its month. */
function useIntervalLabel(): (start: string, granularity: Granularity) => string {
  const format = useFormat();
  return (start, granularity) => ({ hour: format.instant, day: format.day, month: format.month })[granularity](start);
}

function useColumns(): Column<UsageSum>[] {
  const t = useUsageText();
  const format = useFormat();
  const { search } = useListSearch();
  const labelOf = useIntervalLabel();
  return [
    { id: 'path', header: t('path'), cell: ({ path }) => path },
    { id: 'interval', header: t('interval'), cell: ({ start }) => labelOf(start, granularityOf(search.granularity)) },
    { id: 'quantity', header: t('quantity'), cell: ({ quantity }) => format.number(quantity), isNumeric: true },
  ];
}

function useFilters(): Filter[] {
  const t = useUsageText();
  return [
    { kind: 'search', name: 'path', label: t('searchPath') },
    {
      kind: 'choice',
      name: 'granularity',
      label: t('by'),
      noneLabel: t('granularities.day'),
      options: (['hour', 'month'] as const).map((value) => ({ value, label: t(`granularities.${value}`) })),
    },
    { kind: 'date', name: 'from', label: t('from') },
    { kind: 'date', name: 'to', label: t('to') },
  ];
}
