import type { Static } from 'typebox';
import { companyIdOrNull, companyIdsOrNull, companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { checkDateOrInstant } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { patternRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { checkCurrency } from '../../platform/money/currencies.ts';
import { checkAmount, checkBound, checkPath, FIELDS_OF_MODELS, MAX_REQUESTS, MODELS } from './prices.fields.ts';

const MAX_TIERS = 100;

/** The value of the company filter for prices that are no company's override. */
const GENERAL = 'general';

const path = {
  description:
    'A path such as /v1/transcriptions, or a prefix that ends with *: /v1/* matches every path that begins with /v1/, and * ' +
    'matches every path.',
  examples: ['/v1/transcriptions'],
};
const currency = {
  rule: checkCurrency,
  description: 'The currency, as a code of ISO 4217. A company is billed by the prices in its own currency.',
  examples: ['USD'],
};
const effectiveFrom =
  'When the price begins: an instant on a whole hour of UTC, or a month such as `2026-10`. A month begins for each company ' +
  'with its own billing period, in its time zone.';
// An amount with that many places may look like a card number.
const amount = (description: string) => ({
  rule: checkAmount,
  cardNumbers: 'allowed' as const,
  description: `${description} A decimal string in major units, with up to 12 decimals.`,
});
const UNIT_AMOUNT = amount('With `flat`: the price of each request.');
const PACKAGE_AMOUNT = amount(
  'With `package`: the price of each package. A package that is only partly used is charged in full.',
);
const PACKAGE_SIZE = 'With `package`: the number of requests in a package.';
const TIER_UNIT_AMOUNT = amount('The price of each request.');
const TIER_FLAT_AMOUNT = amount(
  'A fixed amount, charged once when the first request falls into this tier; 0 when absent.',
);
const UP_TO = {
  minimum: 1,
  maximum: MAX_REQUESTS,
  description:
    'The last request of the tier, not counting free requests. Ascending; null in the last tier, which has no end.',
};
const MODEL =
  '`flat`: each request costs the same. `package`: requests are sold in packages. `graduated`: each request costs the price ' +
  'of the tier that it falls into. `volume`: all requests cost the price of the tier that the last request falls into.';
const TIERS = 'The tiers, with `graduated` and `volume`.';
const FREE_REQUESTS =
  'The number of free requests in each billing period and for each version. Tiers and packages count only the requests after ' +
  'them.';
const POOLED =
  'For a prefix. True: the requests of all matching paths are counted together, as one invoice line whose path is the ' +
  'prefix. False: each path is rated by itself.';

const nullable = (schema: object) => ({ ...schema, type: ['string', 'null'] });

/** Each model with the fields that it requires, and without those of other models. */
const FIELDS_BY_MODEL = MODELS.map((model) => {
  const fields = Object.entries(FIELDS_OF_MODELS);
  const others = fields.flatMap(([name, models]) => (models.includes(model) ? [] : [[name, false]]));
  return {
    properties: { model: { enum: [model] }, ...Object.fromEntries(others) },
    required: fields.flatMap(([name, models]) => (models.includes(model) ? [name] : [])),
  };
});

const GRADUATED = {
  path: '/v1/transcriptions',
  title: 'Speech to text',
  currency: 'USD',
  model: 'graduated',
  tiers: [
    { upTo: 10_000, unitAmount: '0.004' },
    { upTo: null, unitAmount: '0.0025', flatAmount: '5.00' },
  ],
  freeRequests: 1_000,
  pooled: false,
};

export const CreatePriceBody = namedObject(
  'CreatePriceBody',
  {
    path: text({ required: true, rule: checkPath, ...path }),
    title: text({ required: true, description: 'The title of the invoice line.', examples: ['Speech to text'] }),
    currency: text({ required: true, ...currency }),
    companyId: Type.Optional(
      companyIdOrNull({
        description: 'Makes the price an override for this company, which beats every matching general price.',
        examples: [null],
      }),
    ),
    effectiveFrom: text({ required: true, rule: checkBound, description: effectiveFrom }),
    effectiveTo: Type.Optional(
      Type.Unsafe<string | null>(
        nullable({
          ...text({ rule: checkBound }),
          description:
            'When the price ends (exclusive): an instant or a month. When absent: the price ends when the next version begins.',
        }),
      ),
    ),
    model: Type.Enum(MODELS, { description: MODEL }),
    unitAmount: Type.Optional(text({ required: true, ...UNIT_AMOUNT })),
    packageAmount: Type.Optional(text({ required: true, ...PACKAGE_AMOUNT })),
    packageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_REQUESTS, description: PACKAGE_SIZE })),
    tiers: Type.Optional(
      Type.Array(
        namedObject('PriceTierBody', {
          upTo: Type.Unsafe<number | null>({ type: ['integer', 'null'], ...UP_TO }),
          unitAmount: text({ required: true, ...TIER_UNIT_AMOUNT }),
          flatAmount: Type.Optional(text({ required: true, ...TIER_FLAT_AMOUNT })),
        }),
        { minItems: 1, maxItems: MAX_TIERS, description: TIERS },
      ),
    ),
    freeRequests: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_REQUESTS, description: `${FREE_REQUESTS} 0 when absent.` }),
    ),
    pooled: Type.Optional(Type.Boolean({ description: `${POOLED} False when absent.` })),
  },
  {
    'x-documented': { oneOf: FIELDS_BY_MODEL },
    examples: [{ ...GRADUATED, effectiveFrom: '2026-10-01T00:00:00Z' }],
  },
);
export type CreatePriceBody = Static<typeof CreatePriceBody>;

export const EndPriceBody = namedObject('EndPriceBody', {
  effectiveTo: text({
    required: true,
    rule: checkBound,
    description:
      "When the price ends (exclusive): an instant on a whole hour of UTC, or a month, which begins in each company's own time " +
      'zone.',
    examples: ['2027-01-01T00:00:00Z'],
  }),
});

export const Price = namedObject(
  'Price',
  {
    id: uuid(),
    ...companyIdsOrNull('The company of the override; null for a general price.'),
    path: Type.String({ description: path.description }),
    title: Type.String(),
    currency: Type.String(),
    effectiveFrom: Type.String({ description: 'When the price begins: an instant, or a month if a month was set.' }),
    effectiveTo: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'When the price ends: its own end or the start of the next version, whichever comes first; null if neither is set.',
    }),
    model: Type.Enum(MODELS, { description: MODEL }),
    unitAmount: Type.Optional(Type.String({ description: UNIT_AMOUNT.description })),
    packageAmount: Type.Optional(Type.String({ description: PACKAGE_AMOUNT.description })),
    packageSize: Type.Optional(Type.Integer({ description: PACKAGE_SIZE })),
    tiers: Type.Optional(
      Type.Array(
        namedObject('PriceTier', {
          upTo: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: UP_TO.description }),
          unitAmount: Type.String({ description: TIER_UNIT_AMOUNT.description }),
          flatAmount: Type.Optional(Type.String({ description: TIER_FLAT_AMOUNT.description })),
        }),
        { description: TIERS },
      ),
    ),
    freeRequests: Type.Integer({ description: FREE_REQUESTS }),
    pooled: Type.Boolean({ description: POOLED }),
    createdAt: timestamp('2026-09-14T09:30:00.000Z'),
    updatedAt: timestamp('2026-09-14T09:30:00.000Z'),
  },
  {
    examples: [
      {
        id: '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40',
        companyId: null,
        ...GRADUATED,
        effectiveFrom: '2026-10-01T00:00:00.000Z',
        effectiveTo: null,
        createdAt: '2026-09-14T09:30:00.000Z',
        updatedAt: '2026-09-14T09:30:00.000Z',
      },
    ],
  },
);
export type PriceAnswer = Static<typeof Price>;

export const PriceQuery = Type.Object({
  ...pageQuery,
  path: Type.Optional(text({ required: true, ...path, description: 'Prices of exactly this path or prefix.' })),
  currency: Type.Optional(text({ required: true, ...currency, description: 'Prices in this currency. ISO 4217.' })),
  companyId: Type.Optional(
    companyIdText({
      description: `The overrides of this company; \`${GENERAL}\` for prices that are not overrides.`,
      otherwise: GENERAL,
    }),
  ),
  at: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description:
        'Prices that apply at this instant. Months are taken in UTC; a date alone means 00:00 UTC of that day.',
      examples: ['2026-10-01'],
    }),
  ),
});
export type PriceQuery = Static<typeof PriceQuery>;

export const PriceList = pageOf('PriceList', Price);

export const PriceQuoteQuery = Type.Object({
  path: text({ required: true, description: 'The path that is requested.', examples: ['/v1/transcriptions'] }),
  quantity: text({
    required: true,
    rule: patternRule('[0-9]{1,15}', 'must be a whole number, not negative'),
    description: 'How many requests, in one period.',
    examples: ['12345'],
  }),
  currency: text({ required: true, ...currency, description: 'The currency of the prices. ISO 4217.' }),
  companyId: Type.Optional(
    companyIdText({ description: 'The company whose overrides apply. When absent: only general prices apply.' }),
  ),
  at: Type.Optional(
    text({
      required: true,
      rule: checkDateOrInstant,
      description: 'When the requests are made; a date means 00:00 UTC of that day. When absent: now.',
      examples: ['2026-10-01'],
    }),
  ),
});
export type PriceQuoteQuery = Static<typeof PriceQuoteQuery>;

export const PriceQuote = namedObject('PriceQuote', {
  amount: Type.String({ description: 'Net, rounded once to the minor unit of the currency.', examples: ['24.69'] }),
  currency: Type.String({ examples: ['USD'] }),
  priceId: Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], format: 'uuid', examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'] },
    description: 'The version of the price that applies; null when the path has none, and the amount is zero.',
  }),
  lines: Type.Array(
    namedObject('PriceQuoteLine', {
      quantity: Type.String({
        description: 'How many requests, or packages, or 1 for the flat amount of a tier.',
        examples: ['12345'],
      }),
      unitAmount: Type.String({ description: 'What one costs; `0` for free requests.', examples: ['0.002'] }),
      amount: Type.String({ description: 'Exact, not rounded.', examples: ['24.69'] }),
    }),
    { description: 'What makes up the amount, in order: free requests first, then tiers.' },
  ),
});
export type PriceQuote = Static<typeof PriceQuote>;
