import type { Role } from '@paydesk/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useListsText } from '../../lists/text.ts';
import { Select } from '../../ui/select/select.tsx';

/** The roles of the company, which a page with dialogs loads ahead, so that they begin at their first field. */
export const ROLES_QUERY = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) => (await paydesk().company.roles.list({ per_page: 1_000 }, { signal })).data,
});

/** Of the system roles, the one that no member has: it is for who belongs to no company. */
const isForMembers = ({ name, category }: Role) => name !== 'Customer' || category !== 'SYSTEM ROLE';

/** A role that a member of the company can have. */
export function RoleSelect({ value, onChange }: { value: string; onChange: (roleId: string) => void }) {
  const words = useListsText();
  const { data: roles } = useSuspenseQuery(ROLES_QUERY);
  return (
    <Select
      label={words('words.role')}
      name="role_id"
      value={value}
      onChange={onChange}
      options={roles.filter(isForMembers).map(({ id, name }) => ({ value: id, label: name }))}
      required
    />
  );
}
