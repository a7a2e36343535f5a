import type { InvoiceDocument } from './document.ts';

/** How an invoice writes amounts, counts and dates: in English, whatever the machine's own language is. */
const LOCALE = 'en-US';
const DATE_LOCALE = 'en-GB';

const MINUTE_MS = 60_000;

/** Making a formatter takes far longer than using it; the first one of a process takes a part of its start. */
let counts: Intl.NumberFormat | undefined;
const amounts = new Map<string, Intl.NumberFormat>();

/** An amount in major units with its currency's sign and digits, exactly: `$1,234.50`, `¥1,235`, `KWD 1.234`. */
export function formatMoney(amount: string, { currency, minorUnitDigits }: Currency): string {
  const key = `${currency} ${minorUnitDigits}`;
  const digits = { minimumFractionDigits: minorUnitDigits, maximumFractionDigits: minorUnitDigits };
  const format = amounts.get(key) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...digits });
  amounts.set(key, format);
  return format.format(amount as Intl.StringNumericLiteral);
}

/** The same with as many digits as the amount has beyond those: `$0.0045`. */
export function formatUnitPrice(amount: string, { currency, minorUnitDigits }: Currency): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  return formatMoney(amount, { currency, minorUnitDigits: Math.max(minorUnitDigits, decimals) });
}

export type Currency = Pick<InvoiceDocument, 'currency' | 'minorUnitDigits'>;

/** A whole number with its thousands set apart. */
export function formatCount(count: string): string {
  counts ??= new Intl.NumberFormat(LOCALE);
  return counts.format(BigInt(count));
}

/** The day of an instant in a time zone: `1 October 2026`. */
export function formatDate(instant: Date, timezone: string): string {
  return new Intl.DateTimeFormat(DATE_LOCALE, { dateStyle: 'long', timeZone: timezone }).format(instant);
}

/**
 * A period of whole days is named by its first and its last one; any other by its instants. The end
 * is not in the period: one that ends at the first instant of November has 31 October for its last day.
 */
export function formatPeriod(startAt: Date, endAt: Date, timezone: string): string {
  if (beginsDay(startAt, timezone) && beginsDay(endAt, timezone)) {
    const [first, last] = [formatDate(startAt, timezone), formatDate(justBefore(endAt), timezone)];
    return first === last ? first : `${first} – ${last}`;
  }
  const isWhole = [startAt, endAt].every((instant) => instant.getTime() % MINUTE_MS === 0);
  const format = new Intl.DateTimeFormat(DATE_LOCALE, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(isWhole ? {} : { second: '2-digit' }),
    // Of the instant, not of the zone: where clocks are put back, an hour comes twice.
    timeZoneName: 'short',
    timeZone: timezone,
  });
  return `${format.format(startAt)} – ${format.format(endAt)}`;
}

/** Not by the clock, which passes over midnight in some zones when it changes. */
function beginsDay(instant: Date, timezone: string): boolean {
  return formatDate(instant, timezone) !== formatDate(justBefore(instant), timezone);
}

function justBefore(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}
