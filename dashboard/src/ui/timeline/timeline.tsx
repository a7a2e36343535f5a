import type { ReactNode } from 'react';
import type { Tone } from '../badge/badge.tsx';
import styles from './timeline.module.css';

export type TimelineItem = {
  id: string;
  tone: Tone;
  icon?: ReactNode;
  title: ReactNode;
  time: ReactNode;
  children?: ReactNode;
};

/** What has happened, or will, in its order. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className={styles.timeline}>
      {items.map(({ id, tone, icon, title, time, children }) => (
        <li key={id} className={styles.item}>
          <span className={`${styles.mark} ${styles[tone]}`} aria-hidden="true">
            {icon}
          </span>
          <div className={styles.text}>
            <p className={styles.title}>{title}</p>
            <p className={styles.time}>{time}</p>
            {children === undefined ? null : <div className={styles.more}>{children}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
