import { invoiceFields } from '../../billing/invoices/record/invoices.schema.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { Dispute } from '../disputes/disputes.schema.ts';
import { Payment } from '../payment/payment.schema.ts';

const COLLECTION_STATES = [
  'scheduled',
  'awaiting_outcome',
  'awaiting_payment_method',
  'awaiting_release',
  'manual',
  'exhausted',
  'closed',
] as const;

const Collection = namedObject('InvoiceCollection', {
  state: Type.Enum(COLLECTION_STATES, {
    description:
      '`scheduled`: charged at `nextAttemptAt`. `awaiting_outcome`: the outcome of a payment is not known yet. ' +
      '`awaiting_payment_method`: there is no card, or one that the bank never pays with; another default card is charged at once. ' +
      '`awaiting_release`: it was open when the database was restored without all journals, or a person decides about what was lost of ' +
      'it, and the operator has to release it. ' +
      '`manual`: it is charged when somebody pays. `exhausted`: it was refused as often as it is tried; another default card is ' +
      'charged at once. `closed`: paid or void. For an invoice of the method `paypal`, a PayPal account stands in place of the card.',
    examples: ['scheduled'],
  }),
  dueAt: Type.Unsafe<Date>({ type: 'string', format: 'date-time', examples: ['2026-11-16T09:00:00.000Z'] }),
  nextAttemptAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When it is charged next; as soon as can be when that is over. Null unless `scheduled`.',
    examples: ['2026-11-18T09:00:00.000Z'],
  }),
  dunningStep: Type.Integer({
    description: "How often this card or PayPal account was refused: the position in the company's `dunningDays`.",
    examples: [1],
  }),
});

const Attempt = namedObject('PaymentAttempt', {
  ...Payment.properties,
  disputes: Type.Array(Dispute, {
    description: 'What cardholders want back of it through their banks, the oldest first.',
  }),
});

/** An invoice with all attempts to collect it. */
export const InvoiceWithAttempts = namedObject('InvoiceWithAttempts', {
  ...invoiceFields,
  payment: Type.Union([Attempt, Type.Null()], {
    description:
      'The latest of `attempts`, whether it succeeded or not; a second capture that was accepted as credit does not count.',
  }),
  attempts: Type.Array(Attempt, { description: 'Every attempt to charge it, the oldest first.' }),
  collection: Collection,
});

/** The same for the operator, with the billing run. */
export const OperatorInvoice = namedObject('OperatorInvoice', {
  ...InvoiceWithAttempts.properties,
  runId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The billing run that made it; null when the operator wrote it.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  }),
});
