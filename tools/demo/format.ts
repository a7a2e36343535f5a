/** Writes an amount in major units with its currency's sign, without rounding: `$67.20`. */
export function money(amount: string | number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(String(amount) as Intl.StringNumericLiteral);
}

/** Writes a whole number with separated thousands. */
export function count(quantity: string | number): string {
  return new Intl.NumberFormat('en-US').format(BigInt(quantity));
}

/** Writes an instant's day in UTC: `3 October 2026`. */
export function day(instant: string | Date): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));
}

/** Returns the first instant of the month that is this many months after that of `instant`, in UTC. */
export function startOfMonth(instant: Date, monthsLater = 0): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + monthsLater));
}
