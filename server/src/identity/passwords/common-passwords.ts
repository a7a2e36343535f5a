import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Eight bytes of the SHA-256 of each entry, sorted. Written by `tools/common-passwords.ts`, which names its source. */
const LIST_URL = new URL('../../../assets/common-passwords.bin', import.meta.url);
const HASH_BYTES = 8;

/** Words of this trade and of the calendar, which people use where a password needs a letter, a digit and a mark. */
const SERVICE_WORDS = new Set(
  `paydesk payment payments billing invoice invoices finance account company business office support service services admin
  administrator login user welcome changeme spring summer autumn winter january february march april may june july august september
  october november december monday tuesday wednesday thursday friday saturday sunday`.split(/\s+/),
);

const DECORATION = '[\\d!@#$%&*?._+-]*';
const PARTS = new RegExp(`^(${DECORATION})(.*?)(${DECORATION})$`, 's');
const MAX_MARKS = 2;
const TRIVIAL_DIGITS = /^(?:[1237]|01|12|123|(?:19|20)\d\d)?$/;
/** Digits that people append to the most common words too. */
const COUNTING = /^1234(?:5(?:67?)?)?$/;
/** A shorter name occurs in too many other words. */
const SHORTEST_NAME = 4;

/** What a password must not repeat. */
export type Person = { email: string; firstName: string; lastName: string };

/**
 * What is wrong with a new password that meets all rules: it is on a list of breached passwords, or it is a common
 * word, the e-mail or the name with a trivial digit and mark added. Letter case does not matter. Empty for any other
 * password.
 */
export function commonPasswordProblems(password: string, person: Person): string[] {
  const plain = password.toLowerCase();
  if (isOnList('password', plain)) return ['is among the most common passwords'];
  const [, before = '', core = '', after = ''] = PARTS.exec(plain) ?? [];
  const decoration = before + after;
  const digits = decoration.replace(/\D/g, '');
  if (decoration.length - digits.length > MAX_MARKS) return [];
  const isTrivial = TRIVIAL_DIGITS.test(digits);
  if (isMadeOf(person, plain, isTrivial ? core : '')) return ['must not be made of your e-mail or your name'];
  const isVeryCommon = [core, withoutLookAlikes(core)].some((word) => SERVICE_WORDS.has(word) || isOnList('top', word));
  const isCommon = isTrivial ? isVeryCommon || isOnList('word', core) : COUNTING.test(digits) && isVeryCommon;
  return isCommon ? ['must not be a common word with a digit and a mark'] : [];
}

function isMadeOf({ email, firstName, lastName }: Person, plain: string, core: string): boolean {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [first, last] = [firstName.toLowerCase(), lastName.toLowerCase()];
  const parts = [
    email.toLowerCase(),
    local,
    domain,
    domain.split('.')[0] ?? '',
    first,
    last,
    first + last,
    last + first,
  ];
  const names = parts
    .flatMap((part) => [part, PARTS.exec(part)?.[2] ?? ''])
    .filter(({ length }) => length >= SHORTEST_NAME);
  return [plain, plain.replace(/^\W+|\W+$/g, ''), core].some((form) => names.includes(form));
}

const LOOK_ALIKES: Record<string, string> = { '@': 'a', $: 's' };

/**
 * Turns `p@$$w0rd` into `password`. Applies only to words with a mark inside: words with digits alone are on the list
 * in their breached forms.
 */
function withoutLookAlikes(word: string): string {
  return /[@$]/.test(word) ? word.replace(/[@$]/g, (mark) => LOOK_ALIKES[mark] ?? '').replaceAll('0', 'o') : word;
}

let list: Buffer | undefined;

/** A binary search among the hashes. */
function isOnList(kind: 'password' | 'word' | 'top', text: string): boolean {
  list ??= readFileSync(LIST_URL);
  const hash = hashEntry(kind, text);
  let [from, to] = [0, list.length / HASH_BYTES];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const order = hash.compare(list, middle * HASH_BYTES, (middle + 1) * HASH_BYTES);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}

/**
 * The hash of an entry: `password` is compared as it is, `word` and `top` (the most common words) without what was
 * added to them. Lower case.
 */
export function hashEntry(kind: 'password' | 'word' | 'top', text: string): Buffer {
  return createHash('sha256').update(`${kind} ${text}`).digest().subarray(0, HASH_BYTES);
}
