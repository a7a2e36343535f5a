import { declareEvents } from '../../outbox/events/events.service.ts';
import { LabelAssignment } from './assignments.schema.ts';

/** The events of labels on records. */
export const assignmentEvents = declareEvents({
  'label.assigned': {
    audience: 'company',
    summary: 'A label was put on an agent, ticket or customer.',
    data: LabelAssignment,
  },
  'label.unassigned': {
    audience: 'company',
    summary: 'A label was taken off an agent, ticket or customer. The deletion of a label sends only `label.deleted`.',
    data: LabelAssignment,
  },
});
