import { invalidField } from '../../platform/errors.ts';
import { documentedRule, patternRule } from '../../platform/http/schema/text-rules.ts';
import { countDigitsTogether, hasValidCheckDigit } from '../../platform/logging/card-numbers.ts';

/** The rules for what a cardholder types. No message repeats any part of it. */

/** Returns the number without the spaces and dashes that people type. */
export function plainCardNumber(cardNumber: string): string {
  return cardNumber.replace(/[\s-]/g, '');
}

/** Checks a card number: 12 to 19 digits with a valid check digit (ISO/IEC 7812-1). */
export const checkCardNumber = documentedRule({ pattern: '[\\s-]*(?:[0-9][\\s-]*){12,19}' }, (cardNumber) => {
  const digits = plainCardNumber(cardNumber);
  if (!/^\d{12,19}$/.test(digits)) return ['must have 12 to 19 digits'];
  return hasValidCheckDigit(digits) ? [] : ['is not a valid card number'];
});

/**
 * Checks a text beside a card's number, because people type the number there and the text is stored. Such a text needs no digits, so 12
 * digits without a letter between them are refused: no card number has fewer, and this service accepts numbers of every issuer.
 */
export const checkCardText = documentedRule({ not: { pattern: '[0-9](?:[ -/:-@[-`{-~]*[0-9]){11}' } }, (text) =>
  countDigitsTogether(text) >= 12 ? ['must not contain a card number'] : [],
);

/** Checks a security code: 3 or 4 digits. */
export const checkSecurityCode = patternRule('[0-9]{3,4}', 'must have 3 or 4 digits');

/** Returns the year with four digits; two digits mean 20xx. */
export function fullYear(year: number): number {
  return year < 100 ? 2_000 + year : year;
}

/** Whether a card's last month is over; a card is valid to the end of that month in UTC. `expYear` has four digits. */
export function isExpired(expMonth: number, expYear: number, now: Date): boolean {
  return now.getTime() >= Date.UTC(expYear, expMonth);
}

/** The last year that a card can name. */
export const LAST_YEAR = 2_099;

/** @param field - where the date stands in the body @returns the year with four digits @throws ApiError 400 when the last month is over */
export function refuseExpired({ expMonth, expYear }: { expMonth: number; expYear: number }, field: string): number {
  if (expYear > LAST_YEAR) throw invalidField(`${field}.expYear`, `must be <= ${LAST_YEAR}`);
  const year = fullYear(expYear);
  const now = new Date();
  if (!isExpired(expMonth, year, now)) return year;
  const part = year < now.getUTCFullYear() ? 'expYear' : 'expMonth';
  throw invalidField(`${field}.${part}`, 'is in the past: the card has expired');
}
