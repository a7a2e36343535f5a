import { paydesk } from '../../api/session.ts';
import { gatewayName } from '../../format/gateways.ts';
import { useFailure } from '../../forms/use-submit.ts';
import { CsvButton } from '../../lists/csv-button.tsx';
import { toInstants } from '../../lists/days.ts';
import { Filters } from '../../lists/filters.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Filter } from '../../lists/types.ts';
import { useListSearch } from '../../lists/use-list-search.ts';
import { Page } from '../../shell/page.tsx';
import { ErrorState } from '../../ui/error-state/error-state.tsx';
import { TableSkeleton } from '../../ui/skeleton/table-skeleton.tsx';
import { Differences } from './differences.tsx';
import styles from './reconciliation-page.module.css';
import { useReconciliationText } from './text.ts';
import { useComparison } from './use-comparison.ts';

/** The ledger beside a gateway's books, for some days; the month so far unless the address says otherwise. */
export function ReconciliationPage() {
  const t = useReconciliationText();
  const words = useListsText();
  const list = useListSearch();
  const { from = monthStart(), to = new Date().toISOString().slice(0, 10), gateway } = list.search;
  const period = untilNow(toInstants({ from, to }));
  const { comparison, error, retry } = useComparison(period, gateway);
  const gateways = comparison?.gateways ?? [];
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
            ...(gateways.length > 1 ? [gatewayFilter(words('words.gateway'), gateways)] : []),
          ]}
        />
        {error === null ? null : <Failed error={error} retry={retry} />}
        {comparison !== null ? (
          <Differences comparison={comparison} isComparing={error === null && !comparison.isOver} />
        ) : error === null ? (
          <TableSkeleton columns={4} rows={4} />
        ) : null}
      </div>
    </Page>
  );
}

/** Each gateway has books of its own; the first is compared unless another is chosen. */
function gatewayFilter(label: string, [first = '', ...others]: readonly string[]): Filter {
  const options = others.map((value) => ({ value, label: gatewayName(value) }));
  return { kind: 'choice', name: 'gateway', label, options, noneLabel: gatewayName(first) };
}

function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useReconciliationText();
  const words = useListsText();
  const failure = useFailure()(error);
  return (
    <ErrorState
      title={t('stopped')}
      message={failure.message ?? Object.values(failure.errors).join(' ')}
      requestId={failure.requestId}
      requestIdLabel={words('requestId')}
      retryLabel={words('retry')}
      onRetry={retry}
    />
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
