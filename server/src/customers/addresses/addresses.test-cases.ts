import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { saveAddress } from '../../../test/customers/actors.ts';

const ADDRESS: Named = { table: 'addresses', make: saveAddress };

function addressBody(): object {
  return {
    firstName: 'Grace',
    lastName: 'Hopper',
    streetAddress: '1 Navy Yard',
    aptNumber: '2',
    state: 'DC',
    zipCode: '20374',
    country: 'US',
  };
}

export const CASES: RouteCases = {
  'POST /payments/addresses': {
    access: 'platform.billing.all',
    body: addressBody,
    limit: { table: 'addresses', most: 1_000 },
  },
  'GET /payments/addresses': { access: 'platform.billing.view' },
  'PUT /payments/addresses/:address_id': { access: 'platform.billing.all', body: addressBody, names: ADDRESS },
  'DELETE /payments/addresses/:address_id': { access: 'platform.billing.all', names: ADDRESS },
};
