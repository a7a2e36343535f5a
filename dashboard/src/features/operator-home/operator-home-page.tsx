import type { OperatorOverview } from '@paydesk/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Money } from '../../format/values.tsx';
import { Page } from '../../shell/page.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Stat, Stats } from '../../ui/stat/stat.tsx';
import { Aging } from './aging.tsx';
import { Months } from './months.tsx';
import styles from './operator-home-page.module.css';
import { Setup } from './setup.tsx';
import { Tasks } from './tasks.tsx';
import { useOperatorHomeText } from './text.ts';

const REFRESH_INTERVAL_MS = 30_000;

/** What the operator's people look at first: what needs a person, what is due, and the months. */
export function OperatorHomePage() {
  const t = useOperatorHomeText();
  const { data: overview } = useSuspenseQuery({
    queryKey: ['operator-overview'],
    queryFn: ({ signal }) => paydesk().operator.overview.get({ signal }),
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  return (
    <Page title={t('title')}>
      <div className={styles.parts}>
        {overview.hold === null ? null : (
          <Banner
            tone="danger"
            title={t('hold')}
            action={
              <Link to="/console/recovery" className={buttonClass({ size: 'small' })}>
                {t('holdAction')}
              </Link>
            }
          />
        )}
        <Setup setup={overview.setup} />
        <Card title={t('attention')}>
          <Tasks overview={overview} />
        </Card>
        <Amounts overview={overview} />
        {overview.months.length === 0 ? null : <Months months={overview.months} />}
        {overview.overdue.length === 0 ? null : <Aging rows={overview.overdue} />}
      </div>
    </Page>
  );
}

function Amounts({ overview: { due, failed } }: { overview: OperatorOverview }) {
  const t = useOperatorHomeText();
  if (due.length === 0) return null;
  return (
    <Stats>
      {due.map(({ currency, amount, invoices }) => (
        <Stat
          key={`due ${currency}`}
          label={t('due')}
          value={<Money amount={amount} currency={currency} />}
          hint={
            <Link to="/console/invoices" search={{ state: 'open' }}>
              {t('invoices', { count: invoices })}
            </Link>
          }
        />
      ))}
      {failed.map(({ currency, amount, invoices }) => (
        <Stat
          key={`failed ${currency}`}
          label={t('failed')}
          value={<Money amount={amount} currency={currency} />}
          hint={
            <Link to="/console/invoices" search={{ status: 'Failed' }}>
              {t('invoices', { count: invoices })}
            </Link>
          }
        />
      ))}
    </Stats>
  );
}
