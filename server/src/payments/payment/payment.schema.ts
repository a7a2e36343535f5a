import { METHODS, STATUSES } from '../../billing/invoices/record/invoices.schema.ts';
import { money } from '../../billing/invoices/record/lines.schema.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

export const PAYMENT_STATUSES = [...STATUSES, 'NeedsReview'] as const;

export const Payment = namedObject('Payment', {
  id: uuid(),
  invoiceId: uuid(),
  cardId: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' }),
  method: Type.Enum(METHODS),
  gateway: Type.String({
    description: '`none` for an invoice of zero, or one that the credit covers wholly.',
    examples: ['sandbox'],
  }),
  amount: money(
    "What the card or the PayPal account is charged: the invoice's total without creditAmount. Of a second capture that was accepted, " +
      'all that was captured, which is credit of the company.',
    '57.60',
  ),
  creditAmount: money("What the company's credit pays; it goes back when the payment fails.", '0.00'),
  currency: Type.String({ examples: ['USD'] }),
  status: Type.Enum(PAYMENT_STATUSES),
  failureReason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: ['declined', 'not_sent', 'rejected', 'canceled', 'superseded', null],
    description:
      'Null unless it failed. `not_sent`: the gateway was out of reach, which is no refusal; `rejected`: the gateway, not the ' +
      'bank, refused it; `superseded`: nothing was charged, because the gateway had captured another payment of the same debt, which ' +
      'counts instead.',
    examples: [null],
  }),
  declineCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why it was refused, in a word; null when it was not.',
    examples: [null],
  }),
  initiator: Type.Enum(['manual', 'automatic'], {
    description: '`manual`: a person paid. `automatic`: the automatic collection charged it.',
    examples: ['manual'],
  }),
  card: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: { brand: { type: 'string' }, cardNumber: { type: 'string', examples: ['4242********4242'] } },
    required: ['brand', 'cardNumber'],
    description: 'Null when no card was charged.',
    examples: [{ brand: 'visa', cardNumber: '4242********4242' }],
  }),
  paypalAccount: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      email: { type: 'string', examples: ['ada@example.com'] },
    },
    required: ['id', 'email'],
    description: 'Null unless a PayPal account was charged.',
    examples: [null],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
