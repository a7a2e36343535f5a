/** Exact sums of the API's decimal texts. Numbers would round. */

/** Returns `from` less the others, with the digits of the longest: `57.60` less `10` is `47.60`. */
export function subtract(from: string, ...others: string[]): string {
  const digits = Math.max(...[from, ...others].map(digitsOf));
  const rest = others.reduce((left, other) => left - toUnits(other, digits), toUnits(from, digits));
  return fromUnits(rest, digits);
}

/** Returns the sum, with the digits of the longest. */
export function add(...amounts: string[]): string {
  return subtract('0', ...amounts.map(negate));
}

/** Whether the amount is above zero. */
export function isPositive(amount: string): boolean {
  return toUnits(amount, digitsOf(amount)) > 0n;
}

/** Returns the smaller of two amounts. */
export function smaller(one: string, other: string): string {
  return isPositive(subtract(one, other)) ? other : one;
}

/** What an invoice comes to, with the digits of its currency. */
export type AmountTotals = { net: string; tax: string; total: string };

/**
 * Adds lines and their tax as the service does: each line is rounded to the minor unit, and the tax of their sum once more, half away from
 * zero. Undefined while something is no decimal.
 *
 * @param rate - in percent
 * @param digits - of the minor unit: 2 for USD, 0 for JPY
 */
export function totalsOf(lines: readonly string[], rate: string, digits: number): AmountTotals | undefined {
  if (![rate, ...lines].every((text) => /^-?\d+(?:\.\d+)?$/.test(text))) return undefined;
  const net = add(...lines.map((line) => round(toUnits(line, digitsOf(line)), digitsOf(line), digits)));
  const hundredths = toUnits(net, digits) * toUnits(rate, digitsOf(rate));
  const tax = round(hundredths, digits + digitsOf(rate) + 2, digits);
  return { net, tax, total: add(net, tax) };
}

/** Rounds `units` × 10^-`scale`, half away from zero. */
function round(units: bigint, scale: number, digits: number): string {
  if (scale <= digits) return fromUnits(units * 10n ** BigInt(digits - scale), digits);
  const divisor = 10n ** BigInt(scale - digits);
  const size = units < 0n ? -units : units;
  const rounded = (size + divisor / 2n) / divisor;
  return fromUnits(units < 0n ? -rounded : rounded, digits);
}

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function digitsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

function toUnits(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function fromUnits(units: bigint, digits: number): string {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const sign = units < 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
