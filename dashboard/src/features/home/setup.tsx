import type { OverviewSetup, UserProfile } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { Card } from '../../ui/card/card.tsx';
import styles from './home.module.css';
import { useHomeText } from './text.ts';

type Step = {
  id: 'email' | 'address' | 'card' | 'billingInformation' | 'colleague';
  isDone: boolean | null;
  to: string;
};

/** What is left to set up, until it is done. Steps that the role may not see are left out. */
export function Setup({ setup, user }: { setup: OverviewSetup; user: UserProfile | null }) {
  const t = useHomeText();
  const all: Step[] = [
    { id: 'email', isDone: user?.email_verified ?? null, to: '/app' },
    { id: 'address', isDone: setup.address, to: '/app/payment-methods' },
    { id: 'card', isDone: setup.card, to: '/app/payment-methods' },
    { id: 'billingInformation', isDone: setup.billingInformation, to: '/app/billing-information' },
    { id: 'colleague', isDone: setup.colleague, to: '/app/team' },
  ];
  const steps = all.filter(({ isDone }) => isDone !== null);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Card
      title={t('setup.title')}
      description={t('setup.progress', { done: String(done), steps: String(steps.length) })}
    >
      <ol className={styles.steps}>
        {steps.map(({ id, isDone, to }) => (
          <li key={id} className={styles.step} data-done={isDone || undefined}>
            {isDone ? <CircleCheck aria-hidden="true" /> : <CircleDashed aria-hidden="true" />}
            <div>
              {isDone || to === '/app' ? (
                <p className={styles.stepName}>
                  {t(`setup.${id}`)}
                  {isDone ? <span className={styles.hidden}> {t('setup.done')}</span> : null}
                </p>
              ) : (
                <Link to={to as '/app'} className={styles.stepName}>
                  {t(`setup.${id}`)}
                </Link>
              )}
              {isDone ? null : <p className={styles.muted}>{t(`setup.${id}Text`)}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
