import type { ReactNode } from 'react';
import styles from './card.module.css';

type Props = { title?: string; description?: ReactNode; actions?: ReactNode; children?: ReactNode; isPadded?: boolean };

/** A part of a page with a border around it. */
export function Card({ title, description, actions, children, isPadded = true }: Props) {
  return (
    <section className={styles.card}>
      {title === undefined ? null : (
        <div className={styles.head}>
          <div>
            <h2 className={styles.title}>{title}</h2>
            {description === undefined ? null : <p className={styles.description}>{description}</p>}
          </div>
          {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children === undefined ? null : <div className={isPadded ? styles.body : undefined}>{children}</div>}
    </section>
  );
}
