import type { Static } from 'typebox';
import { companyIds } from '../../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../../platform/http/schema/pagination.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { decimalText, text } from '../../../platform/http/schema/validation.ts';
import { checkPositiveDecimal } from '../../../platform/money/decimal.ts';

const reason = { description: 'The reason for the refund, for the books.', examples: ['Outage of 3 October'] };

export const RefundBody = namedObject('RefundBody', {
  amount: Type.Optional(
    decimalText(checkPositiveDecimal, {
      description: 'The amount to refund, with no more decimals than the currency has. When absent: all that is left.',
      examples: ['9.60'],
    }),
  ),
  reason: text({ max: 2_000, required: true, ...reason }),
});
export type RefundBody = Static<typeof RefundBody>;

export const REFUND_STATUSES = ['Processing', 'Succeeded', 'Failed', 'NeedsReview'] as const;

export const Refund = namedObject('Refund', {
  id: uuid(),
  ...companyIds,
  paymentId: uuid(),
  invoiceId: uuid(),
  creditNoteId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description:
      'The credit note that was issued with the refund; null if earlier credit notes, which were not refunded yet, cover it.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  }),
  amount: Type.String({
    description: 'The amount refunded, the part returned as credit included.',
    examples: ['9.60'],
  }),
  cardAmount: Type.String({
    description: 'The amount refunded to the card or the PayPal account.',
    examples: ['9.60'],
  }),
  creditAmount: Type.String({ description: 'The amount returned to the company as credit.', examples: ['0.00'] }),
  currency: Type.String({ examples: ['USD'] }),
  reason: Type.String(reason),
  source: Type.Enum(['operator', 'gateway'], {
    description:
      'Who made the refund: `operator`, with this API, or `gateway`, if somebody refunded at the gateway and Paydesk learned of ' +
      'it there.',
    examples: ['operator'],
  }),
  status: Type.Enum(REFUND_STATUSES, {
    description:
      '`Processing`: the gateway has not answered yet; Paydesk finds out the outcome. `NeedsReview`: the outcome could not be ' +
      'found out, or the gateway refunded another amount; the operator has to review the refund.',
    examples: ['Succeeded'],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type RefundAnswer = Static<typeof Refund>;

const { id, amount, creditAmount, currency, status, createdAt, updatedAt } = Refund.properties;

/** A refund as the company sees it, with its payment. */
export const PaymentRefund = namedObject('PaymentRefund', {
  ...{ id, amount, creditAmount, currency, status, createdAt, updatedAt },
});

export const RefundQuery = Type.Object(pageQuery);
export type RefundQuery = Static<typeof RefundQuery>;

export const RefundList = pageOf('RefundList', Refund);
export type RefundList = Static<typeof RefundList>;
