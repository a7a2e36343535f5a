import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './table.module.css';

type TableProps = {
  /** What the table holds, for whoever hears it. */
  caption: string;
  /** The head stays in view while the rows scroll. */
  stickyHeader?: boolean;
  children: ReactNode;
};

/** A table; on a narrow screen each row is a card whose values have their column's name. */
export function Table({ caption, stickyHeader = false, children }: TableProps) {
  return (
    <table className={styles.table} data-sticky={stickyHeader || undefined}>
      <caption className={styles.caption}>{caption}</caption>
      {children}
    </table>
  );
}

type ThProps = {
  align?: 'start' | 'end';
  sort?: 'ascending' | 'descending' | 'none';
  onSort?: () => void;
  children: ReactNode;
};

/** The head of a column; with `onSort` it is a button. */
export function Th({ align = 'start', sort, onSort, children }: ThProps) {
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }[sort ?? 'none'];
  return (
    <th scope="col" className={styles.th} data-align={align} aria-sort={sort}>
      {onSort === undefined ? (
        children
      ) : (
        <button type="button" className={styles.sort} data-active={sort !== 'none' || undefined} onClick={onSort}>
          {children}
          <Icon aria-hidden="true" />
        </button>
      )}
    </th>
  );
}

/** The head of the column in which rows are chosen. */
export function SelectTh({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className={styles.th} data-select>
      {children}
    </th>
  );
}

/** A row. Where it is a link, the link of its first cell covers all of it. */
export function TableRow({ isLink = false, children }: { isLink?: boolean; children: ReactNode }) {
  return (
    <tr className={styles.row} data-link={isLink || undefined}>
      {children}
    </tr>
  );
}

type TdProps = {
  /** The name of the column, which a narrow screen shows beside the value. */
  label: string;
  numeric?: boolean;
  /** Holds buttons or links of its own, which stay above the link of the row. */
  isActive?: boolean;
  children: ReactNode;
};

export function Td({ label, numeric = false, isActive = false, children }: TdProps) {
  return (
    <td
      className={styles.td}
      data-label={label}
      data-numeric={numeric || undefined}
      data-active={isActive || undefined}
    >
      {children}
    </td>
  );
}

/** Where a row is chosen. The cell after it is the first one of the row's content. */
export function SelectTd({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td className={styles.td} data-label={label} data-select>
      {children}
    </td>
  );
}

/** The buttons of a row, beside each other. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className={styles.actions}>{children}</span>;
}
