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

/** An instant in ISO 8601 with a zone; null for anything else. Of however many digits of a second (RFC 3339, 5.6) three count. */
export function parseInstant(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (match?.[1] === undefined || parseDate(match[1]) === null) return null;
  const instant = new Date(text);
  const year = instant.getUTCFullYear();
  return year >= 1_000 && year <= 9_999 ? instant : null;
}

/** The rule for a field that takes an instant. */
export function checkInstant(text: string): string[] {
  return parseInstant(text) === null ? ['must be a date-time with a zone, such as 2026-10-01T00:00:00Z'] : [];
}

/** The rule for a filter that takes a date or an instant. */
export function checkDateOrInstant(text: string): string[] {
  const valid = parseDate(text) !== null || parseInstant(text) !== null;
  return valid ? [] : ['must be a date such as 2026-10-01, or a date-time with a zone'];
}
