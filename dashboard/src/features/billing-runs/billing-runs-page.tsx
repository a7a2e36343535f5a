import type { BillingRunSummary } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge, type Tone } from '../../ui/badge/badge.tsx';
import { RunProgress } from './run-progress.tsx';
import { StartRun } from './start-run.tsx';
import { useBillingRunsText } from './text.ts';

const TONES: Record<BillingRunSummary['status'], Tone> = {
  running: 'info',
  waiting: 'info',
  done: 'success',
  failed: 'danger',
};

/** The billing runs, with what a running one has done so far. */
export function BillingRunsPage() {
  const t = useBillingRunsText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="billing-runs"
      caption={t('title')}
      columns={useColumns()}
      queryKey={['billing-runs']}
      read={(search, options) => paydesk().operator.billingRuns.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      actions={<StartRun />}
      before={({ data }) => data.filter(isMoving).map((run) => <RunProgress key={run.id} run={run} />)}
      isMoving={({ data }) => data.some(isMoving)}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<BillingRunSummary>[] {
  const t = useBillingRunsText();
  const words = useListsText();
  const format = useFormat();
  return [
    { id: 'period', header: words('words.month'), cell: ({ period }) => format.month(`${period}-01T00:00:00Z`) },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>,
    },
    { id: 'begun', header: t('begun'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    { id: 'companies', header: t('companies'), cell: ({ companies }) => format.number(companies), isNumeric: true },
    { id: 'invoices', header: t('invoices'), cell: ({ invoices }) => format.number(invoices), isNumeric: true },
    { id: 'failures', header: t('failures'), cell: ({ failures }) => format.number(failures), isNumeric: true },
  ];
}

function isMoving({ status }: BillingRunSummary): boolean {
  return status === 'running' || status === 'waiting';
}
