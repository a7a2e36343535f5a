import { useEffect, useRef } from 'react';
import { Table, TableRow, Td, Th } from '../ui/table/table.tsx';
import { SelectAll, SelectRow } from './bulk/select.tsx';
import type { Selection } from './bulk/use-selection.ts';
import styles from './list-page.module.css';
import type { ListProps } from './list-page.tsx';
import type { ListSearch } from './use-list-search.ts';

type Props<Row> = Pick<ListProps<Row>, 'bulk' | 'caption' | 'columns' | 'rowId' | 'rowLink'> & {
  rows: readonly Row[];
  list: ListSearch;
  /** These rows are of the filters before, while the next ones load. */
  isStale: boolean;
  selection: Selection<Row>;
};

/** The rows of a list. The arrow keys move between their links, and Enter follows one. */
export function ListTable<Row>({
  bulk,
  caption,
  columns,
  rowId,
  rowLink,
  rows,
  list: { search, change },
  isStale,
  selection,
}: Props<Row>) {
  const sortOf = (name: string) =>
    search.sort === name ? 'ascending' : search.sort === `-${name}` ? 'descending' : 'none';
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    element?.addEventListener('keydown', moveBetweenRows);
    return () => element?.removeEventListener('keydown', moveBetweenRows);
  }, []);
  return (
    <div className={styles.rows} data-stale={isStale || undefined} ref={area}>
      <Table caption={caption}>
        <thead>
          <tr>
            {bulk === undefined ? null : <SelectAll {...{ bulk, rows, rowId, selection }} />}
            {columns.map(({ id, header, isNumeric, sort }) => (
              <Th
                key={id}
                align={isNumeric ? 'end' : 'start'}
                {...(sort === undefined
                  ? {}
                  : {
                      sort: sortOf(sort),
                      onSort: () => change({ sort: sortOf(sort) === 'ascending' ? `-${sort}` : sort }),
                    })}
              >
                {header}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={rowId(row)} isLink={rowLink !== undefined}>
              {bulk === undefined ? null : <SelectRow {...{ bulk, row, rowId, selection }} />}
              {columns.map(({ id, header, cell, isNumeric, isActive }, index) => (
                <Td key={id} label={header} numeric={isNumeric === true} isActive={isActive}>
                  {index === 0 && rowLink !== undefined ? rowLink(row, cell(row)) : cell(row)}
                </Td>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function moveBetweenRows(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const area = event.currentTarget as HTMLElement;
  const links = [...area.querySelectorAll<HTMLElement>('tbody tr > :nth-child(1 of :not([data-select])) a')];
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = links[at + step];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
