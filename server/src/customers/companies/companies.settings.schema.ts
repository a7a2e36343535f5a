import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { checkTimezone } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../platform/money/currencies.ts';
import { compareDecimals, MAX_DECIMAL_LENGTH, parseDecimal, toDecimal } from '../../platform/money/decimal.ts';
import type { VatId } from '../vat-ids/vat-ids.service.ts';
import { companyNumberPrefix } from './companies.prefix.schema.ts';

const LATE_USAGE_KINDS = ['next_invoice', 'refuse', 'ignore'] as const;
export type LateUsageKind = (typeof LATE_USAGE_KINDS)[number];

const COLLECTIONS = ['by_card', 'automatic', 'manual'] as const;

const PAYMENT_METHODS = ['default', 'Card', 'paypal'] as const;
const INVOICE_METHODS = ['Card', 'paypal'] as const;

const MAX_TAX_RATE = toDecimal('100');

const TAX_RATE = {
  pattern: '0*(?:100(?:[.]0+)?|[0-9]{1,2}(?:[.][0-9]+)?)|-0+(?:[.]0+)?',
  maxLength: MAX_DECIMAL_LENGTH,
};
/** A percentage from 0 to 100. */
export const checkTaxRate = documentedRule(TAX_RATE, (value) => {
  const rate = parseDecimal(value);
  const isRate = rate !== null && rate.coefficient >= 0n && compareDecimals(rate, MAX_TAX_RATE) <= 0;
  return isRate ? [] : ['must be a percentage from 0 to 100 as a plain decimal, such as 19 or 7.7'];
});

const lateUsageFields = {
  kind: Type.Enum(LATE_USAGE_KINDS, {
    description:
      'What becomes of usage that is reported after its period was billed: a dated line of the next invoice, the same ' +
      'unless it is older than `days`, or nothing.',
    examples: ['next_invoice'],
  }),
  days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_650,
      description: 'With `refuse`, and there alone: how many days after the end of its period usage is still taken.',
    }),
  ),
};

const DAYS_BY_KIND = [
  { properties: { kind: { enum: ['refuse'] } }, required: ['days'] },
  { properties: { kind: { enum: LATE_USAGE_KINDS.filter((kind) => kind !== 'refuse') } } },
];

const collectionFields = {
  collection: Type.Enum(COLLECTIONS, {
    description:
      'Whether invoices are charged by themselves when they are due (`automatic`), or when somebody pays (`manual`). `by_card`, until ' +
      'it is set: automatic as long as the company has a default card, and for invoices of the method `paypal` a default PayPal account.',
    examples: ['automatic'],
  }),
  netDays: Type.Integer({
    minimum: 0,
    maximum: 120,
    description:
      'How many days of 24 hours after its issue an invoice is due; for those that are issued from now on. 0 until it is set.',
    examples: [14],
  }),
  dunningDays: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), {
    maxItems: 10,
    description:
      'When a refused charge is tried again: so many days after the first refusal, then so many after the one before. Empty: never. ' +
      '`[2, 5, 7, 7]` until it is set.',
    examples: [[2, 5, 7, 7]],
  }),
};

const paymentMethod = Type.Enum(PAYMENT_METHODS, {
  description:
    'What the invoices of billing runs are paid with, those that are issued from now on. `default`, until it is set: the default card, ' +
    'else the default PayPal account, else a PayPal account that is all there is to charge, else a card.',
  examples: ['default'],
});
const invoiceMethod = Type.Enum(INVOICE_METHODS, {
  description: 'The `method` that the invoice of a billing run would have now.',
  examples: ['Card'],
});

/** Absent fields keep their values. */
export const BillingSettingsBody = namedObject('OperatorBillingSettingsBody', {
  currency: Type.Optional(
    text({
      required: true,
      rule: checkCurrency,
      description: 'ISO 4217: what the company is billed in, and what its credit is in.',
      examples: ['EUR'],
    }),
  ),
  taxRate: Type.Optional(
    text({ required: true, rule: checkTaxRate, description: 'Percent, as a decimal string.', examples: ['19'] }),
  ),
  exemptWithTaxId: Type.Optional(
    Type.Boolean({
      description:
        'Whether a `taxId` on its billing information frees the company of the tax (reverse charge), if it has the form of its country.',
      examples: [true],
    }),
  ),
  timezone: Type.Optional(
    text({
      required: true,
      rule: checkTimezone,
      description: 'IANA: where its months begin and end.',
      examples: ['Europe/Berlin'],
    }),
  ),
  lateUsage: Type.Optional(namedObject('LateUsageBody', lateUsageFields, { 'x-documented': { anyOf: DAYS_BY_KIND } })),
  invoiceGraceHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      description: 'How many hours after the end of a period its invoice is made.',
      examples: [24],
    }),
  ),
  collection: Type.Optional(collectionFields.collection),
  netDays: Type.Optional(collectionFields.netDays),
  dunningDays: Type.Optional(collectionFields.dunningDays),
  paymentMethod: Type.Optional(paymentMethod),
  numberPrefix: Type.Optional(companyNumberPrefix),
});
export type BillingSettingsBody = Static<typeof BillingSettingsBody>;

const settingsFields = {
  ...companyIds,
  currency: Type.String({ description: '`USD` until it is set.', examples: ['EUR'] }),
  taxRate: Type.String({ description: '`0` until it is set.', examples: ['19'] }),
  exemptWithTaxId: Type.Boolean({ examples: [true] }),
  taxExempt: Type.Boolean({
    description:
      'Whether the company is exempt now: `exemptWithTaxId` is set, and its `taxId` has the form of a number of its `country`, which is ' +
      "not the seller's.",
    examples: [false],
  }),
  vatId: Type.Unsafe<VatId | null>({
    type: ['object', 'null'],
    properties: {
      number: { type: 'string', examples: ['DE123456789'] },
      country: { type: 'string', examples: ['DE'] },
      form: { type: 'string', enum: ['good', 'bad', 'unknown'], examples: ['good'] },
    },
    required: ['number', 'country', 'form'],
    description:
      'The `taxId` of its billing information, read by its `country`; null without one. `form`: whether it is written as numbers of that ' +
      'country are; `unknown` where that is not known (known: the EU, GB, CH, NO).',
    examples: [{ number: 'DE123456789', country: 'DE', form: 'good' }],
  }),
  timezone: Type.String({ description: '`UTC` until it is set.', examples: ['Europe/Berlin'] }),
  lateUsage: namedObject('LateUsage', lateUsageFields),
  invoiceGraceHours: Type.Integer({ examples: [24] }),
  ...collectionFields,
  collectsAutomatically: Type.Boolean({
    description: 'Whether invoices that are paid by card are collected by themselves now.',
    examples: [true],
  }),
  paymentMethod,
  invoiceMethod,
  numberPrefix: Type.String({
    description: "What its numbers have after the seller's prefix, while each company has a series.",
    examples: ['ACME-'],
  }),
};

export const BillingSettings = namedObject('OperatorBillingSettings', settingsFields);
export type BillingSettings = Static<typeof BillingSettings>;

/** The settings that a company sees. */
export const OwnBillingSettings = namedObject('BillingSettings', {
  ...companyIds,
  currency: settingsFields.currency,
  taxRate: settingsFields.taxRate,
  taxExempt: settingsFields.taxExempt,
  timezone: settingsFields.timezone,
  netDays: settingsFields.netDays,
  collectsAutomatically: settingsFields.collectsAutomatically,
  paymentMethod,
  invoiceMethod,
});

/** The settings that a company may choose. */
export const OwnBillingSettingsBody = namedObject('BillingSettingsBody', {
  paymentMethod: Type.Optional(paymentMethod),
});
