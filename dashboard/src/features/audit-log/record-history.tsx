import type { AuditEntry, OperatorAuditEntry } from '@paydesk/client';
import { useQuery } from '@tanstack/react-query';
import { History, Pencil, Plus, X } from 'lucide-react';
import { paydesk, useSession } from '../../api/session.ts';
import { ActionName } from '../../codes/action-name.tsx';
import { Instant } from '../../format/values.tsx';
import { useFormsText } from '../../forms/text.ts';
import { LoadFailed } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import { EmptyState } from '../../ui/empty-state/empty-state.tsx';
import { SidePanel } from '../../ui/side-panel/side-panel.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { Timeline, type TimelineItem } from '../../ui/timeline/timeline.tsx';
import styles from './record-history.module.css';
import { useAuditLogText } from './text.ts';

export type HistoryOf = {
  /** The record, and what belongs to it, such as the payments of an invoice. */
  ids: readonly string[];
  /** How people know the record. */
  name: string;
};

type Entry = AuditEntry | OperatorAuditEntry;

/** The newest entries about each record that are read. */
const MOST = 50;

/** What the audit log has about a record, newest first. */
export function RecordHistory({ ids, name, onClose }: HistoryOf & { onClose: () => void }) {
  const t = useAuditLogText();
  const forms = useFormsText();
  const words = useListsText();
  const isOperator = useSession()?.operatorRole != null;
  const answer = useQuery({
    queryKey: ['history', isOperator, ...ids],
    queryFn: async ({ signal }) => {
      const parts = await Promise.all(ids.map((id) => readEntries(isOperator, id, { signal })));
      return parts.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1));
    },
  });
  return (
    <SidePanel open onClose={onClose} title={words('history')} description={name} closeLabel={forms('close')}>
      {answer.isError ? (
        <LoadFailed error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data === undefined ? (
        <Skeleton lines={6} />
      ) : answer.data.length === 0 ? (
        <EmptyState title={t('noHistory')}>{t('noHistoryText')}</EmptyState>
      ) : (
        <Entries entries={answer.data} />
      )}
    </SidePanel>
  );
}

async function readEntries(isOperator: boolean, target: string, options: { signal: AbortSignal }): Promise<Entry[]> {
  const { data } = isOperator
    ? await paydesk().operator.auditLog.list({ perPage: MOST, target }, options)
    : await paydesk().company.auditLog.list({ per_page: MOST, target }, options);
  return data;
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const t = useAuditLogText();
  const items = entries.map(
    ({ id, at, action, actor, changes }): TimelineItem => ({
      id,
      ...lookOf(action),
      title: <ActionName action={action} />,
      time: (
        <>
          {actor.name || t(`actors.${actor.kind}`)} · <Instant value={at} />
        </>
      ),
      children: changes === null ? undefined : <Changes {...changes} />,
    }),
  );
  return <Timeline items={items} />;
}

function lookOf(action: string): Pick<TimelineItem, 'tone' | 'icon'> {
  if (/\.(created|added|enabled|granted|accepted)$/.test(action))
    return { tone: 'success', icon: <Plus aria-hidden="true" /> };
  if (/\.(deleted|voided|failed|ended|disabled)$/.test(action))
    return { tone: 'danger', icon: <X aria-hidden="true" /> };
  if (action.endsWith('.updated')) return { tone: 'info', icon: <Pencil aria-hidden="true" /> };
  return { tone: 'neutral', icon: <History aria-hidden="true" /> };
}

/** The changed fields by their names in the API, for whoever opens them. */
function Changes({ before, after }: NonNullable<Entry['changes']>) {
  const t = useAuditLogText();
  const names = Object.keys({ ...before, ...after });
  const isUpdate = names.some((name) => name in before && name in after);
  return (
    <details>
      <summary className={styles.summary}>{t(isUpdate ? 'changedFields' : 'fields', { count: names.length })}</summary>
      <dl className={styles.changes}>
        {names.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name in before ? <del>{textOf(before[name])}</del> : null}{' '}
              {name in after ? <ins>{textOf(after[name])}</ins> : null}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
