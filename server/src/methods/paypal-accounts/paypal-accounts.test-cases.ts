import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { saveAccount, uniqueSetupToken } from '../../../test/payments/paypal-accounts.ts';

const ACCOUNT: Named = { table: 'paypal_accounts', make: saveAccount };

export const CASES: RouteCases = {
  'POST /payments/paypal-accounts': {
    access: 'platform.billing.all',
    body: () => ({ setupToken: uniqueSetupToken(), isDefault: false }),
    limit: { table: 'paypal_accounts', most: 100, own: { gateway_token: 'gen_random_uuid()' } },
  },
  'GET /payments/paypal-accounts': { access: 'platform.billing.view' },
  'PUT /payments/paypal-accounts/:account_id': {
    access: 'platform.billing.all',
    body: () => ({ isDefault: true }),
    names: ACCOUNT,
  },
  'DELETE /payments/paypal-accounts/:account_id': { access: 'platform.billing.all', names: ACCOUNT },
};
