import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page.module.css';

/**
 * What stands between the navigation and the end of a page: one heading, its actions and the content. A change of page moves the focus to
 * the heading, so that keyboard and screen reader begin there.
 *
 * @param title - the heading; `documentTitle` differs where the heading alone would not say what the page is
 */
export function Page({
  title,
  documentTitle = title,
  description,
  above,
  badge,
  actions,
  children,
}: {
  title: string;
  documentTitle?: string;
  description?: ReactNode;
  /** Above the heading: the way back to the list. */
  above?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${documentTitle} · Paydesk`;
  }, [documentTitle]);
  useEffect(() => {
    // The first page that is loaded keeps the focus where the browser has it: at its beginning.
    if (history.state?.__TSR_index > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header className={styles.header}>
        {above === undefined ? null : <div className={styles.above}>{above}</div>}
        <div className={styles.row}>
          <div className={styles.titles}>
            <h1 className={styles.title} ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {badge}
          </div>
          {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        </div>
        {description === undefined ? null : <p className={styles.description}>{description}</p>}
      </header>
      {children}
    </>
  );
}
