import type { InvoiceWithPayment, Overview, UpcomingInvoice } from '@paydesk/client';
import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { useMay } from '../../api/may.ts';
import { useSession } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { Period } from '../../format/values.tsx';
import { Page } from '../../shell/page.tsx';
import { Stat, Stats } from '../../ui/stat/stat.tsx';
import { Attention } from './attention.tsx';
import { DueCards } from './due-cards.tsx';
import styles from './home.module.css';
import { overviewQuery, recentInvoicesQuery, upcomingInvoiceQuery } from './queries.ts';
import { RecentInvoices } from './recent-invoices.tsx';
import { Setup } from './setup.tsx';
import { useHomeText } from './text.ts';

/** What a company owes, has used and should do, at a glance. */
export function AppHomePage() {
  const t = useHomeText();
  const may = useMay();
  return <Page title={t('title')}>{may('platform.billing.view') ? <BillingHome /> : <OtherHome />}</Page>;
}

function BillingHome() {
  const [overview, upcoming, recent] = useSuspenseQueries({
    queries: [overviewQuery, upcomingInvoiceQuery, recentInvoicesQuery],
  });
  return <HomeParts overview={overview.data} upcoming={upcoming.data} recent={recent.data.data} />;
}

type PartsProps = { overview: Overview; upcoming: UpcomingInvoice; recent: readonly InvoiceWithPayment[] };

function HomeParts({ overview, upcoming, recent }: PartsProps) {
  const session = useSession();
  return (
    <div className={styles.parts}>
      <Attention overview={overview} user={session?.user ?? null} />
      <Setup setup={overview.setup} user={session?.user ?? null} />
      <Stats>
        <DueCards due={overview.due ?? []} />
        <Next upcoming={upcoming} />
        {overview.usage === null ? null : <Usage usage={overview.usage} />}
      </Stats>
      <RecentInvoices invoices={recent} />
    </div>
  );
}

function Next({ upcoming: { total, currency, startAt, endAt } }: { upcoming: UpcomingInvoice }) {
  const t = useHomeText();
  const format = useFormat();
  return (
    <Stat
      label={t('next.title')}
      value={format.money(total, currency)}
      hint={
        <>
          {t('next.asOfNow')} · <Period startAt={startAt} endAt={endAt} />
        </>
      }
    />
  );
}

function Usage({ usage: { thisMonth, lastMonth } }: { usage: NonNullable<Overview['usage']> }) {
  const t = useHomeText();
  const format = useFormat();
  const before = Number(lastMonth);
  const change = before === 0 ? null : (Number(thisMonth) - before) / before;
  return (
    <Stat
      label={t('usage.title')}
      value={format.number(thisMonth)}
      hint={
        change === null
          ? t('usage.last', { quantity: format.number(lastMonth) })
          : t(change < 0 ? 'usage.less' : 'usage.more', {
              change: format.percent(Math.abs(Math.round(change * 100)) / 100),
              quantity: format.number(lastMonth),
            })
      }
    />
  );
}

/** For a role that may not see what is billed. */
function OtherHome() {
  const session = useSession();
  const { data: overview } = useSuspenseQuery(overviewQuery);
  return (
    <div className={styles.parts}>
      <Attention overview={overview} user={session?.user ?? null} />
      <Setup setup={overview.setup} user={session?.user ?? null} />
    </div>
  );
}
