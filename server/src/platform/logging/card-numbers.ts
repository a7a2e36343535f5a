/**
 * Card numbers in text that was meant for something else. People type and paste them into names and descriptions, in whatever
 * characters and with whatever between the digits; such text is kept, so the number has to be found before.
 */

/** The beginnings and lengths of issued card numbers (ISO/IEC 7812-1; the networks' published ranges). */
const ISSUERS: readonly [beginning: RegExp, lengths: readonly number[]][] = [
  // Visa
  [/^4/, [13, 16, 19]],
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

const SHORTEST = 13;
const LONGEST = 19;
/** E.164. */
const LONGEST_PHONE_NUMBER = 15;

/** Thirteen digits without a letter between them: what has none of that needs no closer look. */
const ENOUGH_DIGITS = /\d(?:[^a-z\d]*\d){12}/i;
const DIGIT_GROUPS = /\+?\d+(?:[\s.-]+\d+)*/g;
/** As printed on cards, whatever stands between the groups. */
const PRINTED_GROUPS =
  /(?<!\d)\d{4}[^\p{L}\d]{1,3}(?:\d{4}(?:[^\p{L}\d]{1,3}\d{4}){2}|\d{6}[^\p{L}\d]{1,3}\d{4,5})(?!\d)/gu;
const OTHER_MARK = /[^\s.\-\p{L}\d]/u;

/** Identifiers whose digits are no numbers: UUIDs, and hashes and trace ids in hexadecimal digits. */
const IDENTIFIERS = /\b(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?=\d*[a-f])[\da-f]{24,128})\b/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/g;

export type CardNumberOptions = {
  /** The fewest digits that count, for fields with other numbers that may be shorter. */
  fewestDigits?: number;
};

/**
 * Whether a text holds what can be a card number: 13 to 19 digits of any script that begin as an issuer's do and end in the right check
 * digit, alone or beside other numbers, in one piece or with spaces, dashes, dots or invisible characters between them. Not counted are
 * parts of longer numbers, UUIDs, hexadecimal digests, IBANs whose check digits fit, and phone numbers that begin with `+`.
 */
export function holdsCardNumber(text: string, { fewestDigits = SHORTEST }: CardNumberOptions = {}): boolean {
  return [text, ...decoded(text)].some((form) => {
    const plain = plainDigits(form).replaceAll('_', '-');
    return ENOUGH_DIGITS.test(plain) && findCardNumber(plain, fewestDigits);
  });
}

/** Whether any text, number or key inside a JSON value holds a card number. */
export function holdsCardNumberAnywhere(value: unknown): boolean {
  if (typeof value === 'string') return holdsCardNumber(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) && holdsCardNumber(String(value));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => holdsCardNumber(key) || holdsCardNumberAnywhere(item));
}

/** How many digits a text has at most in one number, whatever script they are of and whatever stands between them but letters. */
export function countDigitsTogether(text: string): number {
  const runs = plainDigits(text).match(/\d(?:[^\p{L}\d]*\d)*/gu) ?? [];
  return Math.max(0, ...runs.map((run) => run.replace(/\D/g, '').length));
}

/**
 * The text without any number of 12 digits or more, whether it is a card's or not: for logs, where too much may be missing. A text with
 * no such number stays as it is.
 */
export function hideLongNumbers(text: string): string {
  const plain = plainDigits(text);
  const hidden = plain.replace(/\d(?:[\s._-]*\d){11,}/g, '[number]');
  return hidden === plain ? text : hidden;
}

/** The text as it is, unless it holds a card number. */
export function hideCardNumbers(text: string): string {
  return holdsCardNumber(text) ? hideLongNumbers(text) : text;
}

function findCardNumber(plain: string, fewestDigits: number): boolean {
  const rest = plain.replace(IDENTIFIERS, 'x').replace(IBAN, (iban) => (isIban(iban) ? 'x' : iban));
  const printed = OTHER_MARK.test(rest) ? (rest.match(PRINTED_GROUPS) ?? []) : [];
  if (printed.some((number) => holdsGroups(number.replace(/\D/g, ''), fewestDigits))) return true;
  return (rest.match(DIGIT_GROUPS) ?? []).some((run) => holdsGroups(run, fewestDigits));
}

/** Whether neighbouring groups of digits make a card number together. In a time that grows with the length of the run alone. */
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

/** The digits of a run, and where each of its groups starts; the last entry is where the last group ends. */
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

/** Behind a `+`. A number of 15 digits that begins as American Express's do is no phone number: those countries have shorter ones. */
function isPhoneNumber(digits: readonly number[]): boolean {
  const isAmericanExpress = digits.length === 15 && digits[0] === 3 && (digits[1] === 4 || digits[1] === 7);
  return digits.length <= LONGEST_PHONE_NUMBER && !isAmericanExpress;
}

const bitOf = (length: number): number => 1 << length;
let lengthsByBeginning: Int32Array | undefined;

/** The lengths, each as a bit, of the card numbers that begin with these four digits; none within the last of the digits. */
function issuedLengths(digits: readonly number[], start: number): number {
  lengthsByBeginning ??= Int32Array.from({ length: 10_000 }, (_, beginning) => {
    const text = String(beginning).padStart(4, '0');
    const lengths = ISSUERS.flatMap(([issuer, itsLengths]) => (issuer.test(text) ? itsLengths : []));
    return lengths.reduce((bits, length) => bits | bitOf(length), 0);
  });
  if (digits.length - start < SHORTEST) return 0;
  let beginning = 0;
  for (let place = start; place < start + 4; place += 1) beginning = beginning * 10 + (digits[place] ?? 0);
  return lengthsByBeginning[beginning] ?? 0;
}

/** Running sums of the digits where those at even, or at odd, places count once and the others double (Luhn). */
type Sums = { even: number[]; odd: number[] };

function addUp(digits: readonly number[]): Sums {
  const [even, odd] = [[0], [0]];
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits[place] ?? 0;
    const doubled = digit * 2 - (digit > 4 ? 9 : 0);
    even.push((even[place] ?? 0) + (place % 2 === 0 ? digit : doubled));
    odd.push((odd[place] ?? 0) + (place % 2 === 1 ? digit : doubled));
  }
  return { even, odd };
}

/** Whether the last digit is the check digit of those before it (Luhn, ISO/IEC 7812-1). */
export function hasValidCheckDigit(digits: string): boolean {
  const { digits: values } = readGroups(digits);
  return luhnSum(addUp(values), 0, values.length) % 10 === 0;
}

/** From the right, every second digit counts double, with its own digits added up; a card number's sum ends in 0. */
function luhnSum({ even, odd }: Sums, start: number, end: number): number {
  const sums = end % 2 === 1 ? even : odd;
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}

/** ISO 13616: the first four characters moved to the end, letters as numbers from 10 on, modulo 97. */
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
/** No digit comes of them, and some come to many letters by NFKC. */
const OTHER_LETTERS = /[\p{L}--[\0-\x7f零一二三四五六七八九]]+/gv;

/**
 * Digits of all scripts as 0 to 9, spaces and dashes of all kinds as one kind, without characters that are not seen. Plain text, which
 * most is, stays as it is.
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

/** In brackets and circles, and before commas: rows from one to nine, or from zero. NFKC knows some of the circles alone. */
const ENCLOSED = new Map(
  ['⑴⑵⑶⑷⑸⑹⑺⑻⑼', '⓵⓶⓷⓸⓹⓺⓻⓼⓽', '❶❷❸❹❺❻❼❽❾', '➀➁➂➃➄➅➆➇➈', '➊➋➌➍➎➏➐➑➒', '🄂🄃🄄🄅🄆🄇🄈🄉🄊']
    .flatMap((row) => Array.from(row, (character, place): [string, string] => [character, String(place + 1)]))
    .concat(Array.from('⓿🄋🄌🄁', (character): [string, string] => [character, '0'])),
);
const ENCLOSED_DIGITS = new RegExp(`[${[...ENCLOSED.keys()].join('')}]+`, 'gu');

const HAN_DIGITS = '〇一二三四五六七八九';
const DIGIT = /^\p{Nd}$/u;
const values = new Map<string, string>();

/** The digits of a run. A function for each of them would take several times as long. */
function digitsOf(run: string): string {
  let digits = '';
  for (const digit of run) digits += values.get(digit) ?? digitValue(digit);
  return digits;
}

/** Unicode keeps the ten digits of a script in one row, from zero up. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  const han = Math.max(0, HAN_DIGITS.indexOf(digit));
  const value = ENCLOSED.get(digit) ?? (DIGIT.test(digit) ? String((code - zero) % 10) : String(han));
  values.set(digit, value);
  return value;
}

/** In addresses any digit may be written as a percent sign and its code, and in HTML spaces by name. */
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
