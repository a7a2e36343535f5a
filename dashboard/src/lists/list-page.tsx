import { isPaydeskError } from '@paydesk/client';
import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { Page } from '../shell/page.tsx';
import { Banner } from '../ui/banner/banner.tsx';
import { Button } from '../ui/button/button.tsx';
import { EmptyState } from '../ui/empty-state/empty-state.tsx';
import { ErrorState } from '../ui/error-state/error-state.tsx';
import { TableSkeleton } from '../ui/skeleton/table-skeleton.tsx';
import type { BulkOptions } from './bulk/bulk.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { useBulk } from './bulk/use-bulk.ts';
import { type Selection, useSelection } from './bulk/use-selection.ts';
import { ChooseColumns, useShownColumns } from './choose-columns.tsx';
import { CsvButton, type CsvFile } from './csv-button.tsx';
import { Filters } from './filters.tsx';
import styles from './list-page.module.css';
import { ListTable } from './list-table.tsx';
import { Pages } from './pages.tsx';
import { useListsText } from './text.ts';
import type { Column, Filter, ListAnswer } from './types.ts';
import { type ListSearch, useListSearch } from './use-list-search.ts';

export type ListProps<Row> = {
  /** Names the list for the choice of columns; unique among all lists. */
  name: string;
  /** The caption of the table, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  filters?: readonly Filter[];
  /** Reads the page that the search part of the address asks for. */
  read: (search: ListSearch['search'], options: { signal: AbortSignal }) => Promise<ListAnswer<Row>>;
  queryKey: QueryKey;
  rowId: (row: Row) => string;
  /** Makes the link of a row around the content of its first cell. */
  rowLink?: (row: Row, children: ReactNode) => ReactNode;
  /** What to say, and what to do, while there is nothing at all. */
  empty: { title: string; text: ReactNode; action?: ReactNode };
  csv?: CsvFile;
  /** Stands between the filters and the table, such as the progress of what the list shows. */
  before?: (answer: ListAnswer<Row>) => ReactNode;
  /** What can be done with several rows at once. */
  bulk?: BulkOptions<Row>;
  /** While it returns true, the list is read again every few seconds. */
  isMoving?: (answer: ListAnswer<Row>) => boolean;
};

const MOVING_INTERVAL_MS = 2_000;

/** A page that is a list: heading, actions, filters, table, pages. */
export function ListPage<Row>({
  title,
  description,
  actions,
  above,
  below,
  ...list
}: ListProps<Row> & {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
  below?: ReactNode;
}) {
  return (
    <Page
      title={title}
      description={description}
      above={above}
      actions={
        <>
          {list.csv === undefined ? null : <CsvButton {...list.csv} />}
          {actions}
        </>
      }
    >
      <List {...list} />
      {below === undefined ? null : <div className={styles.below}>{below}</div>}
    </Page>
  );
}

/** A list with its filters and pages, on a page of its own or in a part of one. */
export function List<Row>(props: ListProps<Row>) {
  const { name, columns, filters = [], read, queryKey, isMoving, bulk, rowId } = props;
  const list = useListSearch();
  const selection = useSelection(rowId);
  const { shown, choose } = useShownColumns(name, columns);
  const answer = useQuery({
    queryKey: [...queryKey, list.search],
    queryFn: ({ signal }) => read(list.search, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isMoving?.(data) === true ? MOVING_INTERVAL_MS : false,
  });
  return (
    <section className={styles.list}>
      <div className={styles.tools}>
        {filters.length === 0 ? <span /> : <Filters filters={filters} list={list} />}
        <ChooseColumns columns={columns} shown={shown} onChoose={choose} />
      </div>
      <Rows {...props} columns={shown} answer={answer} list={list} selection={selection} />
      {bulk === undefined ? null : <ManyAtOnce {...{ ...props, bulk, selection }} rows={answer.data?.data ?? []} />}
    </section>
  );
}

type ManyProps<Row> = Pick<ListProps<Row>, 'name' | 'queryKey' | 'rowId'> & {
  bulk: BulkOptions<Row>;
  selection: Selection<Row>;
  rows: readonly Row[];
};

function ManyAtOnce<Row>({ name, queryKey, rowId, bulk: { actions, nameOf }, selection, rows }: ManyProps<Row>) {
  const t = useListsText();
  const run = useBulk(name, actions, queryKey);
  const seen = useRef(new Map<string, string>());
  for (const row of [...rows, ...selection.rows.values()]) seen.current.set(rowId(row), nameOf(row));
  return <BulkBar {...{ actions, run, selection }} nameOf={(id) => seen.current.get(id) ?? t('bulk.record')} />;
}

type RowsProps<Row> = ListProps<Row> & {
  answer: UseQueryResult<ListAnswer<Row>>;
  list: ListSearch;
  selection: Selection<Row>;
};

function Rows<Row>({ answer, list, ...props }: RowsProps<Row>) {
  const t = useListsText();
  const { filters = [], columns, empty } = props;
  if (answer.isError)
    return <Failed error={answer.error} filters={filters} list={list} onRetry={() => void answer.refetch()} />;
  if (answer.data === undefined) return <TableSkeleton columns={columns.length} rows={8} />;
  const isFiltered = filters.some(({ name }) => (list.search[name] ?? '') !== '');
  if (answer.data.data.length === 0 && isFiltered)
    return <EmptyState title={t('noMatch')}>{t('noMatchHint')}</EmptyState>;
  if (answer.data.data.length === 0 && (answer.data.total ?? 0) === 0)
    return (
      <EmptyState title={empty.title} action={empty.action}>
        {empty.text}
      </EmptyState>
    );
  return (
    <>
      {props.before?.(answer.data)}
      <ListTable {...props} rows={answer.data.data} list={list} isStale={answer.isPlaceholderData} />
      <Pages answer={answer.data} list={list} />
    </>
  );
}

type FailedProps = { error: Error; filters: readonly Filter[]; list: ListSearch; onRetry: () => void };

/** A wrong value in the address is explained and can be cleared; other failures can be tried again. */
function Failed({ error, filters, list, onRetry }: FailedProps) {
  const t = useListsText();
  const refusal = isPaydeskError(error) ? error : null;
  if (refusal?.status === 400) {
    const all = [...filters.map(({ name }) => name), 'page', 'perPage', 'cursor', 'sort'];
    const clear = () => list.change({ ...Object.fromEntries(all.map((name) => [name, undefined])), page: undefined });
    return (
      <Banner
        tone="warning"
        title={t('wrongFilter')}
        action={
          <Button size="small" onClick={clear}>
            {t('clear')}
          </Button>
        }
      >
        {refusal.details.map(({ message }) => message).join(' ') || refusal.message}
      </Banner>
    );
  }
  return <LoadFailed error={error} onRetry={onRetry} />;
}

/** Stands where something of a list or a record could not be loaded. */
export function LoadFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useListsText();
  if (isPaydeskError(error) && error.status === 403)
    return <EmptyState title={t('forbidden')}>{t('forbiddenHint')}</EmptyState>;
  return (
    <ErrorState
      title={t('failed')}
      message={error.message}
      requestId={(isPaydeskError(error) ? error.requestId : null) ?? undefined}
      requestIdLabel={t('requestId')}
      retryLabel={t('retry')}
      onRetry={onRetry}
    />
  );
}
