import { paydesk } from '../../api/session.ts';
import { List } from '../../lists/list-page.tsx';
import { CreatePrice } from './create-price.tsx';
import { priceLink, usePriceColumns } from './prices-page.tsx';
import { usePricesText } from './text.ts';

/** The prices that one company has instead of everybody's. */
export function CompanyPrices({ companyId }: { companyId: string }) {
  const t = usePricesText();
  return (
    <>
      <div>
        <CreatePrice companyId={companyId} look={{}} />
      </div>
      <List
        name="company-prices"
        caption={t('title')}
        columns={usePriceColumns().filter(({ id }) => id !== 'company')}
        queryKey={['prices', companyId]}
        read={(search, options) => paydesk().operator.prices.list({ companyId, perPage: 25, ...search }, options)}
        rowId={({ id }) => id}
        rowLink={priceLink}
        empty={{ title: t('noneOfCompany.title'), text: t('noneOfCompany.text') }}
      />
    </>
  );
}
