import { useSuspenseQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useListsText } from '../../lists/text.ts';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { InviteMember } from '../companies/dialogs/invite-member.tsx';
import { useCompanyText } from './text.ts';

/** Who can log in for the company. */
export function CompanyMembers({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const words = useListsText();
  const { data } = useSuspenseQuery({
    queryKey: ['companies', companyId, 'members'],
    queryFn: async ({ signal }) =>
      (await paydesk().operator.companies.members.list(companyId, { perPage: 100 }, { signal })).data,
  });
  return (
    <Card title={t('membersTitle')} actions={<InviteMember companyId={companyId} />}>
      {data.length === 0 ? (
        <p>{t('noMembers')}</p>
      ) : (
        <Table caption={t('membersTitle')}>
          <thead>
            <tr>
              <Th>{words('words.name')}</Th>
              <Th>{words('words.email')}</Th>
              <Th>{words('words.role')}</Th>
              <Th>{t('secondFactor')}</Th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, firstName, lastName, email, role, twoFactor }) => (
              <TableRow key={id}>
                <Td label={words('words.name')}>{`${firstName} ${lastName}`}</Td>
                <Td label={words('words.email')}>{email}</Td>
                <Td label={words('words.role')}>{role.name}</Td>
                <Td label={t('secondFactor')}>{words(twoFactor ? 'words.yes' : 'words.no')}</Td>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
