import type { Staff } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { RowHistory } from '../audit-log/history.tsx';
import { InviteStaff } from './invite-staff.tsx';
import { useStaffText } from './text.ts';

/** The people of the operator. */
export function StaffPage() {
  const t = useStaffText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="staff"
      caption={t('title')}
      columns={useColumns()}
      queryKey={['staff']}
      read={(search, options) => paydesk().operator.staff.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      actions={<InviteStaff />}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<Staff>[] {
  const t = useStaffText();
  const words = useListsText();
  return [
    { id: 'email', header: words('words.email'), cell: ({ email }) => email },
    { id: 'role', header: words('words.role'), cell: ({ role }) => t(`roles.${role}`) },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ status }) => <Badge tone={status === 'active' ? 'success' : 'info'}>{t(`statuses.${status}`)}</Badge>,
    },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
    {
      id: 'history',
      header: '',
      cell: ({ id, email }) => <RowHistory ids={[id]} name={email} />,
      isActive: true,
    },
  ];
}
