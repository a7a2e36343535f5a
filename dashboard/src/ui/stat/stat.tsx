import type { ReactNode } from 'react';
import styles from './stat.module.css';

type Props = {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  /** How the figure has changed, in words, and whether that is good. */
  trend?: { text: ReactNode; tone: 'success' | 'danger' | 'neutral' };
};

/** A figure with what it counts. */
export function Stat({ label, value, hint, trend }: Props) {
  return (
    <div className={styles.stat}>
      <p className={styles.label}>{label}</p>
      <div className={styles.value}>{value}</div>
      {trend === undefined ? null : (
        <p className={styles.trend} data-tone={trend.tone}>
          {trend.text}
        </p>
      )}
      {hint === undefined ? null : <p className={styles.hint}>{hint}</p>}
    </div>
  );
}

/** Figures beside each other where there is room. */
export function Stats({ children }: { children: ReactNode }) {
  return <div className={styles.stats}>{children}</div>;
}
