import { useState } from 'react';

/** The rows that are chosen, also those of other pages. */
export type Selection<Row> = {
  rows: ReadonlyMap<string, Row>;
  set: (rows: readonly Row[], isChosen: boolean) => void;
  clear: () => void;
};

export function useSelection<Row>(rowId: (row: Row) => string): Selection<Row> {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const set = (changed: readonly Row[], isChosen: boolean) => {
    const next = new Map(rows);
    for (const row of changed) {
      if (isChosen) next.set(rowId(row), row);
      else next.delete(rowId(row));
    }
    setRows(next);
  };
  return { rows, set, clear: () => setRows(new Map()) };
}
