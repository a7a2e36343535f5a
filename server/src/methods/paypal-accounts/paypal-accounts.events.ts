import { declareEvents } from '../../outbox/events/events.service.ts';
import { PaypalAccount } from './paypal-accounts.schema.ts';

/** The events about PayPal accounts. */
export const paypalAccountEvents = declareEvents({
  'paypal_account.created': { audience: 'company', summary: 'A PayPal account was saved.', data: PaypalAccount },
  'paypal_account.updated': {
    audience: 'company',
    summary: 'A PayPal account was changed, or another one took the default from it.',
    data: PaypalAccount,
  },
  'paypal_account.deleted': {
    audience: 'company',
    summary: 'A PayPal account was deleted; `data` is as it was.',
    data: PaypalAccount,
  },
});
