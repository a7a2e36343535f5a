const LONGEST_NAME = 60;

/** Around a name (Unicode's FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE), so that its direction does not move what follows. */
const [BEGIN, END] = ['\u2068', '\u2069'];

/** After a mark that would make a mail client see a link in a name (WORD JOINER, which is invisible). */
const NO_LINK = '\u2060';

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A name that a person chose, on one line, cut to 60 letters. Whoever invites somebody must not be able to send them a link of their own
 * or to hide text, so it contains no control characters and nothing that a mail client would make a link of.
 */
export function cleanName(name: string): string {
  const line = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const all = Array.from(letters.segment(line), ({ segment }) => segment);
  const short = all.length > LONGEST_NAME ? `${all.slice(0, LONGEST_NAME).join('').trimEnd()}…` : line;
  return withoutLinks(short);
}

/** Marks as in links, and those that look like them: some programs make links of `evil。example` too. */
const MARKS_OF_LINKS = /[.:/@\u2024\u3002\uff0e\uff61\uff1a\uff0f\uff20](?=[\p{L}\p{N}/\uff0f])/gu;

function withoutLinks(text: string): string {
  return text.replace(MARKS_OF_LINKS, `$&${NO_LINK}`);
}

/**
 * An e-mail address that a person chose. What is before the `@` may look like an address of the web
 * (`evil.example/login?x=1@example.com`), of which no mail client must make a link; any other is written as it is.
 */
export function writeAddress(email: string): string {
  return /^[\w.+-]+@/.test(email) ? email : withoutLinks(email);
}

/** The same for a text around it, with marks that `writeText` and `writeHtml` read; empty without a name. */
export function writeName(name: string): string {
  const clean = cleanName(name);
  return clean === '' ? '' : `${BEGIN}${clean}${END}`;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const MARKS = new RegExp(`[${BEGIN}${END}]`, 'gu');

/** After a name that ends with one, such as `Acme Inc.`, a sentence needs no full stop. */
const SECOND_STOP = new RegExp(`(?<=[.…]${END})\\.`, 'gu');

/** Plain text. Marks stay only where a name is written from right to left, because few programs hide them. */
export function writeText(text: string): string {
  const sentence = text.replace(SECOND_STOP, '');
  return RIGHT_TO_LEFT.test(sentence) ? sentence : sentence.replace(MARKS, '');
}

/** HTML, with names as `<bdi>`. */
export function writeHtml(text: string): string {
  return text
    .replace(SECOND_STOP, '')
    .replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
    .replaceAll(BEGIN, '<bdi>')
    .replaceAll(END, '</bdi>');
}
