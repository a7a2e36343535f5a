import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageHead, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { decimalText, text } from '../../platform/http/schema/validation.ts';
import { checkDecimal } from '../../platform/money/decimal.ts';

const KINDS = ['grant', 'correction', 'consumption', 'return', 'refund', 'overpayment'] as const;
export type CreditKind = (typeof KINDS)[number];

export const GrantCreditBody = namedObject('GrantCreditBody', {
  amount: decimalText(checkDecimal, {
    description:
      'The amount to grant, with no more decimals than the currency has. A negative amount corrects an earlier grant; the credit ' +
      'cannot fall below zero.',
    examples: ['25.00'],
  }),
  currency: text({ required: true, description: "The company's billing currency.", examples: ['USD'] }),
  reason: text({ max: 2_000, required: true, examples: ['Goodwill for the outage of 3 October'] }),
});
export type GrantCreditBody = Static<typeof GrantCreditBody>;

const nullableId = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description, examples: [null] });

export const CreditEntry = namedObject('CreditEntry', {
  id: uuid(),
  ...companyIds,
  number: Type.Integer({
    description: "The position of the entry among the company's entries, from 1 without a gap.",
    examples: [1],
  }),
  kind: Type.Enum(KINDS, {
    description:
      '`grant` and `correction`: the operator granted or corrected credit. A billing run makes a `grant` too, ' +
      'whose `reason` names the invoice, if late usage or items lower an invoice below zero. `consumption`: a ' +
      'payment used credit. `return`: a failed payment returned its credit. `refund`: a refund returned credit. ' +
      '`overpayment`: a gateway captured more than was due.',
    examples: ['grant'],
  }),
  amount: Type.String({ description: 'The change of the balance: negative when credit is used.', examples: ['25.00'] }),
  balance: Type.String({ description: "The company's credit after this entry.", examples: ['25.00'] }),
  currency: Type.String({ examples: ['USD'] }),
  reason: Type.String({
    description: 'The reason of the entry; empty if a payment made it.',
    examples: ['Goodwill for the outage of 3 October'],
  }),
  paymentId: nullableId('The payment that used the credit, or that returned it when it failed or was refunded.'),
  invoiceId: nullableId('The invoice of the payment that `paymentId` names.'),
  createdAt: timestamp(),
});
export type CreditEntry = Static<typeof CreditEntry>;

export const CreditQuery = Type.Object(pageQuery);

export const CreditLedger = namedObject('CreditLedger', {
  ...pageHead(),
  balance: Type.String({
    description: "The sum of all entries, which is also the company's `inStoreCredit`.",
    examples: ['25.00'],
  }),
  currency: Type.String({ examples: ['USD'] }),
  data: Type.Array(CreditEntry),
});
export type CreditLedger = Static<typeof CreditLedger>;
