import { declareEvents } from '../../outbox/events/events.service.ts';
import { Dispute } from './disputes.schema.ts';

/** The events about disputes. */
export const disputeEvents = declareEvents({
  'dispute.created': {
    audience: 'company',
    summary: 'A cardholder disputes a payment: answer at the gateway.',
    data: Dispute,
    example: { status: 'NeedsResponse' },
  },
  'dispute.updated': {
    audience: 'company',
    summary: 'A dispute went on, or its money moved.',
    data: Dispute,
    example: { status: 'UnderReview' },
  },
  'dispute.closed': {
    audience: 'company',
    summary: 'A dispute was won, lost or closed otherwise.',
    data: Dispute,
    example: { status: 'Won', withdrawnAmount: '0.00' },
  },
});
