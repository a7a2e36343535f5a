import type { AuditEntry, OperatorAuditEntry } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { ActionName, useActionName } from '../../codes/action-name.tsx';
import { actionsOf } from '../../codes/audit-actions.ts';
import { Instant } from '../../format/values.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { CompanyLink } from '../companies/company-link.tsx';
import { useAuditLogText } from './text.ts';

/** Who changed what in the company. */
export function AuditLogPage() {
  const t = useAuditLogText();
  return (
    <ListPage<AuditEntry>
      title={t('title')}
      description={t('descriptions.company')}
      name="audit-log"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters('company', 'request_id')}
      queryKey={['company-audit-log']}
      read={(search, options) => paydesk().company.auditLog.list({ per_page: 25, ...search }, options)}
      rowId={({ id }) => id}
      csv={{ fileName: 'audit-log.csv', read: (search) => paydesk().company.auditLog.csv(search) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

/** Who changed what, in all companies and at the operator. */
export function OperatorAuditLogPage() {
  const t = useAuditLogText();
  const words = useListsText();
  const columns: Column<OperatorAuditEntry>[] = useColumns();
  return (
    <ListPage<OperatorAuditEntry>
      title={t('title')}
      description={t('descriptions.operator')}
      name="operator-audit-log"
      caption={t('title')}
      columns={[
        ...columns,
        { id: 'company', header: words('words.company'), cell: (row) => <CompanyLink company={row} />, isActive: true },
      ]}
      filters={useFilters('operator', 'requestId')}
      queryKey={['audit-log']}
      read={(search, options) => paydesk().operator.auditLog.list({ perPage: 50, ...search }, options)}
      rowId={({ id }) => id}
      csv={{ fileName: 'operator-audit-log.csv', read: (search) => paydesk().operator.auditLog.csv(search) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

type Entry = AuditEntry | OperatorAuditEntry;

function useColumns<Row extends Entry>(): Column<Row>[] {
  const t = useAuditLogText();
  const words = useListsText();
  return [
    { id: 'action', header: words('words.action'), cell: ({ action }) => <ActionName action={action} /> },
    { id: 'at', header: words('words.at'), cell: ({ at }) => <Instant value={at} /> },
    { id: 'actor', header: words('words.actor'), cell: ({ actor }) => actor.name || t(`actors.${actor.kind}`) },
    { id: 'target', header: words('words.target'), cell: ({ target }) => target?.name },
    {
      id: 'changes',
      header: t('changes'),
      cell: ({ changes }) => (changes === null ? null : <code>{JSON.stringify(changes.after)}</code>),
      isOptional: true,
    },
    {
      id: 'requestId',
      header: words('words.requestId'),
      cell: (row) => ('requestId' in row ? row.requestId : row.request_id),
      isOptional: true,
    },
  ];
}

function useFilters(log: 'company' | 'operator', requestId: string): Filter[] {
  const words = useListsText();
  const actionName = useActionName();
  const language = useLanguage();
  const actions = actionsOf(log)
    .map((value) => ({ value, label: actionName(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
  return [
    { kind: 'search', name: requestId, label: words('words.requestId') },
    { kind: 'choice', name: 'action', label: words('words.action'), options: actions },
    { kind: 'date', name: 'from', label: words('words.from') },
    { kind: 'date', name: 'to', label: words('words.to') },
  ];
}
