import { declareEvents } from '../../outbox/events/events.service.ts';
import { UserProfile } from '../users/users.schema.ts';

/** The events of accounts. */
export const accountEvents = declareEvents({
  'user.created': {
    audience: 'company',
    summary: 'Somebody signed up. `companyId` is null for a customer, and then only the operator gets the event.',
    data: UserProfile,
  },
});
