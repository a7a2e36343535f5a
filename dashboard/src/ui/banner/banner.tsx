import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from '../badge/badge.tsx';
import styles from './banner.module.css';

const ICONS = { neutral: Info, info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

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
  const Icon = ICONS[tone];
  return (
    <div className={`${styles.banner} ${styles[tone]}`}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <div className={styles.text}>
          {title === undefined ? null : <p className={styles.title}>{title}</p>}
          {children === undefined ? null : <div>{children}</div>}
        </div>
        {action === undefined ? null : <div className={styles.action}>{action}</div>}
      </div>
    </div>
  );
}
