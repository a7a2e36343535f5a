import type { ReactNode } from 'react';
import styles from './stat.module.css';

/** A figure with what it counts. */
export function Stat({ label, value, hint }: { label: ReactNode; value: ReactNode; hint?: ReactNode }) {
  return (
    <div className={styles.stat}>
      <p className={styles.label}>{label}</p>
      <div className={styles.value}>{value}</div>
      {hint === undefined ? null : <p className={styles.hint}>{hint}</p>}
    </div>
  );
}

/** Figures beside each other where there is room. */
export function Stats({ children }: { children: ReactNode }) {
  return <div className={styles.stats}>{children}</div>;
}
