import type { ReactNode } from 'react';
import type { Tone } from '../badge/badge.tsx';
import styles from './banner.module.css';

/** Something to know about the page or a form, with what to do about it. */
export function Banner({
  tone,
  title,
  action,
  children,
}: {
  tone: Tone;
  title?: string;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={`${styles.banner} ${styles[tone]}`}>
      <div className={styles.text}>
        {title === undefined ? null : <p className={styles.title}>{title}</p>}
        {children === undefined ? null : <div>{children}</div>}
      </div>
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
