import { type Language, useLanguage, useTimeZone } from '../i18n/language.ts';

/** A calendar day of a billing period is the same in each zone, so it is written in the zone of the service's instants. */
const DAY_ZONE = 'UTC';
const DAY_MS = 86_400_000;

export type Format = ReturnType<typeof createFormat>;

/** Returns how numbers, money, days and instants are written in the language of the page and the zone of the reader. */
export function useFormat(): Format {
  const language = useLanguage();
  const zone = useTimeZone();
  return formatOf(language, zone);
}

const formats = new Map<string, Format>();

/** Every value of a table asks for the format, and making one takes longer than writing the row. */
function formatOf(language: Language, zone: string | undefined): Format {
  const key = `${language} ${zone}`;
  const known = formats.get(key) ?? createFormat(language, zone);
  formats.set(key, known);
  return known;
}

/**
 * The formats of a language. Amounts are the API's decimal texts, and stay exact: no amount becomes a binary number.
 *
 * @param timeZone - of instants, by its IANA name; by default the device's
 */
export function createFormat(language: Language, timeZone?: string) {
  const cached = new Map<string, Intl.NumberFormat>();
  const currencyFormat = (currency: string) => {
    const known = cached.get(currency) ?? new Intl.NumberFormat(language, { style: 'currency', currency });
    cached.set(currency, known);
    return known;
  };
  const unitFormat = (currency: string) =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: 12,
    });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 12 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: DAY_ZONE });
  const shortDay = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: DAY_ZONE });
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const shortMonth = new Intl.DateTimeFormat(language, { month: 'short', timeZone: DAY_ZONE });
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: DAY_ZONE });
  const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    /** `57.60` and `USD` is `$57.60`. */
    money: (amount: string, currency: string) => currencyFormat(currency).format(amount as Intl.StringNumericLiteral),
    /** How many digits the minor unit of a currency has; undefined for what is no currency. */
    minorDigits: (currency: string) =>
      Intl.supportedValuesOf('currency').includes(currency)
        ? currencyFormat(currency).resolvedOptions().maximumFractionDigits
        : undefined,
    /** A price of one unit, with all of its digits. */
    unitAmount: (amount: string, currency: string) => unitFormat(currency).format(amount as Intl.StringNumericLiteral),
    number: (value: number | string) => number.format(value as Intl.StringNumericLiteral),
    /** `0.2` is `20 %`. */
    percent: (ratio: number) => percent.format(ratio),
    /** An instant that stands for a calendar day, such as the start of a billing period. */
    day: (value: string) => day.format(new Date(value)),
    /** `Nov 3`, on the axis of a chart. */
    shortDay: (value: string) => shortDay.format(new Date(value)),
    /** `12K`, on the axis of a chart. */
    compact: (value: number) => compact.format(value),
    shortMonth: (value: string) => shortMonth.format(new Date(value)),
    month: (value: string) => month.format(new Date(value)),
    /** The days of a half-open period, the last one included: `Oct 1 – 31, 2026`. */
    period: (startAt: string, endAt: string) =>
      day.formatRange(new Date(startAt), new Date(Math.max(Date.parse(startAt), Date.parse(endAt) - 1))),
    instant: (value: string) => instant.format(new Date(value)),
    /** The day of an instant in the reader's zone. */
    date: (value: string) => date.format(new Date(value)),
    exact: (value: string) => exact.format(new Date(value)),
    /** `in 3 days`, `yesterday`. */
    daysFromNow: (value: string) => relative.format(Math.round((Date.parse(value) - Date.now()) / DAY_MS), 'day'),
    country: (code: string) => new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code,
  };
}
