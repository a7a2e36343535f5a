import type { ReactNode } from 'react';
import styles from './description.module.css';

/** Facts about a record: each term with its value. */
export function Description({ items }: { items: readonly { term: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.description}>
      {items.map(({ term, value }) => (
        <div key={term} className={styles.item}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
