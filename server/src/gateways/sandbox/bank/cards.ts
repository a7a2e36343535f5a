/** Decides by the card number whether it is valid, its brand, and whether charges succeed. */

/** Well-known test numbers that are declined. Charges of any other valid number succeed. */
const declineCodes: ReadonlyMap<string, string> = new Map([
  ['4000000000000002', 'generic_decline'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000119', 'processing_error'],
  ['4000008260003178', 'insufficient_funds'],
]);

/**
 * When the bank asks the holder to confirm a charge: `always`, `unless_set_up` off session only if the card was not saved in the fields,
 * `on_session` never off session.
 */
export type Asks = 'always' | 'unless_set_up' | 'on_session';

/** Well-known test numbers whose bank asks the holder. Each of them asks when the card is saved in the fields, too. */
const asking: ReadonlyMap<string, Asks> = new Map([
  ['4000002500003155', 'unless_set_up'],
  ['4000002760003184', 'always'],
  ['4000008260003178', 'on_session'],
]);

/** The brands by the number's first digits. */
const brands: readonly (readonly [brand: string, prefix: RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/],
  ['amex', /^3[47]/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['diners', /^(30[0-5]|3095|36|38|39)/],
  ['jcb', /^35(2[89]|[3-8]\d)/],
  ['unionpay', /^(62|81)/],
];

/** Returns the brand of the number's prefix, or `unknown`. */
export function brandOfCardNumber(number: string): string {
  return brands.find(([, prefix]) => prefix.test(number))?.[0] ?? 'unknown';
}

/** Returns the code with which the bank declines the number, or null if it pays. */
export function declineCodeOfCardNumber(number: string): string | null {
  return declineCodes.get(number) ?? null;
}

/** Returns when the bank asks the holder to confirm a charge of the number, or null if it never does. */
export function asksOfCardNumber(number: string): Asks | null {
  return asking.get(number) ?? null;
}

/** Whether the number has 12 to 19 digits and a correct check digit (ISO/IEC 7812-1, annex B). */
export function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const parity = number.length % 2;
  const sum = Array.from(number, Number).reduce((total, digit, index) => {
    const doubled = index % 2 === parity ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
