import { isBillingMonth, MONTH_PATTERN } from '../../platform/calendar/billing-periods.ts';
import { INSTANT_PATTERN, parseInstant } from '../../platform/http/schema/instants.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';

/** The most that a package, a tier or a free allowance may count: every whole number up to there is exact in JSON. */
export const MAX_REQUESTS = 1_000_000_000_000_000;

export const MODELS = ['flat', 'package', 'graduated', 'volume'] as const;

/** The fields that say what requests cost, and the models that take them; each of them needs all of its own. */
export const FIELDS_OF_MODELS: Record<
  'unitAmount' | 'packageAmount' | 'packageSize' | 'tiers',
  readonly (typeof MODELS)[number][]
> = {
  unitAmount: ['flat'],
  packageAmount: ['package'],
  packageSize: ['package'],
  tiers: ['graduated', 'volume'],
};

const HOUR_MS = 3_600_000;

/** An amount of money in a price: plain notation, not negative, below 10^14 as every amount, of up to 12 places. */
export const checkAmount = documentedRule({ pattern: '0*[0-9]{1,14}(?:[.][0-9]{1,12})?', maxLength: 40 }, (value) => {
  if (!/^\d+(\.\d+)?$/.test(value)) return ['must be a plain decimal such as 0.004, not negative'];
  if (!/^\d+(\.\d{1,12})?$/.test(value)) return ['must have at most 12 decimal places'];
  return /^0*\d{1,14}(\.|$)/.test(value) && value.length <= 40 ? [] : ['must be less than 100000000000000'];
});

/**
 * A path, or a prefix of paths with a `*` behind it. Else any text, because usage takes any for a path: what can be used can be
 * priced.
 */
export const checkPath = documentedRule({ pattern: '[^\\s*\\u0000][^*\\u0000]*[*]?|[*]' }, (value) =>
  /\*./s.test(value) ? ['must have a * at its end alone'] : [],
);

/**
 * A month or an instant at which a price may begin or end. Usage is counted by the hour of UTC, so no price can change within one.
 */
export const checkBound = documentedRule({ pattern: `${MONTH_PATTERN}|${INSTANT_PATTERN}` }, (value) => {
  if (isBillingMonth(value)) return [];
  const instant = parseInstant(value);
  if (instant === null)
    return ['must be a month such as 2026-10, or a date-time with a zone, such as 2026-10-01T00:00:00Z'];
  return instant.getTime() % HOUR_MS === 0 ? [] : ['must be on a whole hour of UTC, such as 2026-10-01T00:00:00Z'];
});
