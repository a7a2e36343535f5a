import type { OperatorOverview } from '@paydesk/client';
import { useFormat } from '../../format/format.ts';
import { Money } from '../../format/values.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { useOperatorHomeText } from './text.ts';

/** Billed, collected and refunded by month, the latest first. */
export function Months({ months }: { months: OperatorOverview['months'] }) {
  const t = useOperatorHomeText();
  const format = useFormat();
  const latest = [...months].reverse();
  return (
    <Card title={t('months')}>
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
          {latest.map(({ month, currency, billed, collected, refunded }) => (
            <TableRow key={`${month} ${currency}`}>
              <Td label={t('month')}>{format.month(`${month}-01T00:00:00Z`)}</Td>
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
    </Card>
  );
}

const AGES = ['days1To30', 'days31To60', 'days61To90', 'over90'] as const;

/** What is overdue, by how long. */
export function Aging({ rows }: { rows: OperatorOverview['overdue'] }) {
  const t = useOperatorHomeText();
  return (
    <Card title={t('aging')}>
      <Table caption={t('aging')}>
        <thead>
          <tr>
            <Th>{t('currency')}</Th>
            {AGES.map((age) => (
              <Th key={age} align="end">
                {t(age)}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.currency}>
              <Td label={t('currency')}>{row.currency}</Td>
              {AGES.map((age) => (
                <Td key={age} label={t(age)} numeric>
                  <Money amount={row[age]} currency={row.currency} />
                </Td>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
