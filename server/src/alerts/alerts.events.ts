import { declareEvents } from '../outbox/events/events.service.ts';
import { Alert } from './alerts.schema.ts';

/** The events of alerts. */
export const alertEvents = declareEvents({
  'alert.created': {
    summary:
      'A person has to look at something. The operator alone is told, and `companyId` is null; `data` names the company.',
    data: Alert,
  },
});
