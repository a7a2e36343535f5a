import { CompanyPrices } from '../prices/company-prices.tsx';
import { CompanyFrame } from './company-frame.tsx';

/** The prices of one company alone, version by version. */
export function CompanyPricesPage() {
  return <CompanyFrame part="prices">{({ id }) => <CompanyPrices companyId={id} />}</CompanyFrame>;
}
