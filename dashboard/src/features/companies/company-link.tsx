import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';

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

/** The company of a record that has its ids alone: its name is read. */
export function NamedCompanyLink({ company }: { company: { companyId: string | null } }) {
  const { companyId } = company;
  const { data, isPending } = useQuery({
    queryKey: ['companies', companyId],
    queryFn: ({ signal }) => paydesk().operator.companies.get(companyId ?? '', { signal }),
    enabled: companyId !== null,
  });
  if (companyId !== null && isPending) return null;
  return <CompanyLink company={{ ...company, companyName: data?.organization || data?.name || data?.email }} />;
}
