/**
 * What a clock in the zone shows at an instant, as a field of date and time takes it: `2026-10-01T08:30`.
 *
 * @param timeZone - by its IANA name; by default the device's
 */
export function wallTimeOf(instant: Date, timeZone?: string): string {
  // The Swedish order is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(instant).replace(' ', 'T');
}

/** The instant at which a clock in the zone shows `2026-10-01T08:30`; of an hour that the zone has twice, one of both. */
export function instantOf(wallTime: string, timeZone?: string): Date {
  const asUtc = Date.parse(`${wallTime}Z`);
  const offsetAt = (ms: number) => Date.parse(`${wallTimeOf(new Date(ms), timeZone)}Z`) - ms;
  return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc)));
}
