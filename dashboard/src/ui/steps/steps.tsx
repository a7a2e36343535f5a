import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import styles from './steps.module.css';

export type Step = { id: string; title: ReactNode; description?: ReactNode; done: boolean; action?: ReactNode };

/** What is left to do, in its order; the first step that is not done offers its action. */
export function Steps({ items, doneLabel }: { items: readonly Step[]; doneLabel: string }) {
  const next = items.find(({ done }) => !done)?.id;
  return (
    <ol className={styles.steps}>
      {items.map(({ id, title, description, done, action }, index) => (
        <li key={id} className={styles.step} data-done={done || undefined} data-next={id === next || undefined}>
          <span className={styles.mark} aria-hidden="true">
            {done ? <Check strokeWidth={3} /> : index + 1}
          </span>
          <div className={styles.words}>
            <div className={styles.text}>
              <p className={styles.title}>
                {title}
                {done ? <VisuallyHidden> ({doneLabel})</VisuallyHidden> : null}
              </p>
              {description === undefined || done ? null : <p className={styles.description}>{description}</p>}
            </div>
            {done || action === undefined ? null : <div>{action}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
