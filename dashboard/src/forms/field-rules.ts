import type { messages } from './messages/en.ts';

type Rule = keyof (typeof messages)['fields'];

/** The texts with which the API refuses the value of a field, in its English, and what of them the page repeats. */
const RULES: readonly [Rule, RegExp][] = [
  ['required', /^(?:is required|must not be empty)$/],
  ['tooShort', /^must have at least (?<limit>\d+) characters$/],
  ['tooLong', /^must have at most (?<limit>\d+) characters$/],
  ['tooMany', /^must have at most (?<limit>\d+) items$/],
  ['oneOf', /^must be one of (?<values>.+)$/],
  ['taken', /^is taken$/],
  ['cardNumber', /^must not contain a card number$/],
  ['email', /^must be a valid e-mail address$/],
  ['url', /^must be a URL(?: |$)/],
  ['domain', /^must be a domain such as (?<example>\S+)$/],
  ['addresses', /^must be an IP address, or a range such as (?<example>\S+)$/],
  ['timeZone', /^must be an IANA time zone such as (?<example>\S+)$/],
  ['color', /^must be a hex colour such as (?<example>\S+)$/],
  ['currency', /^must be an ISO 4217 currency code in capitals$/],
  ['decimal', /^must be a plain decimal such as (?<example>\S+)$/],
  ['decimals', /^must have no more decimals than (?<currency>\S+) has$/],
  ['percentage', /^must be a percentage from 0 to 100 as a plain decimal, such as /],
  ['positive', /^must be more than zero$/],
  ['whole', /^must be (?:an integer|a whole number, not negative)$/],
  ['date', /^must be a (?:date|date-time|month)(?: |$)/],
  ['future', /^must be in the future$/],
  ['cvc', /^must have 3 or 4 digits$/],
];

/** Returns the rule that the API's text tells of, with its values; undefined for one that only the API knows. */
export function ruleOf(message: string): { rule: Rule; values: Record<string, string> } | undefined {
  for (const [rule, pattern] of RULES) {
    const found = pattern.exec(message);
    if (found !== null) return { rule, values: { ...found.groups } };
  }
  return undefined;
}
