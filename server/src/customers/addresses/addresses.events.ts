import { declareEvents } from '../../outbox/events/events.service.ts';
import { Address } from './addresses.schema.ts';

/** The events of addresses. */
export const addressEvents = declareEvents({
  'address.created': { audience: 'company', summary: 'An address was saved.', data: Address },
  'address.updated': { audience: 'company', summary: 'An address was changed.', data: Address },
  'address.deleted': {
    audience: 'company',
    summary: 'An address was deleted. `data` has the address as it was.',
    data: Address,
  },
});
