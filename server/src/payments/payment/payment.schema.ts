import { METHODS, STATUSES } from '../../billing/invoices/record/invoices.schema.ts';
import { money } from '../../billing/invoices/record/lines.schema.ts';
import { NEXT_ACTION_FIELDS } from '../../platform/http/openapi/next-action.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

export const PAYMENT_STATUSES = [...STATUSES, 'RequiresAction', 'NeedsReview'] as const;

const NextAction = {
  type: ['object', 'null'],
  properties: NEXT_ACTION_FIELDS,
  required: ['url', 'expiresAt'],
  description:
    'What confirms the payment; null unless its status is `RequiresAction`. Requests of others than the company, events and mails have ' +
    '`url` and `expiresAt` alone.',
  examples: [null],
} as const;

export const Payment = namedObject('Payment', {
  id: uuid(),
  invoiceId: uuid(),
  cardId: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' }),
  method: Type.Enum(METHODS),
  gateway: Type.String({
    description: 'The gateway that was charged; `none` if the invoice is zero or the credit covers all of it.',
    examples: ['sandbox'],
  }),
  amount: money(
    "The amount charged to the card or the PayPal account: the invoice's total minus `creditAmount`. For a second capture that " +
      'was accepted: the captured amount, which became credit of the company.',
    '57.60',
  ),
  creditAmount: money("The amount paid with the company's credit. It is returned if the payment fails.", '0.00'),
  currency: Type.String({ examples: ['USD'] }),
  status: Type.Enum(PAYMENT_STATUSES),
  failureReason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: ['declined', 'not_sent', 'rejected', 'canceled', 'superseded', null],
    description:
      'Why the payment failed; null unless it failed. `not_sent`: the gateway could not be reached, so nothing was declined. ' +
      '`rejected`: the gateway, not the bank, refused the charge. `superseded`: nothing was charged, because the gateway had ' +
      'captured another payment of the same debt, which counts instead.',
    examples: [null],
  }),
  declineCode: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why the bank or PayPal declined the payment, as a code; null if it was not declined.',
    examples: [null],
  }),
  nextAction: Type.Unsafe<object | null>(NextAction),
  initiator: Type.Enum(['manual', 'automatic'], {
    description: '`manual`: a person requested the charge. `automatic`: the automatic collection charged the invoice.',
    examples: ['manual'],
  }),
  card: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: { brand: { type: 'string' }, cardNumber: { type: 'string', examples: ['4242********4242'] } },
    required: ['brand', 'cardNumber'],
    description: 'The card that was charged. Null if no card was charged.',
    examples: [{ brand: 'visa', cardNumber: '4242********4242' }],
  }),
  paypalAccount: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      email: { type: 'string', examples: ['ada@example.com'] },
    },
    required: ['id', 'email'],
    description: 'The PayPal account that was charged. Null if none was charged.',
    examples: [null],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
