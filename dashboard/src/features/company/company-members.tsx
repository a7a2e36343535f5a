import type { OperatorMember } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { ListPart } from '../../lists/part.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { InviteMember } from '../companies/dialogs/invite-member.tsx';
import { useCompanyText } from './text.ts';

/** Who can log in for the company. */
export function CompanyMembers({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const words = useListsText();
  const columns: Column<OperatorMember>[] = [
    { id: 'name', header: words('words.name'), cell: ({ firstName, lastName }) => `${firstName} ${lastName}` },
    { id: 'email', header: words('words.email'), cell: ({ email }) => email },
    { id: 'role', header: words('words.role'), cell: ({ role }) => role.name },
    {
      id: 'secondFactor',
      header: t('secondFactor'),
      cell: ({ twoFactor }) => words(twoFactor ? 'words.yes' : 'words.no'),
    },
  ];
  return (
    <ListPart
      title={t('membersTitle')}
      actions={<InviteMember companyId={companyId} />}
      queryKey={['companies', companyId, 'members']}
      read={async (options) => {
        const { data } = await paydesk().operator.companies.members.list(companyId, { perPage: 100 }, options);
        return data;
      }}
      columns={columns}
      rowId={({ id }) => id}
      empty={t('noMembers')}
    />
  );
}
