import type { AuditEntry } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { useAuditLogText } from './text.ts';

/** Who changed what in the company. */
export function AuditLogPage() {
  const t = useAuditLogText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="audit-log"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['company-audit-log']}
      read={(search, options) => paydesk().company.auditLog.list({ per_page: 25, ...search }, options)}
      rowId={({ id }) => id}
      csv={{ fileName: 'audit-log.csv', read: (search) => paydesk().company.auditLog.csv(search) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<AuditEntry>[] {
  const t = useAuditLogText();
  const words = useListsText();
  return [
    { id: 'action', header: words('words.action'), cell: ({ action }) => <code>{action}</code> },
    { id: 'at', header: words('words.at'), cell: ({ at }) => <Instant value={at} /> },
    { id: 'actor', header: words('words.actor'), cell: ({ actor }) => actor.name || t(`actors.${actor.kind}`) },
    { id: 'target', header: words('words.target'), cell: ({ target }) => target?.name || target?.kind },
    {
      id: 'changes',
      header: t('changes'),
      cell: ({ changes }) => (changes === null ? null : <code>{JSON.stringify(changes.after)}</code>),
      isOptional: true,
    },
    { id: 'requestId', header: words('words.requestId'), cell: ({ request_id }) => request_id, isOptional: true },
  ];
}

function useFilters(): Filter[] {
  const words = useListsText();
  return [
    { kind: 'search', name: 'request_id', label: words('words.requestId') },
    { kind: 'text', name: 'action', label: words('words.action') },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
  ];
}
