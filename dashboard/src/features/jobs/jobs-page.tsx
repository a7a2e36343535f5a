import type { BackgroundJob } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge, type Tone } from '../../ui/badge/badge.tsx';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { RetryButton } from './retry-button.tsx';
import { useJobsText } from './text.ts';

const TONES: Record<BackgroundJob['state'], Tone> = {
  due: 'neutral',
  running: 'info',
  late: 'warning',
  failing: 'danger',
};

/** What runs in the background. */
export function JobsPage() {
  const t = useJobsText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="jobs"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['jobs']}
      read={(search, options) => paydesk().operator.jobs.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<BackgroundJob>[] {
  const t = useJobsText();
  const words = useListsText();
  return [
    { id: 'kind', header: t('kind'), cell: ({ kind }) => t(`kinds.${kind as 'payments'}`) },
    {
      id: 'state',
      header: words('words.status'),
      cell: ({ state }) => <Badge tone={TONES[state]}>{t(`statuses.${state}`)}</Badge>,
    },
    {
      id: 'company',
      header: words('words.company'),
      cell: (row) => <NamedCompanyLink company={row} />,
      isActive: true,
    },
    { id: 'attempts', header: words('words.attempts'), cell: ({ attempts }) => attempts, isNumeric: true },
    {
      id: 'next',
      header: words('words.nextAttempt'),
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? null : <Instant value={nextAttemptAt} />),
    },
    { id: 'error', header: words('words.error'), cell: ({ error }) => error },
    { id: 'retry', header: '', cell: ({ id }) => <RetryButton id={id} />, isActive: true },
  ];
}

function useFilters(): Filter[] {
  const t = useJobsText();
  const words = useListsText();
  return [
    {
      kind: 'choice',
      name: 'state',
      label: words('words.status'),
      options: [
        { value: 'due', label: t('statuses.due') },
        { value: 'running', label: t('statuses.running') },
        { value: 'late', label: t('statuses.late') },
        { value: 'failing', label: t('statuses.failing') },
      ],
    },
    {
      kind: 'choice',
      name: 'kind',
      label: t('kind'),
      options: [
        { value: 'payments', label: t('kinds.payments') },
        { value: 'gateway_events', label: t('kinds.gateway_events') },
        { value: 'refunds', label: t('kinds.refunds') },
        { value: 'usage_attributions', label: t('kinds.usage_attributions') },
        { value: 'usage_thresholds', label: t('kinds.usage_thresholds') },
        { value: 'billing_runs', label: t('kinds.billing_runs') },
        { value: 'billing_previews', label: t('kinds.billing_previews') },
        { value: 'schedules', label: t('kinds.schedules') },
        { value: 'mails', label: t('kinds.mails') },
        { value: 'webhooks', label: t('kinds.webhooks') },
        { value: 'collections', label: t('kinds.collections') },
        { value: 'source_detachment', label: t('kinds.source_detachment') },
      ],
    },
  ];
}
