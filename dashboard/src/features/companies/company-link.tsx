import { Link } from '@tanstack/react-router';

type Props = { company: { companyId: string | null; companyName?: string | null; companyExternalId?: string | null } };

/** The company of a record, by its name, else its external id, as a link to its page. */
export function CompanyLink({ company: { companyId, companyName, companyExternalId } }: Props) {
  if (companyId === null) return null;
  return (
    <Link to="/console/companies/$companyId" params={{ companyId }}>
      {companyName || companyExternalId || companyId.slice(0, 8)}
    </Link>
  );
}
