import { declareEvents } from '../../../outbox/events/events.service.ts';
import { Refund } from './refunds.schema.ts';

/** The events about refunds. */
export const refundEvents = declareEvents({
  'refund.created': {
    audience: 'company',
    summary: 'A refund began, in Paydesk or at the gateway.',
    data: Refund,
    example: { status: 'Processing' },
  },
  'refund.succeeded': {
    audience: 'company',
    summary: 'A refund was made.',
    data: Refund,
    example: { status: 'Succeeded' },
  },
  'refund.failed': { audience: 'company', summary: 'A refund failed.', data: Refund, example: { status: 'Failed' } },
  'refund.needs_review': {
    audience: 'company',
    summary: 'The outcome of a refund is unknown: a person has to review it.',
    data: Refund,
    example: { status: 'NeedsReview' },
  },
});
