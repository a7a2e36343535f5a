import { declareEvents } from '../../outbox/events/events.service.ts';
import { Company } from './companies.schema.ts';

/** The events of companies. */
export const companyEvents = declareEvents({
  'company.created': {
    audience: 'company',
    summary: 'The operator created a company. `user.created` tells of one that signs up by itself.',
    data: Company,
  },
  'company.updated': {
    audience: 'company',
    summary: 'The profile, the external id, the metadata of a company was changed, or it was disabled or enabled.',
    data: Company,
  },
});
