import { declareEvents } from '../../outbox/events/events.service.ts';
import { Card } from './cards.schema.ts';

/** The events about cards. */
export const cardEvents = declareEvents({
  'card.created': { audience: 'company', summary: 'A card was saved.', data: Card },
  'card.updated': {
    audience: 'company',
    summary: 'A card was changed, or another one took the default from it.',
    data: Card,
  },
  'card.deleted': { audience: 'company', summary: 'A card was deleted; `data` is as it was.', data: Card },
});
