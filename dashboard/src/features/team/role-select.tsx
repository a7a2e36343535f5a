import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useListsText } from '../../lists/text.ts';
import { Select } from '../../ui/select/select.tsx';

/** The roles of the company, which a page with dialogs loads ahead, so that they begin at their first field. */
export const ROLES_QUERY = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) => (await paydesk().company.roles.list({ per_page: 1_000 }, { signal })).data,
});

/** A role of the company, system roles included. */
export function RoleSelect({ value, onChange }: { value: string; onChange: (roleId: string) => void }) {
  const words = useListsText();
  const { data: roles } = useSuspenseQuery(ROLES_QUERY);
  return (
    <Select
      label={words('words.role')}
      name="role_id"
      value={value}
      onChange={onChange}
      options={roles.map(({ id, name }) => ({ value: id, label: name }))}
      required
    />
  );
}
