import { invoiceFields } from '../../billing/invoices/record/invoices.schema.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { Dispute } from '../disputes/disputes.schema.ts';
import { Payment } from '../payment/payment.schema.ts';
import { PaymentRefund } from '../refunds/issue/refunds.schema.ts';

const COLLECTION_STATES = [
  'scheduled',
  'awaiting_outcome',
  'awaiting_confirmation',
  'awaiting_payment_method',
  'awaiting_release',
  'manual',
  'exhausted',
  'closed',
] as const;

const Collection = namedObject('InvoiceCollection', {
  state: Type.Enum(COLLECTION_STATES, {
    description:
      '`scheduled`: the invoice is charged at `nextAttemptAt`. `awaiting_outcome`: the outcome of a payment is not known yet. ' +
      '`awaiting_confirmation`: a payment waits until the customer has confirmed it, and nothing else is tried. ' +
      '`awaiting_payment_method`: there is no card, or the bank will never accept the card; a new default card is charged at ' +
      'once. `awaiting_release`: the operator has to release the invoice, because it was open when the database was restored ' +
      'without all journals, or because a person has to decide about a lost document of the invoice. `manual`: the invoice is ' +
      'charged only when somebody pays it. `exhausted`: all attempts were declined; a new default card is charged at once. ' +
      '`closed`: the invoice is paid or void. For an invoice with the method `paypal`, a PayPal account takes the place of the ' +
      'card.',
    examples: ['scheduled'],
  }),
  dueAt: Type.Unsafe<Date>({ type: 'string', format: 'date-time', examples: ['2026-11-16T09:00:00.000Z'] }),
  nextAttemptAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'When the invoice is charged next; if this time has passed, as soon as possible. Null unless `scheduled`.',
    examples: ['2026-11-18T09:00:00.000Z'],
  }),
  dunningStep: Type.Integer({
    description: "How often this card or PayPal account was declined: the position in the company's `dunningDays`.",
    examples: [1],
  }),
});

const Attempt = namedObject('PaymentAttempt', {
  ...Payment.properties,
  disputes: Type.Array(Dispute, {
    description: "The disputes of the invoice's payments, the oldest first.",
  }),
  refunds: Type.Array(PaymentRefund, { description: 'The refunds of the payment, the oldest first.' }),
});

/** An invoice with all attempts to collect it. */
export const InvoiceWithAttempts = namedObject('InvoiceWithAttempts', {
  ...invoiceFields,
  payment: Type.Union([Attempt, Type.Null()], {
    description:
      'The latest of `attempts`, whether it succeeded or not. A second capture that was accepted as credit is not included.',
  }),
  attempts: Type.Array(Attempt, { description: 'Every attempt to charge the invoice, the oldest first.' }),
  collection: Collection,
});

/** The same for the operator, with the billing run. */
export const OperatorInvoice = namedObject('OperatorInvoice', {
  ...InvoiceWithAttempts.properties,
  runId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The billing run that issued the invoice; null if the operator issued it.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  }),
});
