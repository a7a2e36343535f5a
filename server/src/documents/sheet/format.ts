import type { InvoiceDocument } from './document.ts';

/** How an invoice writes amounts, counts and dates: in English, whatever the language of the machine is. */
const LOCALE = 'en-US';
const DATE_LOCALE = 'en-GB';

const MINUTE_MS = 60_000;

/**
 * Formatters are created when needed and kept: creating one takes far longer than using it, and the first one of a
 * process would delay its start.
 */
let counts: Intl.NumberFormat | undefined;
const amounts = new Map<string, Intl.NumberFormat>();

/** Writes an amount in major units with its currency's sign and digits, exactly: `$1,234.50`, `¥1,235`, `KWD 1.234`. */
export function formatMoney(amount: string, { currency, minorUnitDigits }: Currency): string {
  const key = `${currency} ${minorUnitDigits}`;
  const digits = { minimumFractionDigits: minorUnitDigits, maximumFractionDigits: minorUnitDigits };
  const format = amounts.get(key) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...digits });
  amounts.set(key, format);
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Does the same with as many further digits as the amount has: `$0.0045`. */
export function formatUnitPrice(amount: string, { currency, minorUnitDigits }: Currency): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  return formatMoney(amount, { currency, minorUnitDigits: Math.max(minorUnitDigits, decimals) });
}

export type Currency = Pick<InvoiceDocument, 'currency' | 'minorUnitDigits'>;

/** Writes a whole number with separated thousands. */
export function formatCount(count: string): string {
  counts ??= new Intl.NumberFormat(LOCALE);
  return counts.format(BigInt(count));
}

/** Writes the day of an instant in a time zone: `1 October 2026`. */
export function formatDate(instant: Date, timezone: string): string {
  return new Intl.DateTimeFormat(DATE_LOCALE, { dateStyle: 'long', timeZone: timezone }).format(instant);
}

/**
 * Writes a period of whole days as its first and last day, and any other by its instants. The end is exclusive: a
 * period that ends at the first instant of November has 31 October as its last day.
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
    // The zone's name at this instant: when clocks go back, an hour occurs twice.
    timeZoneName: 'short',
    timeZone: timezone,
  });
  return `${format.format(startAt)} – ${format.format(endAt)}`;
}

/** Compares days and not the clock, because in some zones a clock change skips midnight. */
function beginsDay(instant: Date, timezone: string): boolean {
  return formatDate(instant, timezone) !== formatDate(justBefore(instant), timezone);
}

function justBefore(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}
