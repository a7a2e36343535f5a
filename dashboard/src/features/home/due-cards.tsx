import type { OverviewDue } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/may.ts';
import { isPositive } from '../../format/amount.ts';
import { useFormat } from '../../format/format.ts';
import { Button } from '../../ui/button/button.tsx';
import { Stat } from '../../ui/stat/stat.tsx';
import styles from './home.module.css';
import { useHomeText } from './text.ts';

const PayNext = lazy(() => import('./pay-next.tsx').then(({ PayNext: dialog }) => ({ default: dialog })));

/** What is due and when, in each currency. */
export function DueCards({ due }: { due: readonly OverviewDue[] }) {
  const t = useHomeText();
  if (due.length === 0) return <Stat label={t('due.title')} value={t('due.none')} hint={t('due.noneHint')} />;
  return due.map((one) => <DueCard key={one.currency} due={one} />);
}

function DueCard({ due }: { due: OverviewDue }) {
  const t = useHomeText();
  const format = useFormat();
  const may = useMay();
  const [isPaying, setIsPaying] = useState(false);
  const { currency, amount, invoices, overdueAmount, nextDueAt } = due;
  const isOverdue = isPositive(overdueAmount);
  const hints = [
    t('due.invoices', { invoices }),
    isOverdue ? t('due.overdue', { amount: format.money(overdueAmount, currency) }) : null,
    nextDueAt === null ? null : t('due.next', { date: format.date(nextDueAt) }),
  ].filter((hint) => hint !== null);
  return (
    <Stat
      label={t('due.title')}
      value={
        <span className={styles.due}>
          {format.money(amount, currency)}
          {may('platform.billing.all') ? (
            <Button variant="primary" onClick={() => setIsPaying(true)}>
              {t('pay')}
            </Button>
          ) : null}
        </span>
      }
      hint={
        <>
          <Link to="/app/invoices" search={{ state: isOverdue ? 'overdue' : 'open', currency }}>
            {hints.join(' · ')}
          </Link>
          <Suspense fallback={null}>
            {isPaying ? <PayNext currency={currency} onClose={() => setIsPaying(false)} /> : null}
          </Suspense>
        </>
      }
    />
  );
}
