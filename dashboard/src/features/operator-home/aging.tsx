import type { OperatorOverview } from '@paydesk/client';
import { Money } from '../../format/values.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { useOperatorHomeText } from './text.ts';

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
