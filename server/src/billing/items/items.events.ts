import { declareEvents } from '../../outbox/events/events.service.ts';
import { Item } from './items.schema.ts';

/** What items tell of. */
export const itemEvents = declareEvents({
  'item.created': { summary: 'A one-off item was added, for the next invoice to take.', data: Item },
});
