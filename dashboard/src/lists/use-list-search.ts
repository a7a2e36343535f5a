import { useNavigate, useSearch } from '@tanstack/react-router';

export type ListSearch = {
  search: Readonly<Record<string, string | undefined>>;
  /** Sets some names of the search part; undefined or empty removes one. The first page comes next, unless `page` is set. */
  change: (values: Readonly<Record<string, string | undefined>>) => void;
};

/** The filters, the sort and the page of a list. The address is their only home. */
export function useListSearch(): ListSearch {
  const search = useSearch({ strict: false }) as ListSearch['search'];
  const navigate = useNavigate();
  const change: ListSearch['change'] = (values) => {
    const isPaging = 'page' in values || 'cursor' in values;
    const kept = isPaging ? search : { ...search, page: undefined, cursor: undefined };
    // Paging is a step that Back takes again; each letter of a filter is none.
    void navigate({ to: '.', search: { ...kept, ...values } as never, replace: !isPaging, resetScroll: isPaging });
  };
  return { search, change };
}
