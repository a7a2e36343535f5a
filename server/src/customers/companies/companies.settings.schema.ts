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
      'How Paydesk bills usage that is reported after the invoice of its period was issued. `next_invoice`: the ' +
      'next invoice includes the usage as a dated line. `refuse`: the same, but Paydesk refuses usage that is ' +
      'older than `days`. `ignore`: the usage is never billed.',
    examples: ['next_invoice'],
  }),
  days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_650,
      description:
        'Required with `refuse`, and allowed only there: how many days after the end of its period usage is still accepted.',
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
      '`automatic`: Paydesk charges an invoice when it is due. `manual`: somebody has to pay it. `by_card`, the default: ' +
      'automatic while the company has a default card, or, for an invoice of the method `paypal`, a default PayPal account.',
    examples: ['automatic'],
  }),
  netDays: Type.Integer({
    minimum: 0,
    maximum: 120,
    description:
      'How many days after its issue an invoice is due. A day has 24 hours. A change applies to invoices that are issued ' +
      'later. 0 by default.',
    examples: [14],
  }),
  dunningDays: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), {
    maxItems: 10,
    description:
      'When Paydesk tries a refused charge again. The first number is the days after the first refusal, each further number ' +
      'the days after the refusal before it. An empty list means never. `[2, 5, 7, 7]` by default.',
    examples: [[2, 5, 7, 7]],
  }),
};

const paymentMethod = Type.Enum(PAYMENT_METHODS, {
  description:
    'What a company pays the invoices of billing runs with. A change applies to invoices that are issued later. `default` ' +
    'stands for the first of these that the company has: the default card, the default PayPal account, or its only PayPal ' +
    'account if it has no card. Otherwise it stands for a card.',
  examples: ['default'],
});
const invoiceMethod = Type.Enum(INVOICE_METHODS, {
  description: 'The `method` that a billing run would now give an invoice of the company.',
  examples: ['Card'],
});

/** Absent fields keep their values. */
export const BillingSettingsBody = namedObject('OperatorBillingSettingsBody', {
  currency: Type.Optional(
    text({
      required: true,
      rule: checkCurrency,
      description: "ISO 4217. The currency of the company's invoices and of its credit.",
      examples: ['EUR'],
    }),
  ),
  taxRate: Type.Optional(
    text({
      required: true,
      rule: checkTaxRate,
      description: 'The tax rate in percent, as a decimal string.',
      examples: ['19'],
    }),
  ),
  exemptWithTaxId: Type.Optional(
    Type.Boolean({
      description:
        'Whether the company pays no tax (reverse charge) while its billing information has a `taxId` in the form of ' +
        'a VAT number of its `country`.',
      examples: [true],
    }),
  ),
  timezone: Type.Optional(
    text({
      required: true,
      rule: checkTimezone,
      description: "An IANA time zone. The company's months begin and end in it.",
      examples: ['Europe/Berlin'],
    }),
  ),
  lateUsage: Type.Optional(namedObject('LateUsageBody', lateUsageFields, { 'x-documented': { anyOf: DAYS_BY_KIND } })),
  invoiceGraceHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      description: 'How many hours after the end of a period Paydesk issues its invoice.',
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
  currency: Type.String({ description: 'The currency of the company; `USD` until it is set.', examples: ['EUR'] }),
  taxRate: Type.String({ description: 'The tax rate in percent; `0` until it is set.', examples: ['19'] }),
  exemptWithTaxId: Type.Boolean({ examples: [true] }),
  taxExempt: Type.Boolean({
    description:
      'Whether the company is exempt from tax now: `exemptWithTaxId` is true, `taxId` has the form of the numbers of ' +
      "`country`, and that is not the seller's country.",
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
      'The `taxId` of the billing information, read by the rules of its `country`. Null without a `taxId`. `form` says ' +
      'whether the number is written as numbers of that country are. It is `unknown` for countries whose form Paydesk does ' +
      'not know. Paydesk knows the EU, GB, CH and NO.',
    examples: [{ number: 'DE123456789', country: 'DE', form: 'good' }],
  }),
  timezone: Type.String({
    description: 'The time zone in which the months of the company begin and end; `UTC` until it is set.',
    examples: ['Europe/Berlin'],
  }),
  lateUsage: namedObject('LateUsage', lateUsageFields),
  invoiceGraceHours: Type.Integer({ examples: [24] }),
  ...collectionFields,
  collectsAutomatically: Type.Boolean({
    description: 'Whether Paydesk now charges invoices that are paid by card when they are due.',
    examples: [true],
  }),
  paymentMethod,
  invoiceMethod,
  numberPrefix: Type.String({
    description:
      "The text that follows the seller's prefix in the numbers of the company's documents, while each company has its own " +
      'series.',
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
