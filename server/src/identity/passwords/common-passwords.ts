import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Eight bytes of the SHA-256 of each entry, sorted; `tools/common-passwords.ts` writes it and says what of. */
const LIST_URL = new URL('../../../assets/common-passwords.bin', import.meta.url);
const HASH_BYTES = 8;

/** Words of this trade and of the calendar, which people take where a password has to have a letter, a digit and a mark. */
const OWN_WORDS = new Set(
  `paydesk payment payments billing invoice invoices finance account company business office support service services admin
  administrator login user welcome changeme spring summer autumn winter january february march april may june july august september
  october november december monday tuesday wednesday thursday friday saturday sunday`.split(/\s+/),
);

const DECORATION = '[\\d!@#$%&*?._+-]*';
const PARTS = new RegExp(`^(${DECORATION})(.*?)(${DECORATION})$`, 's');
const MAX_MARKS = 2;
const TRIVIAL_DIGITS = /^(?:[1237]|01|12|123|(?:19|20)\d\d)?$/;
/** What is put behind the most common words too. */
const COUNTING = /^1234(?:5(?:67?)?)?$/;
/** A shorter name is part of too much else. */
const SHORTEST_NAME = 4;

/** What a password must not repeat. */
export type Person = { email: string; firstName: string; lastName: string };

/**
 * What is wrong with a new password that keeps all rules: it stands on a list of breached ones, is a common word with a trivial
 * digit and mark, or is made of the e-mail or the name in that way. Letter case does not count. Any other password is nobody's first
 * guess, and taken.
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
  const isVeryCommon = [core, withoutLookAlikes(core)].some((word) => OWN_WORDS.has(word) || isOnList('top', word));
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

/** `p@$$w0rd` is `password`. Only what has a mark inside: a digit alone is no reason to leave the word's list of breached forms. */
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

/** An entry as the list holds it: `password` as it is, `word` and `top` (the most common of them) to be decorated. In small letters. */
export function hashEntry(kind: 'password' | 'word' | 'top', text: string): Buffer {
  return createHash('sha256').update(`${kind} ${text}`).digest().subarray(0, HASH_BYTES);
}
