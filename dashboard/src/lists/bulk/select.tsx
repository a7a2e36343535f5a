import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { SelectTd, SelectTh } from '../../ui/table/table.tsx';
import { useListsText } from '../text.ts';
import type { BulkOptions } from './bulk.ts';
import type { Selection } from './use-selection.ts';

type Props<Row> = { bulk: BulkOptions<Row>; rowId: (row: Row) => string; selection: Selection<Row> };

/** Chooses all rows of the page. */
export function SelectAll<Row>({ bulk, rows, rowId, selection }: Props<Row> & { rows: readonly Row[] }) {
  const t = useListsText();
  const all = rows.filter((row) => bulk.canSelect?.(row) ?? true);
  return (
    <SelectTh>
      <Checkbox
        label={t('bulk.selectAll')}
        isLabelHidden
        checked={all.length > 0 && all.every((row) => selection.rows.has(rowId(row)))}
        onChange={(isChosen) => selection.set(all, isChosen)}
        disabled={all.length === 0}
      />
    </SelectTh>
  );
}

/** Chooses a row, if it can be. */
export function SelectRow<Row>({ bulk, row, rowId, selection }: Props<Row> & { row: Row }) {
  const t = useListsText();
  if (bulk.canSelect?.(row) === false) return <SelectTd label="">{null}</SelectTd>;
  return (
    <SelectTd label={t('bulk.column')}>
      <Checkbox
        label={t('bulk.select', { name: bulk.nameOf(row) })}
        isLabelHidden
        checked={selection.rows.has(rowId(row))}
        onChange={(isChosen) => selection.set([row], isChosen)}
      />
    </SelectTd>
  );
}
