import { declareEvents } from '../../outbox/events/events.service.ts';
import { Item } from './items.schema.ts';

/** The events of items. */
export const itemEvents = declareEvents({
  'item.created': {
    audience: 'company',
    summary: 'A one-off item was added, for the next invoice to take.',
    data: Item,
  },
});
