import type { MailLanguage } from '../../platform/feature/mail-declaration.ts';

/** Amounts in English as on invoices: `$57.50`. */
const AMOUNT_LOCALES: Record<MailLanguage, string> = { en: 'en-US', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' };
/** Dates in English with the day first, as on invoices. */
const DATE_LOCALES: Record<MailLanguage, string> = { ...AMOUNT_LOCALES, en: 'en-GB' };

/** An amount in major units, exactly, with the digits that its text has. */
export type Amount = { amount: string; currency: string };

/** Writes an amount as people of the language do: `$57.50`, `57,50 €`. */
export function formatAmount(language: MailLanguage, { amount, currency }: Amount): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const options = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return new Intl.NumberFormat(AMOUNT_LOCALES[language], options).format(amount as Intl.StringNumericLiteral);
}

/** Writes the day of an instant in a time zone, UTC by default: `1 October 2026`. */
export function formatDay(language: MailLanguage, instant: string | Date, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(DATE_LOCALES[language], { dateStyle: 'long', timeZone }).format(new Date(instant));
}

/** Writes the first and the last day of a period, whose end is exclusive. */
export function formatPeriod(
  language: MailLanguage,
  { startAt, endAt, timezone }: { startAt: string; endAt: string; timezone: string },
): string {
  const format = new Intl.DateTimeFormat(DATE_LOCALES[language], { dateStyle: 'long', timeZone: timezone });
  return format.formatRange(new Date(startAt), new Date(Date.parse(endAt) - 1));
}

/** Writes a month: `October 2026`. */
export function formatMonth(language: MailLanguage, { year, month }: { year: number; month: number }): string {
  const format = new Intl.DateTimeFormat(DATE_LOCALES[language], { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(Date.UTC(year, month - 1));
}
