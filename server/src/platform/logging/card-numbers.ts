/**
 * Finds card numbers in other text. People type and paste them into names and descriptions, in various characters and with various
 * separators. Such text is stored, so a number has to be found before.
 */

/** The beginnings and lengths of issued card numbers (ISO/IEC 7812-1; the networks' published ranges). */
const ISSUERS: readonly [beginning: RegExp, lengths: readonly number[]][] = [
  // Visa. Numbers of 13 digits have not been issued for decades, and order numbers and times look like them.
  [/^4/, [16, 19]],
  // Mastercard
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  // American Express
  [/^3[47]/, [15]],
  // Diners Club
  [/^(30[0-5]|3095|36|38|39)/, [14, 16]],
  // JCB
  [/^35(2[89]|[3-8])/, [16, 17, 18, 19]],
  // Discover, RuPay, UnionPay, Verve, Troy
  [/^(6011|64[4-9]|65|60|62|81|82|508[5-9]|506[01]|507[89]|509|9792)/, [16, 17, 18, 19]],
  // Maestro
  [/^(5018|5019|5020|5038|5612|58|6304|636|6390|67)/, [16, 18, 19]],
  // Mir, Humo, Uzcard
  [/^(220[0-4]|9860|8600)/, [16, 17, 18, 19]],
];

const SHORTEST = 14;
const LONGEST = 19;
/** The longest phone number (E.164). */
const LONGEST_PHONE_NUMBER = 15;

/** Fourteen digits without a letter between them. A text without that contains no card number. */
const ENOUGH_DIGITS = /\d(?:[^a-z\d]*\d){13}/i;
/** Printable ASCII with at most 13 digits, in which nothing is encoded: most texts. */
const FEW_DIGITS = /^[ -$'-/:-~]*(?:\d[ -$'-/:-~]*){0,13}$/;
const UUID = /^[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{12}$/;
const DIGIT_GROUPS = /\+?\d+(?:[\s.-]+\d+)*/g;
/** Grouped as on cards, with any separators. */
const PRINTED_GROUPS =
  /(?<!\d)\d{4}[^\p{L}\d]{1,3}(?:\d{4}(?:[^\p{L}\d]{1,3}\d{4}){2}|\d{6}[^\p{L}\d]{1,3}\d{4,5})(?!\d)/gu;
const OTHER_MARK = /[^\s.\-\p{L}\d]/u;

/** Identifiers whose digits are not numbers: UUIDs, and hashes and trace ids in hexadecimal digits. */
const IDENTIFIERS = /\b(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?=\d*[a-f])[\da-f]{24,128})\b/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/g;

export type CardNumberOptions = {
  /** The fewest digits that count, for fields that may contain other, shorter numbers. */
  fewestDigits?: number;
};

/**
 * Whether a text contains what can be a card number: 14 to 19 digits of any script that begin as an issuer's do and end in the right check
 * digit, alone or beside other numbers, in one piece or with spaces, dashes, dots or invisible characters between them. Not counted are
 * parts of longer numbers, UUIDs, hexadecimal digests, IBANs with valid check digits, and phone numbers that begin with `+`.
 */
export function holdsCardNumber(text: string, { fewestDigits = SHORTEST }: CardNumberOptions = {}): boolean {
  return !UUID.test(text) && !FEW_DIGITS.test(text) && findInForms(text, fewestDigits);
}

function findInForms(text: string, fewestDigits: number): boolean {
  return [text, ...decoded(text)].some((form) => {
    const plain = plainDigits(form).replaceAll('_', '-');
    return ENOUGH_DIGITS.test(plain) && findCardNumber(plain, fewestDigits);
  });
}

/** Whether any text, number or key inside a JSON value contains a card number. */
export function holdsCardNumberAnywhere(value: unknown): boolean {
  if (typeof value === 'string') return holdsCardNumber(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) && holdsCardNumber(String(value));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => holdsCardNumber(key) || holdsCardNumberAnywhere(item));
}

/** Returns the length of the longest number in a text, in any script, with anything but letters between its digits. */
export function countDigitsTogether(text: string): number {
  const runs = plainDigits(text).match(/\d(?:[^\p{L}\d]*\d)*/gu) ?? [];
  return Math.max(0, ...runs.map((run) => run.replace(/\D/g, '').length));
}

/** Returns the text without numbers of 12 digits or more, card numbers or not. For logs, where removing too much does no harm. */
export function hideLongNumbers(text: string): string {
  const plain = plainDigits(text);
  const hidden = plain.replace(/\d(?:[\s._-]*\d){11,}/g, '[number]');
  return hidden === plain ? text : hidden;
}

/** Returns the text unchanged, or without its long numbers if it contains a card number. */
export function hideCardNumbers(text: string): string {
  return holdsCardNumber(text) ? hideLongNumbers(text) : text;
}

function findCardNumber(plain: string, fewestDigits: number): boolean {
  const rest = plain.replace(IDENTIFIERS, 'x').replace(IBAN, (iban) => (isIban(iban) ? 'x' : iban));
  const printed = OTHER_MARK.test(rest) ? (rest.match(PRINTED_GROUPS) ?? []) : [];
  if (printed.some((number) => holdsGroups(number.replace(/\D/g, ''), fewestDigits))) return true;
  return (rest.match(DIGIT_GROUPS) ?? []).some((run) => holdsGroups(run, fewestDigits));
}

/** Whether adjacent groups of digits form a card number together. Takes time linear in the length of the run. */
function holdsGroups(run: string, fewestDigits: number): boolean {
  const { digits, starts } = readGroups(run);
  if (run.startsWith('+') && isPhoneNumber(digits)) return false;
  const sums = addUp(digits);
  for (let group = 0; group + 1 < starts.length; group += 1) {
    const start = starts[group] ?? 0;
    const lengths = issuedLengths(digits, start);
    for (let next = group + 1; lengths !== 0 && next < starts.length; next += 1) {
      const end = starts[next] ?? 0;
      const length = end - start;
      if (length > LONGEST) break;
      if (length >= fewestDigits && lengths & bitOf(length) && luhnSum(sums, start, end) % 10 === 0) return true;
    }
  }
  return false;
}

/**
 * Returns the digits of a run and where each of its groups starts, with the end of the last group as the last entry.
 */
function readGroups(run: string): { digits: number[]; starts: number[] } {
  const digits: number[] = [];
  const starts: number[] = [];
  let isInside = false;
  for (let index = 0; index < run.length; index += 1) {
    const digit = run.charCodeAt(index) - 0x30;
    const isDigit = digit >= 0 && digit <= 9;
    if (isDigit && !isInside) starts.push(digits.length);
    if (isDigit) digits.push(digit);
    isInside = isDigit;
  }
  starts.push(digits.length);
  return { digits, starts };
}

/**
 * Whether digits after a `+` are a phone number. 15 digits that begin as American Express's do are not: those countries have shorter phone
 * numbers.
 */
function isPhoneNumber(digits: readonly number[]): boolean {
  const isAmericanExpress = digits.length === 15 && digits[0] === 3 && (digits[1] === 4 || digits[1] === 7);
  return digits.length <= LONGEST_PHONE_NUMBER && !isAmericanExpress;
}

const bitOf = (length: number): number => 1 << length;
let lengthsByBeginning: Int32Array | undefined;

/** Returns the lengths, one bit for each, of the card numbers that begin with these four digits; 0 at the last digits. */
function issuedLengths(digits: readonly number[], start: number): number {
  lengthsByBeginning ??= Int32Array.from({ length: 10_000 }, (_, beginning) => {
    const text = String(beginning).padStart(4, '0');
    const lengths = ISSUERS.flatMap(([issuer, itsLengths]) => (issuer.test(text) ? itsLengths : []));
    return lengths.reduce((bits, length) => bits | bitOf(length), 0);
  });
  if (digits.length - start < SHORTEST) return 0;
  let beginning = 0;
  for (let index = start; index < start + 4; index += 1) beginning = beginning * 10 + (digits[index] ?? 0);
  return lengthsByBeginning[beginning] ?? 0;
}

/**
 * Running sums of the digits, in which those at even or at odd positions count once and the others are doubled (Luhn).
 */
type Sums = { even: number[]; odd: number[] };

function addUp(digits: readonly number[]): Sums {
  const [even, odd] = [[0], [0]];
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits[index] ?? 0;
    const doubled = digit * 2 - (digit > 4 ? 9 : 0);
    even.push((even[index] ?? 0) + (index % 2 === 0 ? digit : doubled));
    odd.push((odd[index] ?? 0) + (index % 2 === 1 ? digit : doubled));
  }
  return { even, odd };
}

/** Whether the last digit is the check digit of those before it (Luhn, ISO/IEC 7812-1). */
export function hasValidCheckDigit(digits: string): boolean {
  const { digits: values } = readGroups(digits);
  return luhnSum(addUp(values), 0, values.length) % 10 === 0;
}

/**
 * Counts every second digit from the right double, with its own digits added up. For a card number the sum ends in 0.
 */
function luhnSum({ even, odd }: Sums, start: number, end: number): number {
  const sums = end % 2 === 1 ? even : odd;
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}

/**
 * Whether the check digits are valid (ISO 13616): with the first four characters moved to the end, and letters as
 * numbers from 10 on, the number modulo 97 is 1.
 */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  let rest = 0;
  for (const character of `${compact.slice(4)}${compact.slice(0, 4)}`) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return compact.length >= 15 && rest === 1;
}

const PLAIN = /^[\x20-\x7e]*$/;
/** Letters that never become digits. NFKC would expand some of them to many letters. */
const OTHER_LETTERS = /[\p{L}--[\0-\x7f零一二三四五六七八九]]+/gv;

/**
 * Replaces digits of all scripts with 0 to 9 and spaces and dashes of all kinds with one kind, and removes invisible characters. Plain
 * ASCII text, the usual case, is returned unchanged.
 */
function plainDigits(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(ENCLOSED_DIGITS, digitsOf)
    .replace(OTHER_LETTERS, 'x')
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{M}]/gu, '')
    .replace(/[\p{Z}\s\u2800]/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\u00b7\u2022\u2027\u2219\u22c5\u3002\u30fb\u06d4\u0701\u0702]/g, '.')
    .replace(/[\p{Nd}〇零一二三四五六七八九]+/gu, digitsOf);
}

/** Digits in brackets and circles and before commas, in rows from one to nine or from zero. NFKC converts only some of the circles. */
const ENCLOSED = new Map(
  ['⑴⑵⑶⑷⑸⑹⑺⑻⑼', '⓵⓶⓷⓸⓹⓺⓻⓼⓽', '❶❷❸❹❺❻❼❽❾', '➀➁➂➃➄➅➆➇➈', '➊➋➌➍➎➏➐➑➒', '🄂🄃🄄🄅🄆🄇🄈🄉🄊']
    .flatMap((row) => Array.from(row, (character, index): [string, string] => [character, String(index + 1)]))
    .concat(Array.from('⓿🄋🄌🄁', (character): [string, string] => [character, '0'])),
);
const ENCLOSED_DIGITS = new RegExp(`[${[...ENCLOSED.keys()].join('')}]+`, 'gu');

const HAN_DIGITS = '〇一二三四五六七八九';
const DIGIT = /^\p{Nd}$/u;
const values = new Map<string, string>();

/** Returns the digits of a run. One function call per digit would take several times as long. */
function digitsOf(run: string): string {
  let digits = '';
  for (const digit of run) digits += values.get(digit) ?? digitValue(digit);
  return digits;
}

/** In Unicode, the ten digits of a script are consecutive, from zero. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  const han = Math.max(0, HAN_DIGITS.indexOf(digit));
  const value = ENCLOSED.get(digit) ?? (DIGIT.test(digit) ? String((code - zero) % 10) : String(han));
  values.set(digit, value);
  return value;
}

/** Decodes URLs, in which a digit can be a percent sign and its code, and HTML's named spaces. */
function decoded(text: string): string[] {
  const forms: string[] = [];
  if (/%[\da-f]{2}/i.test(text)) {
    forms.push(text.replace(/%([2-7][\da-f])/gi, (_match, code) => String.fromCharCode(Number.parseInt(code, 16))));
  }
  if (HTML_SPACE.test(text)) forms.push(text.replaceAll(HTML_SPACES, ' '));
  return forms;
}

const HTML_SPACE = /&(?:nbsp|ensp|emsp|thinsp|shy|zwj|zwnj);/i;
const HTML_SPACES = new RegExp(HTML_SPACE, 'gi');
