import { declareEvents } from '../../outbox/events/events.service.ts';
import { PaypalAccount } from './paypal-accounts.schema.ts';

/** The events about PayPal accounts. */
export const paypalAccountEvents = declareEvents({
  'paypal_account.created': { audience: 'company', summary: 'A PayPal account was saved.', data: PaypalAccount },
  'paypal_account.updated': {
    audience: 'company',
    summary: 'A PayPal account was changed, or is no longer the default because another account was made the default.',
    data: PaypalAccount,
  },
  'paypal_account.deleted': {
    audience: 'company',
    summary: 'A PayPal account was deleted. `data` has the account as it was.',
    data: PaypalAccount,
  },
});
