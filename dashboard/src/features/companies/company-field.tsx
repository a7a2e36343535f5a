import type { ListedCompany } from '@paydesk/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useListsText } from '../../lists/text.ts';
import { Combobox } from '../../ui/combobox/combobox.tsx';
import type { Option } from '../../ui/select/select.tsx';
import { useCompaniesText } from './text.ts';

type Props = { onChange: (companyId: string) => void; error?: string; isOptional?: boolean };

/** Chooses a company by its name, e-mail or external id. */
export function CompanyField({ onChange, error, isOptional = false }: Props) {
  const t = useCompaniesText();
  const words = useListsText();
  const [chosen, setChosen] = useState<Option>();
  const [typed, setTyped] = useState('');
  const search = typed === chosen?.label ? '' : typed.trim();
  const { data: found = [] } = useQuery({
    queryKey: ['companies', 'choice', search],
    queryFn: ({ signal }) => findCompanies(search, signal),
    placeholderData: keepPreviousData,
  });
  const isListed = chosen === undefined || found.some(({ value }) => value === chosen.value);
  return (
    <Combobox
      label={words('words.company')}
      error={error}
      options={isListed ? found : [chosen, ...found]}
      value={chosen?.value}
      onChange={(value) => {
        setChosen(found.find((option) => option.value === value));
        onChange(value);
      }}
      onSearch={setTyped}
      placeholder={t('search')}
      emptyLabel={words('noMatch')}
      openLabel={t('choose')}
      required={!isOptional}
    />
  );
}

/** Companies by their names, e-mails or external ids. */
export async function findCompanies(search: string, signal: AbortSignal): Promise<Option[]> {
  const query = { perPage: 20, sort: 'name', ...(search === '' ? {} : { search }) } as const;
  const { data } = await paydesk().operator.companies.list(query, { signal });
  return data.map((company) => ({ value: company.id, label: labelOf(company) }));
}

/** The name of a company by its id. */
export async function nameCompany(id: string, signal: AbortSignal): Promise<string> {
  return labelOf(await paydesk().operator.companies.get(id, { signal }));
}

function labelOf({ id, name, email, externalId }: Pick<ListedCompany, 'id' | 'name' | 'email' | 'externalId'>): string {
  return name || email || externalId || id;
}
