import { documentedRule } from '../http/schema/text-rules.ts';

/**
 * An exact decimal: `coefficient` × 10^-`scale`, so that 12.50 is 1250n at scale 2. A bigint with a scale is used instead of decimal.js,
 * because it has no precision setting that could round unnoticed, and every step is one native operation.
 */
export type Decimal = { readonly coefficient: bigint; readonly scale: number };

/** The longest text that `parseDecimal` reads, in characters. */
export const MAX_DECIMAL_LENGTH = 40;

/**
 * Reads plain notation: an optional minus, digits, an optional point with digits. Null for everything else: exponents, a plus,
 * spaces, NaN, Infinity, other scripts' digits, more than `MAX_DECIMAL_LENGTH` characters. The scale is kept as written.
 */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > MAX_DECIMAL_LENGTH || !/^-?[0-9]+(\.[0-9]+)?$/.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  return { coefficient: BigInt(whole + fraction), scale: fraction.length };
}

/** The rule for a decimal. A JSON number must be an amount, less than 10^14. */
export const checkDecimal = documentedRule(
  { pattern: '-?[0-9]+(?:[.][0-9]+)?', maxLength: MAX_DECIMAL_LENGTH, exclusiveMinimum: -1e14, exclusiveMaximum: 1e14 },
  (text) => (parseDecimal(text) === null ? ['must be a plain decimal such as 12.50'] : []),
);

/** The rule for an amount greater than zero. */
export const checkPositiveDecimal = documentedRule(
  {
    pattern: '[0-9]*[1-9][0-9]*(?:[.][0-9]+)?|[0-9]+[.][0-9]*[1-9][0-9]*',
    maxLength: MAX_DECIMAL_LENGTH,
    exclusiveMinimum: 0,
    exclusiveMaximum: 1e14,
  },
  (text) => {
    const problems = checkDecimal(text);
    return problems.length > 0 || toDecimal(text).coefficient > 0n ? problems : ['must be more than zero'];
  },
);

/** Reads text that is known to be a decimal: a `numeric` column, a constant. Throws a RangeError otherwise. */
export function toDecimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null) throw new RangeError('Not a plain decimal.');
  return value;
}

/**
 * Writes plain notation with exactly `scale` digits after the point. What `parseDecimal` read is unchanged, except for leading zeros and
 * `-0`.
 */
export function formatDecimal({ coefficient, scale }: Decimal): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = String(coefficient)
    .replace('-', '')
    .padStart(scale + 1, '0');
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/**
 * Writes a JSON number of exactly this value, without trailing zeros: `90071992547409.93`, `100`. It is never converted to a binary float.
 */
export function jsonNumber(value: Decimal): string {
  const text = formatDecimal(value);
  return value.scale === 0 ? text : text.replace(/\.?0+$/, '');
}

/** Returns the exact sum. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { coefficient: atScale(left, scale) + atScale(right, scale), scale };
}

/** Returns the exact difference. */
export function subtractDecimals(from: Decimal, { coefficient, scale }: Decimal): Decimal {
  return addDecimals(from, { coefficient: -coefficient, scale });
}

/** Returns the exact product. */
export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { coefficient: left.coefficient * right.coefficient, scale: left.scale + right.scale };
}

/** Returns -1, 0 or 1 by value: 1.5 equals 1.50. */
export function compareDecimals(left: Decimal, right: Decimal): -1 | 0 | 1 {
  const scale = Math.max(left.scale, right.scale);
  const difference = atScale(left, scale) - atScale(right, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Rounds half away from zero to exactly `scale` digits after the point; 1.5 at scale 2 becomes 1.50. */
export function roundDecimal(value: Decimal, scale: number): Decimal {
  return { coefficient: atScale(value, scale), scale };
}

/** Returns the coefficient at another scale, rounded half away from zero if digits are dropped. */
function atScale({ coefficient, scale: from }: Decimal, to: number): bigint {
  if (from === to) return coefficient;
  if (from < to) return coefficient * powerOfTen(to - from);
  const divisor = powerOfTen(from - to);
  const half = coefficient < 0n ? -divisor / 2n : divisor / 2n;
  return (coefficient + half) / divisor;
}

/** The powers that are used over and over. */
const POWERS_OF_TEN = Array.from({ length: MAX_DECIMAL_LENGTH }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}
