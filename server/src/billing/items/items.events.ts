import { declareEvents } from '../../outbox/events/events.service.ts';
import { Item } from './items.schema.ts';

/** The events of items. */
export const itemEvents = declareEvents({
  'item.created': {
    audience: 'company',
    summary: 'A one-off item was added. The next invoice will include it.',
    data: Item,
  },
});
