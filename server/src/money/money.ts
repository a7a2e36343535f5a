import { minorUnitDigits } from './currencies.ts';
import {
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
} from './decimal.ts';

/**
 * In major units of any currency, exclusive: every line, sub-total and total is nearer to zero. That leaves 14 digits before the
 * point and at most 4 behind it, which fit `numeric(20,4)` and, in minor units, an 8-byte integer.
 */
const AMOUNT_LIMIT: Decimal = { coefficient: 10n ** 14n, scale: 0 };

/** In percent; the least is 0. */
const MAX_TAX_RATE: Decimal = { coefficient: 100n, scale: 0 };

/** An invoice's amounts in minor units: whole cents for USD, whole yen for JPY. */
export type Totals = { lineAmountsMinor: bigint[]; subTotalMinor: bigint; taxMinor: bigint; totalMinor: bigint };

/** No invoice can carry this. `field` is the culprit, `message` completes "the field …"; the caller answers 400 with both. */
export class AmountError extends RangeError {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'AmountError';
    this.field = field;
  }
}

/** Major to minor units, rounded once, half away from zero: 0.125 USD is 13n. Throws a RangeError for what is no currency. */
export function toMinor(amount: Decimal, currency: string): bigint {
  return roundDecimal(amount, minorUnitDigits(currency)).coefficient;
}

/** Minor to major units, exactly: 13n is 0.13 USD. Throws a RangeError for what is no currency. */
export function fromMinor(amountMinor: bigint, currency: string): Decimal {
  return { coefficient: amountMinor, scale: minorUnitDigits(currency) };
}

/**
 * Major units as the API shows them (specification 2.4): two decimals, or as many as the minor unit has if that is more.
 * 10000n is `100.00` USD and `10.000` KWD; 100n is `100.00` JPY. Throws a RangeError for what is no currency.
 */
export function formatAmount(amountMinor: bigint, currency: string): string {
  const decimals = Math.max(2, minorUnitDigits(currency));
  return formatDecimal(roundDecimal(fromMinor(amountMinor, currency), decimals));
}

/**
 * Adds an invoice up. Each line (major units) is rounded once to the minor unit; the sub-total is the sum of the rounded lines;
 * tax is sub-total × `taxRate` percent, rounded once; all rounding is half away from zero. Lines may be negative, and so may the
 * total: whether that can be issued is the caller's rule.
 *
 * Throws an `AmountError` on `details[0].amount` or `taxRate` for what is no plain decimal or out of bounds, on `details` when the
 * sums are; a RangeError for what is no currency.
 */
export function computeTotals(details: readonly { amount: string }[], taxRate: string, currency: string): Totals {
  const rate = readTaxRate(taxRate);
  const lineAmountsMinor = details.map((line, index) => readLine(line.amount, `details[${index}].amount`, currency));
  const subTotalMinor = lineAmountsMinor.reduce((sum, lineMinor) => sum + lineMinor, 0n);
  const taxMinor = toMinor(percentOf(fromMinor(subTotalMinor, currency), rate), currency);
  const totalMinor = subTotalMinor + taxMinor;
  for (const sumMinor of [subTotalMinor, totalMinor]) requireWithinLimit(sumMinor, currency, 'details');
  return { lineAmountsMinor, subTotalMinor, taxMinor, totalMinor };
}

function readLine(text: string, field: string, currency: string): bigint {
  const amountMinor = toMinor(readDecimal(text, field), currency);
  requireWithinLimit(amountMinor, currency, field);
  return amountMinor;
}

function readTaxRate(text: string): Decimal {
  const rate = readDecimal(text, 'taxRate');
  if (rate.coefficient < 0n || compareDecimals(rate, MAX_TAX_RATE) > 0) {
    throw new AmountError('taxRate', `must be a percentage from 0 to ${formatDecimal(MAX_TAX_RATE)}`);
  }
  return rate;
}

function readDecimal(text: string, field: string): Decimal {
  const value = parseDecimal(text);
  if (value === null) throw new AmountError(field, 'must be a plain decimal such as 12.34, without an exponent');
  return value;
}

function requireWithinLimit(amountMinor: bigint, currency: string, field: string): void {
  const limitMinor = toMinor(AMOUNT_LIMIT, currency);
  if (amountMinor >= limitMinor || amountMinor <= -limitMinor) {
    throw new AmountError(field, `must be less than ${formatDecimal(AMOUNT_LIMIT)} on either side of zero`);
  }
}

/** Dividing by 100 moves the point by two digits, so it is exact. */
function percentOf(amount: Decimal, rate: Decimal): Decimal {
  return multiplyDecimals(amount, { coefficient: rate.coefficient, scale: rate.scale + 2 });
}
