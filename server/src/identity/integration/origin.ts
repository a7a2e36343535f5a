import { patternRule } from '../../platform/http/schema/text-rules.ts';

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const PORT = '[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]';
const ORIGIN = `https://${LABEL}(?:[.]${LABEL})*(?::(?:${PORT}))?|http://localhost(?::(?:${PORT}))?`;

/** The rule for an origin of the operator's product: a host and perhaps a port, without user, path, query, fragment or `*`. */
export const checkOrigin = patternRule(
  ORIGIN,
  'must be https://host or http://localhost, with or without a port, and nothing after it',
);

/** An origin that follows the rule, in the form in which browsers send it (RFC 6454). What no browser reads stays as it is. */
export function normalizeOrigin(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}

/**
 * The origin of a page's address; null if it is no address of a page, has a user, or would be read differently by other programs: with a
 * backslash, a space or a control character, which browsers replace or leave out.
 */
export function originOfPage(url: string): string | null {
  if (/[\\\s\p{C}]/u.test(url) || !/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) return null;
  const { origin, username, password } = new URL(url);
  return username === '' && password === '' ? origin : null;
}
