import { minorUnitDigits } from './currencies.ts';
import {
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  toDecimal,
} from './decimal.ts';

/**
 * The exclusive limit in major units of any currency: every line, sub-total and total is nearer to zero. That leaves 14 digits before the
 * point and at most 4 after it, which fit `numeric(20,4)` and, in minor units, an 8-byte integer.
 */
const AMOUNT_LIMIT: Decimal = { coefficient: 10n ** 14n, scale: 0 };

/** In percent. The minimum is 0. */
const MAX_TAX_RATE: Decimal = { coefficient: 100n, scale: 0 };

/** The sum of the lines with one tax rate, and their tax. `rate` is in percent, without trailing zeros. */
export type RateTotals = { rate: string; netMinor: bigint; taxMinor: bigint };

/**
 * An invoice's amounts in minor units: whole cents for USD, whole yen for JPY. `byRate` begins with the lowest rate and has at least one.
 */
export type Totals = {
  lineAmountsMinor: bigint[];
  subTotalMinor: bigint;
  taxMinor: bigint;
  totalMinor: bigint;
  byRate: RateTotals[];
};

/** An amount that no invoice can have. `message` completes "the field …" for `field`; the caller answers 400 with both. */
export class AmountError extends RangeError {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'AmountError';
    this.field = field;
  }
}

/** Converts major to minor units, rounded once, half away from zero: 0.125 USD is 13n. Throws a RangeError for an unknown currency. */
export function toMinor(amount: Decimal, currency: string): bigint {
  return roundDecimal(amount, minorUnitDigits(currency)).coefficient;
}

/** Converts minor to major units, exactly: 13n is 0.13 USD. Throws a RangeError for an unknown currency. */
export function fromMinor(amountMinor: bigint, currency: string): Decimal {
  return { coefficient: amountMinor, scale: minorUnitDigits(currency) };
}

/**
 * Writes major units as the API shows them: two decimals, or as many as the minor unit has if that is more. 10000n is
 * `100.00` USD and `10.000` KWD; 100n is `100.00` JPY. Throws a RangeError for an unknown currency.
 */
export function formatAmount(amountMinor: bigint, currency: string): string {
  const decimals = Math.max(2, minorUnitDigits(currency));
  return formatDecimal(roundDecimal(fromMinor(amountMinor, currency), decimals));
}

/**
 * Computes an invoice's totals. Each line (major units) is rounded once to the minor unit; the sub-total is the sum of the rounded lines.
 * Lines without a `taxRate` have the invoice's. The tax of each rate is the sum of its lines × the rate in percent, rounded once (EN 16931,
 * BR-CO-17). All rounding is half away from zero. Lines and the total may be negative; whether such an invoice can be issued is the
 * caller's rule.
 * Throws an `AmountError` on `details[0].amount`, `details[0].taxRate` or `taxRate` for anything but a plain decimal within the limits, and
 * on `details` if the sums exceed them; a RangeError for an unknown currency.
 */
export function computeTotals(
  details: readonly { amount: string; taxRate?: string }[],
  taxRate: string,
  currency: string,
): Totals {
  const rate = writeRate(readTaxRate(taxRate, 'taxRate'));
  const lineAmountsMinor = details.map((line, index) => readLine(line.amount, `details[${index}].amount`, currency));
  const nets = new Map<string, bigint>(details.length === 0 ? [[rate, 0n]] : []);
  // Most lines have the same rate, which is read once.
  const rates = new Map([[taxRate, rate]]);
  for (const [index, line] of details.entries()) {
    const written = line.taxRate ?? taxRate;
    const own = rates.get(written) ?? writeRate(readTaxRate(written, `details[${index}].taxRate`));
    rates.set(written, own);
    nets.set(own, (nets.get(own) ?? 0n) + (lineAmountsMinor[index] ?? 0n));
  }
  const byRate = [...nets].map(([of, netMinor]) => ({ rate: of, netMinor, taxMinor: taxOf(netMinor, of, currency) }));
  byRate.sort((left, right) => compareDecimals(toDecimal(left.rate), toDecimal(right.rate)));
  const subTotalMinor = byRate.reduce((sum, { netMinor }) => sum + netMinor, 0n);
  const taxMinor = byRate.reduce((sum, one) => sum + one.taxMinor, 0n);
  const totalMinor = subTotalMinor + taxMinor;
  for (const sumMinor of [subTotalMinor, totalMinor]) requireWithinLimit(sumMinor, currency, 'details');
  return { lineAmountsMinor, subTotalMinor, taxMinor, totalMinor, byRate };
}

/** Returns the tax on a net amount at a rate in percent, rounded once, half away from zero. */
function taxOf(netMinor: bigint, rate: string, currency: string): bigint {
  return toMinor(percentOf(fromMinor(netMinor, currency), toDecimal(rate)), currency);
}

/** Writes `20.00` and `020` as `20`. */
function writeRate(rate: Decimal): string {
  const text = formatDecimal(rate);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function readLine(text: string, field: string, currency: string): bigint {
  const amountMinor = toMinor(readDecimal(text, field), currency);
  requireWithinLimit(amountMinor, currency, field);
  return amountMinor;
}

function readTaxRate(text: string, field: string): Decimal {
  const rate = readDecimal(text, field);
  if (rate.coefficient < 0n || compareDecimals(rate, MAX_TAX_RATE) > 0) {
    throw new AmountError(field, `must be a percentage from 0 to ${formatDecimal(MAX_TAX_RATE)}`);
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
