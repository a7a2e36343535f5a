import { declareEvents } from '../../outbox/events/events.service.ts';
import { BillingInformation } from './billing-information.schema.ts';

/** What billing information tell of. */
export const billingInformationEvents = declareEvents({
  'billing_information.updated': { summary: 'The billing information was changed.', data: BillingInformation },
});
