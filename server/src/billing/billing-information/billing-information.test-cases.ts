import type { RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

const longTexts = { address: 2_000 };

function body(): object {
  return {
    firstName: 'Grace',
    lastName: 'Hopper',
    phoneNumber: '+1 555 0100',
    country: 'US',
    address: '1 Navy Yard',
    zipCode: '20374',
    province: 'DC',
    city: 'Washington',
    organization: 'Compilers',
    taxId: 'US-1',
  };
}

export const CASES: RouteCases = {
  'GET /payments/billing-information': { access: 'platform.billing.view' },
  'PUT /payments/billing-information': { access: 'platform.billing.all', body, longTexts },
  'GET /operator/companies/:company_id/billing-information': { access: 'operator', names: COMPANY },
  'PUT /operator/companies/:company_id/billing-information': {
    access: 'operator',
    body,
    update: () => ({
      firstName: 'Ada',
      lastName: 'Lovelace',
      phoneNumber: '+44 20 7946 0000',
      country: 'GB',
      address: '12 St James Square',
      zipCode: 'SW1Y 4JH',
      province: 'London',
      city: 'London',
      organization: 'Analytical Engines',
      taxId: 'GB-1',
    }),
    names: COMPANY,
    longTexts,
  },
  'GET /operator/companies/:company_id/billing-information/changes': {
    access: 'operator',
    names: COMPANY,
    parameters: PAGES,
  },
};
