import type { Company } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { CreateCompany } from './dialogs/create-company.tsx';
import { useCompaniesText } from './text.ts';

/** All companies. */
export function CompaniesPage() {
  const t = useCompaniesText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      actions={<CreateCompany />}
      name="companies"
      caption={t('title')}
      columns={useColumns()}
      filters={useFilters()}
      queryKey={['companies']}
      read={(search, options) => paydesk().operator.companies.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      rowLink={({ id }, children) => (
        <Link to="/console/companies/$companyId" params={{ companyId: id }}>
          {children}
        </Link>
      )}
      csv={{ fileName: 'companies.csv', read: (search) => paydesk().operator.companies.csv(search as object) }}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

function useColumns(): Column<Company>[] {
  const t = useCompaniesText();
  const words = useListsText();
  return [
    {
      id: 'name',
      header: words('words.name'),
      sort: 'name',
      cell: ({ name, email, externalId }) => name || email || externalId,
    },
    { id: 'email', header: words('words.email'), cell: ({ email }) => email },
    { id: 'externalId', header: words('words.externalId'), sort: 'externalId', cell: ({ externalId }) => externalId },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ disabled }) => (
        <Badge tone={disabled ? 'danger' : 'success'}>{disabled ? t('disabled') : t('active')}</Badge>
      ),
    },
    {
      id: 'created',
      header: words('words.created'),
      sort: 'createdAt',
      cell: ({ createdAt }) => <Instant value={createdAt} as="date" />,
    },
  ];
}

function useFilters(): Filter[] {
  const t = useCompaniesText();
  const words = useListsText();
  return [
    { kind: 'search', name: 'search', label: t('search') },
    {
      kind: 'choice',
      name: 'disabled',
      label: words('words.status'),
      options: [
        { value: 'false', label: t('active') },
        { value: 'true', label: t('disabled') },
      ],
    },
  ];
}
