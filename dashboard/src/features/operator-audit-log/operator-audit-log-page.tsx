import type { OperatorAuditEntry } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { CompanyLink } from '../companies/company-link.tsx';
import { useOperatorAuditLogText } from './text.ts';

/** Who changed what, in all companies and at the operator. */
export function OperatorAuditLogPage() {
  const t = useOperatorAuditLogText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="operator-audit-log"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['audit-log']}
      read={(search, options) => paydesk().operator.auditLog.list({ perPage: 50, ...search }, options)}
      rowId={({ id }) => id}
      csv={{ fileName: 'operator-audit-log.csv', read: (search) => paydesk().operator.auditLog.csv(search) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<OperatorAuditEntry>[] {
  const t = useOperatorAuditLogText();
  const words = useListsText();
  return [
    { id: 'action', header: words('words.action'), cell: ({ action }) => <code>{action}</code> },
    { id: 'at', header: words('words.at'), cell: ({ at }) => <Instant value={at} /> },
    { id: 'actor', header: words('words.actor'), cell: ({ actor }) => actor.name || t(`actors.${actor.kind}`) },
    { id: 'target', header: words('words.target'), cell: ({ target }) => target?.name || target?.kind },
    { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
    {
      id: 'changes',
      header: t('changes'),
      cell: ({ changes }) => (changes === null ? null : <code>{JSON.stringify(changes.after)}</code>),
      isOptional: true,
    },
    { id: 'requestId', header: words('words.requestId'), cell: ({ requestId }) => requestId, isOptional: true },
  ];
}

function useFilters(): Filter[] {
  const words = useListsText();
  return [
    { kind: 'search', name: 'requestId', label: words('words.requestId') },
    { kind: 'text', name: 'action', label: words('words.action') },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
  ];
}
