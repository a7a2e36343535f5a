import { declareEvents } from '../../outbox/events/events.service.ts';
import { Company } from './companies.schema.ts';

/** The events of companies. */
export const companyEvents = declareEvents({
  'company.created': {
    audience: 'company',
    summary: 'The operator created a company. A company that signs up itself is reported by `user.created`.',
    data: Company,
  },
  'company.updated': {
    audience: 'company',
    summary:
      'The profile, the external id or the metadata of a company was changed, or the company was disabled ' +
      'or enabled.',
    data: Company,
  },
});
