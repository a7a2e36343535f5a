import { declareEvents } from '../../outbox/events/events.service.ts';
import { BillingInformation } from './billing-information.schema.ts';

/** The events of billing information. */
export const billingInformationEvents = declareEvents({
  'billing_information.updated': {
    audience: 'company',
    summary: 'The billing information was changed.',
    data: BillingInformation,
  },
});
