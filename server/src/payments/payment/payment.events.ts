import { declareEvents } from '../../outbox/events/events.service.ts';
import { EXAMPLE_ACTION } from '../../platform/http/openapi/next-action.ts';
import { Payment } from './payment.schema.ts';

/** The events of payments, which are part of their invoices. */
export const paymentEvents = declareEvents({
  'payment.started': {
    audience: 'company',
    summary: 'A charge began.',
    data: Payment,
    example: { status: 'Processing', declineCode: null },
  },
  'payment.requires_action': {
    audience: 'company',
    summary: 'The bank asks the customer to confirm a charge. It comes once for a payment.',
    data: Payment,
    example: {
      status: 'RequiresAction',
      declineCode: null,
      nextAction: { url: EXAMPLE_ACTION.url, expiresAt: EXAMPLE_ACTION.expiresAt },
    },
  },
  'payment.captured': {
    audience: 'company',
    summary: 'A charge succeeded, or credit paid all of the invoice.',
    data: Payment,
    example: { status: 'Succeeded', declineCode: null },
  },
  'payment.failed': {
    audience: 'company',
    summary: 'A charge failed. The credit that it used was returned.',
    data: Payment,
    example: { status: 'Failed', declineCode: 'insufficient_funds' },
  },
  'payment.needs_review': {
    audience: 'company',
    summary: 'The gateway and the books disagree about a charge, or its outcome is unknown: a person has to review it.',
    data: Payment,
    example: { status: 'NeedsReview', declineCode: null },
  },
});
export type PaymentEventType = keyof typeof paymentEvents.declarations;
