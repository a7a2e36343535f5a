import type { ApiKey } from '@paydesk/client';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { RowActions } from '../../ui/table/table.tsx';
import { RowHistory } from '../audit-log/history.tsx';
import { usePermissionWords } from '../roles/permission-words.ts';
import { CreateApiKey } from './create-api-key.tsx';
import { DeleteApiKey } from './delete-api-key.tsx';
import { useApiKeysText } from './text.ts';

/** The API keys of the company. */
export function ApiKeysPage() {
  const t = useApiKeysText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="api-keys"
      caption={t('title')}
      columns={useColumns()}
      queryKey={['api-keys']}
      read={(search, options) => paydesk().company.apiKeys.list({ per_page: 25, ...search }, options)}
      rowId={({ id }) => id}
      actions={<CreateApiKey />}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<ApiKey>[] {
  const t = useApiKeysText();
  const words = useListsText();
  const inWords = usePermissionWords();
  const may = useMay();
  const columns: Column<ApiKey>[] = [
    { id: 'name', header: words('words.name'), cell: ({ name }) => name },
    { id: 'prefix', header: t('prefix'), cell: ({ prefix }) => <code>{prefix}</code> },
    { id: 'permissions', header: t('permissions'), cell: ({ permission }) => inWords(permission) },
    { id: 'addresses', header: t('addresses'), cell: ({ allowed_ips: ips }) => ips.join(', ') || t('allAddresses') },
    { id: 'by', header: words('words.actor'), cell: ({ created_by: creator }) => creator.name, isOptional: true },
    {
      id: 'created',
      header: words('words.created'),
      cell: ({ created_at: at }) => <Instant value={at} as="date" />,
      isOptional: true,
    },
    {
      id: 'lastUsed',
      header: words('words.lastUsed'),
      cell: ({ last_used_at: at }) => (at === null ? words('words.never') : <Instant value={at} />),
    },
    {
      id: 'expires',
      header: words('words.expires'),
      cell: ({ expires_at: at }) => <Expiry at={at} />,
    },
  ];
  const mayChange = may('platform.applications.all');
  const cell = (key: ApiKey) => (
    <RowActions>
      <RowHistory ids={[key.id]} name={key.name} />
      {mayChange ? <DeleteApiKey apiKey={key} /> : null}
    </RowActions>
  );
  return [...columns, { id: 'actions', header: '', cell, isActive: true }];
}

function Expiry({ at }: { at: string | null }) {
  const t = useApiKeysText();
  const words = useListsText();
  if (at === null) return words('words.never');
  return (
    <>
      <Instant value={at} as="date" />{' '}
      {Date.parse(at) <= Date.now() ? <Badge tone="danger">{t('expired')}</Badge> : null}
    </>
  );
}
