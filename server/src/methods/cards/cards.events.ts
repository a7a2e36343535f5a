import { declareEvents } from '../../outbox/events/events.service.ts';
import { Card } from './cards.schema.ts';

/** The events about cards. */
export const cardEvents = declareEvents({
  'card.created': { audience: 'company', summary: 'A card was saved.', data: Card },
  'card.updated': {
    audience: 'company',
    summary: 'A card was changed, or is no longer the default because another card was made the default.',
    data: Card,
  },
  'card.deleted': { audience: 'company', summary: 'A card was deleted. `data` has the card as it was.', data: Card },
});
