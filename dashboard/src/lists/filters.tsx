import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../ui/button/button.tsx';
import { FilterSelect } from '../ui/filter-select/filter-select.tsx';
import { FilterText } from '../ui/filter-text/filter-text.tsx';
import { SearchField } from '../ui/search-field/search-field.tsx';
import styles from './list-page.module.css';
import { useListsText } from './text.ts';
import type { Filter } from './types.ts';
import type { ListSearch } from './use-list-search.ts';

// Few lists have one, and it is large.
const FilterCombobox = lazy(() =>
  import('../ui/filter-combobox/filter-combobox.tsx').then((module) => ({ default: module.FilterCombobox })),
);

/** The labelled filters above a table. */
export function Filters({ filters, list: { search, change } }: { filters: readonly Filter[]; list: ListSearch }) {
  const t = useListsText();
  const isFiltered = filters.some(({ name }) => (search[name] ?? '') !== '');
  const clear = () => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])));
  return (
    <search aria-label={t('filters')} className={styles.filters}>
      {filters.map((filter) => (
        <OneFilter
          key={filter.name}
          filter={filter}
          value={search[filter.name] ?? ''}
          onChange={(value) => change({ [filter.name]: value })}
        />
      ))}
      {isFiltered ? (
        <Button variant="quiet" size="small" onClick={clear}>
          {t('clear')}
        </Button>
      ) : null}
    </search>
  );
}

type OneFilterProps = { filter: Filter; value: string; onChange: (value: string) => void };

function OneFilter({ filter, value, onChange }: OneFilterProps) {
  const t = useListsText();
  if (filter.kind === 'choice') {
    const options = [{ value: '', label: filter.noneLabel ?? t('all') }, ...filter.options];
    return <FilterSelect label={filter.label} options={options} value={value} onChange={onChange} />;
  }
  if (filter.kind === 'found') return <FoundFilter filter={filter} value={value} onChange={onChange} />;
  return <TypedFilter filter={filter} value={value} onChange={onChange} />;
}

type FoundProps = Omit<OneFilterProps, 'filter'> & { filter: Extract<Filter, { kind: 'found' }> };

function FoundFilter({ filter: { name, label, find, nameOf }, value, onChange }: FoundProps) {
  const t = useListsText();
  const [typed, setTyped] = useState('');
  const { data: chosen } = useQuery({
    queryKey: ['filter', name, 'chosen', value],
    queryFn: ({ signal }) => nameOf(value, signal),
    enabled: value !== '',
  });
  const search = typed === chosen ? '' : typed.trim();
  const { data: found = [] } = useQuery({
    queryKey: ['filter', name, search],
    queryFn: ({ signal }) => find(search, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Suspense fallback={<FilterText label={label} value={chosen ?? ''} onChange={() => undefined} />}>
      <FilterCombobox
        label={label}
        options={found}
        value={value === '' ? null : { value, label: chosen ?? '' }}
        onChange={onChange}
        onSearch={setTyped}
        placeholder={t('all')}
        emptyLabel={t('noMatch')}
      />
    </Suspense>
  );
}

/** What is typed shows at once, while the address follows. */
function TypedFilter({ filter, value, onChange }: OneFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const type = (next: string) => {
    setTyped(next);
    onChange(next);
  };
  if (filter.kind === 'search') return <SearchField label={filter.label} value={typed} onChange={type} shortcut="/" />;
  return (
    <FilterText
      label={filter.label}
      type={filter.kind === 'date' || filter.kind === 'month' ? filter.kind : 'text'}
      inputMode={filter.kind === 'amount' ? 'decimal' : undefined}
      value={typed}
      onChange={type}
    />
  );
}
