import { declareEvents } from '../outbox/events/events.service.ts';
import { Label } from './labels.schema.ts';

/** The events of labels. */
export const labelEvents = declareEvents({
  'label.created': { summary: 'A label was created.', data: Label },
  'label.updated': { summary: 'A label was changed.', data: Label },
  'label.deleted': { summary: 'A label was deleted; `data` is as it was.', data: Label },
});
