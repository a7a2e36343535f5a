/** How cards are written and read. */

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  american_express: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  diners_club: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  sepa_debit: 'SEPA',
};

/** The brand and the end of a card: `Visa •••• 4242`. @param masked - as the API has it: `4242********4242` */
export function cardName({ brand, cardNumber: masked }: { brand: string; cardNumber: string }): string {
  const name = BRANDS[brand.toLowerCase()] ?? brand;
  return `${name === '' ? '' : `${name} `}•••• ${masked.slice(-4)}`.trim();
}

/** The brand of a number that is being typed; null if its first digits are of none that is known. */
export function brandOf(number: string): string | null {
  const digits = digitsIn(number);
  if (/^4/.test(digits)) return 'Visa';
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'Mastercard';
  if (/^3[47]/.test(digits)) return 'American Express';
  if (/^(6011|64[4-9]|65)/.test(digits)) return 'Discover';
  if (/^35/.test(digits)) return 'JCB';
  return null;
}

/** Groups the digits as they stand on the card: 4-4-4-4, or 4-6-5 for American Express. */
export function groupCardNumber(typed: string): string {
  const digits = digitsIn(typed).slice(0, 19);
  if (/^3[47]/.test(digits)) return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)].join(' ').trim();
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** Writes an expiry date as `MM / YY` while it is typed. @param before - the text before this letter */
export function writeExpiry(typed: string, before: string): string {
  const digits = digitsIn(typed).slice(0, 4);
  const isErasing = before.startsWith(typed);
  if (isErasing && digits.length <= 2) return digits;
  const padded = /^[2-9]$/.test(digits) || /^1\s*\/$/.test(typed) ? `0${digits}` : digits;
  return padded.length < 2 ? padded : `${padded.slice(0, 2)} / ${padded.slice(2)}`.trimEnd();
}

/** Reads `MM / YY`; null unless it is a month of a year. */
export function readExpiry(text: string): { expMonth: number; expYear: number } | null {
  const digits = digitsIn(text);
  const expMonth = Number(digits.slice(0, 2));
  if (digits.length !== 4 || expMonth < 1 || expMonth > 12) return null;
  return { expMonth, expYear: 2_000 + Number(digits.slice(2)) };
}

/** Whether a card's last month is over. */
export function hasExpired({ expMonth, expYear }: { expMonth: number; expYear: number }, nowMs = Date.now()): boolean {
  return nowMs >= Date.UTC(expYear, expMonth, 1);
}

/** `12 / 40`. */
export function expiryOf({ expMonth, expYear }: { expMonth: number; expYear: number }): string {
  return `${String(expMonth).padStart(2, '0')} / ${String(expYear % 100).padStart(2, '0')}`;
}

function digitsIn(text: string): string {
  return text.replaceAll(/\D/g, '');
}
