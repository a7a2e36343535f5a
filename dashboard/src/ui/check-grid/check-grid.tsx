import { useId } from 'react';
import { Checkbox } from '../checkbox/checkbox.tsx';
import styles from './check-grid.module.css';

type Line = { id: string; label: string };

/** A box of the grid, as `row.column`. */
export type CellId = `${string}.${string}`;

export type CheckGridProps = {
  legend: string;
  /** The name of the row that stands for all of them. */
  allLabel: string;
  columns: readonly Line[];
  groups: readonly { label: string; rows: readonly Line[] }[];
  checked: ReadonlySet<string>;
  /** The boxes that may be changed. */
  allowed: ReadonlySet<string>;
  /** Says why some may not be. */
  description?: string;
  /** Is called with the boxes of one column. */
  onChange: (cells: CellId[], checked: boolean) => void;
};

/** Boxes in rows and columns. The first row has one box for each column, which ticks all that may be ticked. */
export function CheckGrid(props: CheckGridProps) {
  const { legend, allLabel, columns, groups, description } = props;
  const id = useId();
  const rows = groups.flatMap((group) => group.rows);
  return (
    <fieldset className={styles.group} aria-describedby={description === undefined ? undefined : id}>
      <legend className={styles.legend}>{legend}</legend>
      {description === undefined ? null : (
        <p id={id} className={styles.description}>
          {description}
        </p>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            {columns.map((column) => (
              <th key={column.id} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{allLabel}</th>
            {columns.map((column) => (
              <td key={column.id}>
                <Box {...props} rows={rows} column={column} label={allLabel} />
              </td>
            ))}
          </tr>
        </tbody>
        {groups.map((group) => (
          <Rows key={group.label} {...props} group={group} />
        ))}
      </table>
    </fieldset>
  );
}

function Rows({ group, ...props }: CheckGridProps & { group: CheckGridProps['groups'][number] }) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={props.columns.length + 1} className={styles.head}>
          {group.label}
        </th>
      </tr>
      {group.rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">{row.label}</th>
          {props.columns.map((column) => (
            <td key={column.id}>
              <Box {...props} rows={[row]} column={column} label={row.label} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

type BoxProps = Pick<CheckGridProps, 'checked' | 'allowed' | 'onChange'> & {
  rows: readonly Line[];
  column: Line;
  label: string;
};

/** The box of a row, or of all. */
function Box({ checked, allowed, onChange, rows, column, label }: BoxProps) {
  const cells = rows.map((row): CellId => `${row.id}.${column.id}`);
  const open = cells.filter((cell) => allowed.has(cell));
  const isChecked = cells.every((cell) => checked.has(cell));
  return (
    <Checkbox
      label={`${label}: ${column.label}`}
      isLabelHidden
      checked={isChecked}
      indeterminate={!isChecked && cells.some((cell) => checked.has(cell))}
      disabled={open.length === 0}
      onChange={() => onChange(open, !open.every((cell) => checked.has(cell)))}
    />
  );
}
