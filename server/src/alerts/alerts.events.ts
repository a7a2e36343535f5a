import { declareEvents } from '../outbox/events/events.service.ts';
import { Alert } from './alerts.schema.ts';

/** The events of alerts. */
export const alertEvents = declareEvents({
  'alert.created': {
    audience: 'operator',
    summary:
      'Something needs the attention of a person. Only the operator gets this event, and `companyId` is null; `data` names the company.',
    data: Alert,
  },
});
