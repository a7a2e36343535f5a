import { declareEvents } from '../outbox/events/events.service.ts';
import { Label } from './labels.schema.ts';

/** The events of labels. */
export const labelEvents = declareEvents({
  'label.created': { audience: 'company', summary: 'A label was created.', data: Label },
  'label.updated': { audience: 'company', summary: 'A label was changed.', data: Label },
  'label.deleted': {
    audience: 'company',
    summary: 'A label was deleted. `data` has the label as it was.',
    data: Label,
  },
});
