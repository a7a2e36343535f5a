import { type ReactNode, useEffect } from 'react';
import styles from './public-page.module.css';
import { serviceFacts } from './service-facts.ts';
import { useShellText } from './text.ts';

/** A page for whoever is not logged in: one narrow column. */
export function PublicPage({
  title,
  description,
  children,
  below,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}) {
  const t = useShellText();
  useEffect(() => {
    document.title = `${title} · Paydesk`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <span className={styles.mark} aria-hidden="true" />
        Paydesk
      </div>
      <div className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {description === undefined ? null : <p className={styles.description}>{description}</p>}
        {children}
      </div>
      {below === undefined ? null : <div className={styles.below}>{below}</div>}
      {serviceFacts().isSandbox ? <p className={styles.sandbox}>{t('sandbox')}</p> : null}
    </main>
  );
}
