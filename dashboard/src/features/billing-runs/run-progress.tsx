import type { BillingRunSummary } from '@paydesk/client';
import { useFormat } from '../../format/format.ts';
import { Progress } from '../../ui/progress/progress.tsx';
import { useBillingRunsText } from './text.ts';

/** How far a billing run is, and how long it will take. */
export function RunProgress({ run }: { run: BillingRunSummary }) {
  const t = useBillingRunsText();
  const format = useFormat();
  const { period, companies, done, invoices, remainingSeconds } = run;
  const counts = t('progress', { done: format.number(done), companies: format.number(companies), invoices });
  return (
    <Progress
      label={t('running', { month: format.month(`${period}-01T00:00:00Z`) })}
      value={companies === 0 ? null : done}
      max={Math.max(companies, 1)}
      detail={remainingSeconds === null ? counts : `${counts}, ${t('left', { seconds: remainingSeconds })}`}
    />
  );
}
