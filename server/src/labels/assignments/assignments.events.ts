import { declareEvents } from '../../outbox/events/events.service.ts';
import { LabelAssignment } from './assignments.schema.ts';

/** The events of labels on records. */
export const assignmentEvents = declareEvents({
  'label.assigned': {
    audience: 'company',
    summary: 'An agent, ticket or customer got a label.',
    data: LabelAssignment,
  },
  'label.unassigned': {
    audience: 'company',
    summary: 'A label was taken off an agent, ticket or customer. A deleted label sends `label.deleted` alone.',
    data: LabelAssignment,
  },
});
