import type { Recovery } from '@paydesk/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { Page } from '../../shell/page.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Description } from '../../ui/description/description.tsx';
import { Cases } from './cases.tsx';
import styles from './recovery-page.module.css';
import { useRecoveryText } from './text.ts';

const REFRESH_INTERVAL_MS = 5_000;

/** What a restore left to do, with the commands. */
export function RecoveryPage() {
  const t = useRecoveryText();
  const { data } = useSuspenseQuery({
    queryKey: ['recovery'],
    queryFn: ({ signal }) => paydesk().operator.recovery.get({ signal }),
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  return (
    <Page title={t('title')} description={t('description')}>
      <div className={styles.parts}>
        {data.hold === null ? (
          <Banner tone="success" title={t('calm')}>
            {t('calmText')}
          </Banner>
        ) : (
          <Hold hold={data.hold} />
        )}
        <Journals journals={data.journals} />
        <h2>{t('cases')}</h2>
        <Cases />
      </div>
    </Page>
  );
}

function Hold({ hold: { reason, since, until, lastPassAt } }: { hold: NonNullable<Recovery['hold']> }) {
  const t = useRecoveryText();
  return (
    <>
      <Banner tone="danger" title={t('held')}>
        {reason}
      </Banner>
      <Card title={t('steps')}>
        <ol className={styles.steps}>
          <li>
            {t('stepAdopt')} <code>npm run paydesk -- reconcile --adopt</code>
          </li>
          <li>{t('stepCases')}</li>
        </ol>
        <Description
          items={[
            { term: t('since'), value: <Instant value={since} /> },
            { term: t('until'), value: <Instant value={until} /> },
            { term: t('lastPass'), value: lastPassAt === null ? '–' : <Instant value={lastPassAt} /> },
          ]}
        />
      </Card>
    </>
  );
}

function Journals({ journals }: { journals: Recovery['journals'] }) {
  const t = useRecoveryText();
  if (journals.length === 0) return null;
  return (
    <Card title={t('journals')}>
      <Description
        items={journals.map(({ host, directory, seenAt, missing }) => ({
          term: host,
          value: (
            <>
              <code>{directory}</code>{' '}
              <Badge tone={missing ? 'danger' : 'success'}>{missing ? t('missing') : t('complete')}</Badge> {t('seen')}{' '}
              <Instant value={seenAt} />
            </>
          ),
        }))}
      />
    </Card>
  );
}
