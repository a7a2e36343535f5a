import { saveAccount, uniqueSetupToken } from '../payments/paypal-accounts.ts';

const names = { table: 'paypal_accounts', make: saveAccount };

/** The battery's cases for PayPal accounts. */
export const PAYPAL_ACCOUNT_CASES = {
  'POST /payments/paypal-accounts': {
    access: 'platform.billing.all' as const,
    body: () => ({ setupToken: uniqueSetupToken(), isDefault: false }),
  },
  'GET /payments/paypal-accounts': { access: 'platform.billing.view' as const },
  'PUT /payments/paypal-accounts/:account_id': {
    access: 'platform.billing.all' as const,
    body: () => ({ isDefault: true }),
    names,
  },
  'DELETE /payments/paypal-accounts/:account_id': { access: 'platform.billing.all' as const, names },
};
