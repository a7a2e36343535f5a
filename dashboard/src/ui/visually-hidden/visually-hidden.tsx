import type { ReactNode } from 'react';
import styles from './visually-hidden.module.css';

/** A text for whoever hears the page. */
export function VisuallyHidden({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className={styles.hidden}>
      {children}
    </span>
  );
}
