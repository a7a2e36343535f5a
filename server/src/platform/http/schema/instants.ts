import { isBillingMonth, isTimezone, MONTH_PATTERN, TIMEZONE_NAME } from '../../calendar/billing-periods.ts';
import { documentedRule } from './text-rules.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** A calendar date that exists, as midnight UTC; null for anything else. Years 1000 to 9999. */
export function parseDate(text: string): Date | null {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < 1_000) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}

/**
 * An instant in ISO 8601 with a zone; null for anything else. Any number of fractional digits is accepted (RFC 3339,
 * 5.6), and three are kept.
 */
export function parseInstant(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (match?.[1] === undefined || parseDate(match[1]) === null) return null;
  const instant = new Date(text);
  const year = instant.getUTCFullYear();
  return year >= 1_000 && year <= 9_999 ? instant : null;
}

const DAY_MS = 86_400_000;

/** The start that a checked filter names: an instant, or the start of a date. */
export function parseStart(text: string | undefined): Date | null {
  return text === undefined ? null : (parseDate(text) ?? parseInstant(text));
}

/** The exclusive end that a checked filter names: an instant, or the end of a date. */
export function parseEnd(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const day = parseDate(text);
  return day === null ? parseInstant(text) : new Date(Math.min(day.getTime() + DAY_MS, Date.UTC(9_999, 11, 31)));
}

/** An existing date from the year 1000 on, as a JSON Schema pattern. */
const DATE_PATTERN =
  '(?:[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:[1-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[13579][26])00)-02-29)';
const ZONE_PATTERN = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';
const TIME_PATTERN = `[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?${ZONE_PATTERN}`;
/** An instant. Those that the zone moves out of the years 1000 to 9999 are not excluded. */
export const INSTANT_PATTERN = `${DATE_PATTERN}${TIME_PATTERN}`;

/** The rule for a field that takes an instant. */
export const checkInstant = documentedRule({ pattern: INSTANT_PATTERN }, (text) =>
  parseInstant(text) === null ? ['must be a date-time with a zone, such as 2026-10-01T00:00:00Z'] : [],
);

/** The rule for a filter that takes a date or an instant. */
export const checkDateOrInstant = documentedRule({ pattern: `${DATE_PATTERN}(?:${TIME_PATTERN})?` }, (text) => {
  const valid = parseDate(text) !== null || parseInstant(text) !== null;
  return valid ? [] : ['must be a date such as 2026-10-01, or a date-time with a zone'];
});

/** The rule for a field that takes a month. */
export const checkMonth = documentedRule({ pattern: MONTH_PATTERN }, (text) =>
  isBillingMonth(text) ? [] : ['must be a month such as 2026-10'],
);

/** The rule for a field that takes a time zone. */
export const checkTimezone = documentedRule({ pattern: TIMEZONE_NAME }, (text) =>
  isTimezone(text) ? [] : ['must be an IANA time zone such as Europe/Berlin'],
);
