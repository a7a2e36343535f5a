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
      'What is granted, with no more decimals than the currency has. Negative to correct an earlier grant, down to a credit of zero.',
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
  number: Type.Integer({ description: "The entry's position in the ledger, from 1 and without a gap.", examples: [1] }),
  kind: Type.Enum(KINDS, {
    description:
      '`grant` and `correction` are yours, but for a grant whose reason names an invoice: late usage made earlier months cheaper, or ' +
      'items give back, by more than the rest of that invoice comes to. ' +
      '`consumption` is what a payment takes, `return` what it gives back when it fails, ' +
      '`refund` what a refund of it gives back, `overpayment` what a gateway captured beyond what was due.',
    examples: ['grant'],
  }),
  amount: Type.String({ description: 'Negative for what is taken.', examples: ['25.00'] }),
  balance: Type.String({ description: 'What the company has after this entry.', examples: ['25.00'] }),
  currency: Type.String({ examples: ['USD'] }),
  reason: Type.String({
    description: 'Empty for what a payment does.',
    examples: ['Goodwill for the outage of 3 October'],
  }),
  paymentId: nullableId('The payment that takes it or gives it back.'),
  invoiceId: nullableId("That payment's invoice."),
  createdAt: timestamp(),
});
export type CreditEntry = Static<typeof CreditEntry>;

export const CreditQuery = Type.Object(pageQuery);

export const CreditLedger = namedObject('CreditLedger', {
  ...pageHead(),
  balance: Type.String({ description: 'The sum of all entries; `inStoreCredit` shows it.', examples: ['25.00'] }),
  currency: Type.String({ examples: ['USD'] }),
  data: Type.Array(CreditEntry),
});
export type CreditLedger = Static<typeof CreditLedger>;
