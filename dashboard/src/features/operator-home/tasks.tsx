import type { OperatorOverview } from '@paydesk/client';
import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './operator-home-page.module.css';
import { useOperatorHomeText } from './text.ts';

type Task = 'reviews' | 'disputes' | 'alerts' | 'jobs' | 'mails' | 'endpoints';

/** Where a person does something about each. */
const PAGES: Record<Task, LinkProps['to']> = {
  reviews: '/console/payments',
  disputes: '/console/disputes',
  alerts: '/console/alerts',
  jobs: '/console/jobs',
  mails: '/console/emails',
  endpoints: '/console/webhooks',
};

/** What a person has to look at. */
export function Tasks({ overview }: { overview: OperatorOverview }) {
  const t = useOperatorHomeText();
  const open = (Object.keys(PAGES) as Task[]).filter((task) => overview[task] > 0);
  if (open.length === 0) return <p className={styles.quiet}>{t('nothing')}</p>;
  return (
    <ul className={styles.tasks}>
      {open.map((task) => (
        <li key={task}>
          <Link to={PAGES[task]}>{t(`tasks.${task}`, { count: overview[task] })}</Link>
        </li>
      ))}
    </ul>
  );
}
