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
  // The dialog stays with its outcome when what it has paid is no longer due.
  const [paying, setPaying] = useState<string | null>(null);
  return (
    <>
      {due.length === 0 ? <Stat label={t('due.title')} value={t('due.none')} hint={t('due.noneHint')} /> : null}
      {due.map((one) => (
        <DueCard key={one.currency} due={one} onPay={() => setPaying(one.currency)} />
      ))}
      <Suspense fallback={null}>
        {paying === null ? null : <PayNext currency={paying} onClose={() => setPaying(null)} />}
      </Suspense>
    </>
  );
}

function DueCard({ due, onPay }: { due: OverviewDue; onPay: () => void }) {
  const t = useHomeText();
  const format = useFormat();
  const may = useMay();
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
            <Button variant="primary" onClick={onPay}>
              {t('pay')}
            </Button>
          ) : null}
        </span>
      }
      hint={
        <Link to="/app/invoices" search={{ state: isOverdue ? 'overdue' : 'open', currency }}>
          {hints.join(' · ')}
        </Link>
      }
    />
  );
}
