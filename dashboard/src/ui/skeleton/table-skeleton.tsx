import styles from './skeleton.module.css';

/** Stands for a table that loads, with rows as high as its own. */
export function TableSkeleton({ columns, rows }: { columns: number; rows: number }) {
  const indexes = (length: number) => Array.from({ length }, (_, index) => index);
  return (
    <div aria-busy="true" className={styles.table}>
      {indexes(rows + 1).map((row) => (
        <div key={row} className={styles.row}>
          {indexes(columns).map((column) => (
            <span key={column} className={styles.line} />
          ))}
        </div>
      ))}
    </div>
  );
}
