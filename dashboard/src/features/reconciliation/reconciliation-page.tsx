import { useQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useFailure } from '../../forms/use-submit.ts';
import { CsvButton } from '../../lists/csv-button.tsx';
import { toInstants } from '../../lists/days.ts';
import { Filters } from '../../lists/filters.tsx';
import { useListsText } from '../../lists/text.ts';
import { useListSearch } from '../../lists/use-list-search.ts';
import { Page } from '../../shell/page.tsx';
import { ErrorState } from '../../ui/error-state/error-state.tsx';
import { TableSkeleton } from '../../ui/skeleton/table-skeleton.tsx';
import { Differences } from './differences.tsx';
import styles from './reconciliation-page.module.css';
import { useReconciliationText } from './text.ts';

/** The ledger beside a gateway's books, for some days; the month so far unless the address says otherwise. */
export function ReconciliationPage() {
  const t = useReconciliationText();
  const words = useListsText();
  const list = useListSearch();
  const failureOf = useFailure();
  const { from = monthStart(), to = new Date().toISOString().slice(0, 10), gateway, cursor } = list.search;
  const period = untilNow(toInstants({ from, to }));
  const answer = useQuery({
    queryKey: ['reconciliation', from, to, gateway, cursor],
    queryFn: ({ signal }) => paydesk().operator.reconciliation.get({ ...period, gateway, cursor }, { signal }),
  });
  const failure = answer.isError ? failureOf(answer.error) : null;
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <CsvButton
          fileName="reconciliation.csv"
          read={() => paydesk().operator.reconciliation.csv({ ...period, gateway })}
        />
      }
    >
      <div className={styles.parts}>
        <Filters
          list={{ ...list, search: { ...list.search, from, to } }}
          filters={[
            { kind: 'date', name: 'from', label: words('words.from') },
            { kind: 'date', name: 'to', label: words('words.to') },
            { kind: 'text', name: 'gateway', label: words('words.gateway') },
          ]}
        />
        {failure !== null ? (
          <ErrorState
            title={words('failed')}
            message={failure.message ?? Object.values(failure.errors).join(' ')}
            requestId={failure.requestId}
            requestIdLabel={words('requestId')}
            retryLabel={words('retry')}
            onRetry={() => void answer.refetch()}
          />
        ) : answer.data === undefined ? (
          <TableSkeleton columns={4} rows={4} />
        ) : (
          <Differences answer={answer.data} onMore={(next) => list.change({ from, to, cursor: next })} />
        )}
      </div>
    </Page>
  );
}

/** The first day of this month, in UTC. */
function monthStart(): string {
  return `${new Date().toISOString().slice(0, 7)}-01`;
}

/** Today is compared until now, which is what the API does without an end. */
function untilNow({ from, to }: { from: string; to: string }) {
  return Date.parse(to) > Date.now() ? { from } : { from, to };
}
