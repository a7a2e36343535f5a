import type { OperatorKey } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { RowActions } from '../../ui/table/table.tsx';
import { RowHistory } from '../audit-log/history.tsx';
import { CreateKey } from './create-key.tsx';
import { DeleteKey } from './delete-key.tsx';
import { useOperatorKeysText } from './text.ts';

/** The keys of the operator. */
export function OperatorKeysPage() {
  const t = useOperatorKeysText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="operator-keys"
      caption={t('title')}
      columns={useColumns()}
      queryKey={['operator-keys']}
      read={(search, options) => paydesk().operator.keys.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      actions={<CreateKey />}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<OperatorKey>[] {
  const t = useOperatorKeysText();
  const words = useListsText();
  return [
    { id: 'name', header: words('words.name'), cell: ({ name }) => name },
    { id: 'role', header: words('words.role'), cell: ({ role }) => t(`roles.${role}`) },
    { id: 'prefix', header: t('prefix'), cell: ({ prefix }) => <code>{prefix}</code> },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    {
      id: 'lastUsed',
      header: words('words.lastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? words('words.never') : <Instant value={lastUsedAt} />),
    },
    {
      id: 'expires',
      header: words('words.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? words('words.never') : <Instant value={expiresAt} as="date" />),
      isOptional: true,
    },
    {
      id: 'actions',
      header: '',
      cell: (key) => (
        <RowActions>
          <RowHistory ids={[key.id]} name={key.name} />
          <DeleteKey operatorKey={key} />
        </RowActions>
      ),
      isActive: true,
    },
  ];
}
