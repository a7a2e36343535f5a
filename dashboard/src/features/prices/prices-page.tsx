import type { Price } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paydesk } from '../../api/session.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column, Filter } from '../../lists/types.ts';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { Calculator } from './calculator.tsx';
import { CreatePrice } from './create-price.tsx';
import { PriceBound } from './price-bound.tsx';
import { PriceText } from './price-text.tsx';
import { usePricesText } from './text.ts';

/** The prices of everybody and of single companies. */
export function PricesPage() {
  const t = usePricesText();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      name="prices"
      caption={t('title')}
      columns={usePriceColumns()}
      filters={useFilters()}
      queryKey={['prices']}
      read={(search, options) => paydesk().operator.prices.list({ perPage: 25, ...search }, options)}
      rowId={({ id }) => id}
      rowLink={priceLink}
      actions={<CreatePrice />}
      below={<Calculator />}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  );
}

/** Makes the row of a price a link to its page. */
export function priceLink({ id }: Price, children: ReactNode) {
  return (
    <Link to="/console/prices/$priceId" params={{ priceId: id }}>
      {children}
    </Link>
  );
}

/** What the tables of prices show. */
export function usePriceColumns(): Column<Price>[] {
  const t = usePricesText();
  const words = useListsText();
  return [
    { id: 'title', header: words('words.title'), cell: ({ title }) => title },
    { id: 'path', header: words('words.path'), cell: ({ path }) => <code>{path}</code> },
    { id: 'model', header: t('model'), cell: ({ model }) => t(`models.${model}`) },
    { id: 'price', header: t('price'), cell: (price) => <PriceText price={price} />, isNumeric: true },
    {
      id: 'company',
      header: words('words.company'),
      cell: (price) => (price.companyId === null ? t('everybody') : <NamedCompanyLink company={price} />),
      isActive: true,
    },
    { id: 'from', header: t('from'), cell: ({ effectiveFrom }) => <PriceBound value={effectiveFrom} /> },
    {
      id: 'until',
      header: t('until'),
      cell: ({ effectiveTo }) => (effectiveTo === null ? t('open') : <PriceBound value={effectiveTo} />),
    },
  ];
}

function useFilters(): Filter[] {
  const words = useListsText();
  return [
    { kind: 'search', name: 'path', label: words('words.path') },
    { kind: 'text', name: 'currency', label: words('words.currency') },
  ];
}
