import type { OperatorOverview } from '@paydesk/client';
import { Suspense, useState } from 'react';
import { LazyBarChart } from '../../charts/lazy-bar-chart.tsx';
import { useFormat } from '../../format/format.ts';
import { Money } from '../../format/values.tsx';
import { Card } from '../../ui/card/card.tsx';
import { FilterSelect } from '../../ui/filter-select/filter-select.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import styles from './operator-home-page.module.css';
import { useOperatorHomeText } from './text.ts';

type Month = OperatorOverview['months'][number];

/** Billed, collected and refunded by month, of one currency at a time: first of that in which most was billed. */
export function Months({ months }: { months: readonly Month[] }) {
  const t = useOperatorHomeText();
  const currencies = currenciesOf(months);
  const [chosen, setChosen] = useState(currencies[0] ?? '');
  const shown = months.filter(({ currency }) => currency === chosen);
  return (
    <Card
      title={t('months')}
      description={t('monthsText')}
      actions={
        currencies.length < 2 ? undefined : (
          <FilterSelect
            label={t('currency')}
            value={chosen}
            onChange={setChosen}
            options={currencies.map((currency) => ({ value: currency, label: currency }))}
          />
        )
      }
    >
      <div className={styles.months}>
        <div className={styles.chart}>
          <Suspense fallback={null}>
            <MonthsChart months={shown} />
          </Suspense>
        </div>
        <MonthsTable months={shown} />
      </div>
    </Card>
  );
}

function currenciesOf(months: readonly Month[]): string[] {
  const totals = new Map<string, number>();
  for (const { currency, billed } of months) totals.set(currency, (totals.get(currency) ?? 0) + Number(billed));
  return [...totals.keys()].sort((one, other) => (totals.get(other) ?? 0) - (totals.get(one) ?? 0));
}

function MonthsChart({ months }: { months: readonly Month[] }) {
  const t = useOperatorHomeText();
  const format = useFormat();
  return (
    <LazyBarChart
      caption={t('months')}
      series={[t('billed'), t('collected')]}
      formatAxis={format.compact}
      points={months.map(({ month, currency, billed, collected }) => ({
        id: month,
        label: format.month(firstDayOf(month)),
        axisLabel: format.shortMonth(firstDayOf(month)),
        values: [Number(billed), Number(collected)],
        texts: [format.money(billed, currency), format.money(collected, currency)],
      }))}
    />
  );
}

/** The latest month first. */
function MonthsTable({ months }: { months: readonly Month[] }) {
  const t = useOperatorHomeText();
  const format = useFormat();
  return (
    <Table caption={t('months')}>
      <thead>
        <tr>
          <Th>{t('month')}</Th>
          <Th align="end">{t('billed')}</Th>
          <Th align="end">{t('collected')}</Th>
          <Th align="end">{t('refunded')}</Th>
        </tr>
      </thead>
      <tbody>
        {[...months].reverse().map(({ month, currency, billed, collected, refunded }) => (
          <TableRow key={month}>
            <Td label={t('month')}>{format.month(firstDayOf(month))}</Td>
            <Td label={t('billed')} numeric>
              <Money amount={billed} currency={currency} />
            </Td>
            <Td label={t('collected')} numeric>
              <Money amount={collected} currency={currency} />
            </Td>
            <Td label={t('refunded')} numeric>
              <Money amount={refunded} currency={currency} />
            </Td>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function firstDayOf(month: string): string {
  return `${month}-01T00:00:00Z`;
}
