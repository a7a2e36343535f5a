import type { Member } from '@paydesk/client';
import { usePrefetchQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/may.ts';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { RowHistory } from '../audit-log/history.tsx';
import { Invitations } from './invitations.tsx';
import { InviteColleague } from './invite-colleague.tsx';
import { MemberMenu } from './member-menu.tsx';
import { ROLES_QUERY } from './role-select.tsx';
import { useTeamText } from './text.ts';

/** The members of a company, and who is invited. */
export function TeamPage() {
  const t = useTeamText();
  const may = useMay();
  const mayChange = may('platform.admins.all');
  usePrefetchQuery(ROLES_QUERY);
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      actions={
        <>
          {may('platform.roles.view') ? (
            <Link to="/app/roles" className={buttonClass()}>
              {t('roles')}
            </Link>
          ) : null}
          {mayChange ? <InviteColleague /> : null}
        </>
      }
      below={<Invitations mayChange={mayChange} />}
      name="team"
      caption={t('title')}
      columns={useColumns(mayChange)}
      queryKey={['members']}
      read={(search, options) => paydesk().company.members.list({ per_page: 25, ...search } as object, options)}
      rowId={({ id }) => id}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(mayChange: boolean): Column<Member>[] {
  const t = useTeamText();
  const words = useListsText();
  const columns: Column<Member>[] = [
    { id: 'name', header: words('words.name'), cell: ({ first_name, last_name }) => `${first_name} ${last_name}` },
    {
      id: 'email',
      header: words('words.email'),
      cell: ({ email, email_verified }) => (
        <>
          {email} {email_verified ? null : <Badge tone="warning">{t('unverified')}</Badge>}
        </>
      ),
    },
    { id: 'role', header: words('words.role'), cell: ({ role }) => role.name },
    {
      id: 'secondFactor',
      header: t('secondFactor'),
      cell: ({ two_factor }) => words(two_factor ? 'words.yes' : 'words.no'),
    },
    { id: 'joined', header: t('joined'), cell: ({ created_at }) => <Instant value={created_at} as="date" /> },
  ];
  const menu: Column<Member> = {
    id: 'menu',
    header: '',
    cell: (member) =>
      mayChange ? <MemberMenu member={member} /> : <RowHistory ids={[member.id]} name={member.email} />,
    isActive: true,
  };
  return [...columns, menu];
}
