import { isBillingMonth, MONTH_PATTERN } from '../../platform/calendar/billing-periods.ts';
import { INSTANT_PATTERN, parseInstant } from '../../platform/http/schema/instants.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';

/** The most that a package, a tier or a free allowance may count. JSON represents every integer up to it exactly. */
export const MAX_REQUESTS = 1_000_000_000_000_000;

export const MODELS = ['flat', 'package', 'graduated', 'volume'] as const;

/** The fields that say what requests cost, by model; a model requires all of its own. */
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

/**
 * A price amount: plain decimal notation, not negative, below 10^14 as all amounts are, with up to 12 decimal places.
 */
export const checkAmount = documentedRule({ pattern: '0*[0-9]{1,14}(?:[.][0-9]{1,12})?', maxLength: 40 }, (value) => {
  if (!/^\d+(\.\d+)?$/.test(value)) return ['must be a plain decimal such as 0.004, not negative'];
  if (!/^\d+(\.\d{1,12})?$/.test(value)) return ['must have at most 12 decimal places'];
  return /^0*\d{1,14}(\.|$)/.test(value) && value.length <= 40 ? [] : ['must be less than 100000000000000'];
});

/**
 * A path, or a prefix of paths followed by `*`. Any other text is allowed, because usage accepts any text as a path.
 */
export const checkPath = documentedRule({ pattern: '[^\\s*\\u0000][^*\\u0000]*[*]?|[*]' }, (value) =>
  /\*./s.test(value) ? ['may have a * only at its end'] : [],
);

/**
 * A month or an instant at which a price begins or ends. It is a whole hour of UTC, because usage is counted by the
 * hour.
 */
export const checkBound = documentedRule({ pattern: `${MONTH_PATTERN}|${INSTANT_PATTERN}` }, (value) => {
  if (isBillingMonth(value)) return [];
  const instant = parseInstant(value);
  if (instant === null)
    return ['must be a month such as 2026-10, or a date-time with a zone, such as 2026-10-01T00:00:00Z'];
  return instant.getTime() % HOUR_MS === 0 ? [] : ['must be on a whole hour of UTC, such as 2026-10-01T00:00:00Z'];
});
