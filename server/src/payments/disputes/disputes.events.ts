import { declareEvents } from '../../outbox/events/events.service.ts';
import { Dispute } from './disputes.schema.ts';

/** The events about disputes. */
export const disputeEvents = declareEvents({
  'dispute.created': {
    audience: 'company',
    summary: 'A customer disputes a payment. Answer the dispute at the gateway.',
    data: Dispute,
    example: { status: 'NeedsResponse' },
  },
  'dispute.updated': {
    audience: 'company',
    summary: 'A dispute changed its status, or money was moved for it.',
    data: Dispute,
    example: { status: 'UnderReview' },
  },
  'dispute.closed': {
    audience: 'company',
    summary: 'A dispute was won, lost or closed in another way.',
    data: Dispute,
    example: { status: 'Won', withdrawnAmount: '0.00' },
  },
});
