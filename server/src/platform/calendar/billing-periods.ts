/**
 * Billing periods: the months of a time zone as half-open instants [startAt, endAt). Pure functions; the zones are
 * those of Node's ICU.
 */

/** Half-open: the next period starts at `endAt`. */
export type BillingPeriod = { startAt: Date; endAt: Date };

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
/** From then on every zone's offset is a multiple of a quarter of an hour. */
/** The form of a time zone's name, as JSON Schema can say it. */
export const TIMEZONE_NAME = '[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*';
const TIMEZONE = new RegExp(`^${TIMEZONE_NAME}$`);
const FIRST_YEAR = 2_000;
const LAST_YEAR = 9_998;
/** More than any zone differs from UTC. */
const FARTHEST_OFFSET_MS = 36 * 3_600_000;
/** The sizes of the caches of formatters and of months' starts. */
const MAX_REMEMBERED = 2_000;

type Month = { year: number; month: number };

/** Whether the text names a month that can be billed: `2026-10`, from 2000 to 9998. */
export function isBillingMonth(text: string): boolean {
  return readMonth(text) !== null;
}

/** A month that can be billed, as JSON Schema can say it. */
export const MONTH_PATTERN = '(?:[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])-(?:0[1-9]|1[0-2])';

/**
 * Whether the text is an IANA time zone, such as `Europe/Berlin` or `UTC`. A bare offset (`+02:00`) is not: it has no
 * daylight saving.
 */
export function isTimezone(text: string): boolean {
  if (!TIMEZONE.test(text)) return false;
  try {
    clockOf(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The period of the month `2026-10` in a time zone. It begins with the month's first instant there, even where clocks
 * skip midnight or pass it twice; so months of one zone follow each other without gap or overlap.
 * @throws RangeError when the month or the time zone is invalid
 */
export function periodOf(month: string, timezone: string): BillingPeriod {
  const parsed = requireMonth(month);
  return { startAt: startOfMonth(parsed, timezone), endAt: startOfMonth(following(parsed), timezone) };
}

/**
 * The period of the month for a company that was billed before: it begins where the last period ended, even if the time
 * zone has changed since, and ends with the month in the current zone. `lastEndAt` is the end of the last billed
 * period, with or without an invoice. Null when that period reaches as far already.
 * @throws RangeError when the month or the time zone is invalid
 */
export function periodAfter(lastEndAt: Date, month: string, timezone: string): BillingPeriod | null {
  const { endAt } = periodOf(month, timezone);
  return lastEndAt < endAt ? { startAt: new Date(lastEndAt), endAt } : null;
}

/**
 * The month, as `2026-10`, whose period in this time zone contains an instant. @throws RangeError for an invalid time
 * zone
 */
export function monthAt(instant: Date, timezone: string): string {
  const local = new Date(localTime(instant.getTime(), timezone));
  const month = { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1 };
  const name = writeMonth(month);
  // Where clocks are set back over midnight of the first, they show the last day again in a month that has begun.
  const next = following(month);
  return isBillingMonth(writeMonth(next)) && startOfMonth(next, timezone) <= instant ? writeMonth(next) : name;
}

/** The month after `2026-12` is `2027-01`. @throws RangeError for an invalid month */
export function monthAfter(month: string): string {
  return writeMonth(following(requireMonth(month)));
}

/** The month before `2026-01` is `2025-12`. @throws RangeError for an invalid month */
export function monthBefore(month: string): string {
  const { year, month: number } = requireMonth(month);
  return writeMonth(number === 1 ? { year: year - 1, month: 12 } : { year, month: number - 1 });
}

function readMonth(text: string): Month | null {
  const [, year, month] = MONTH.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || year < FIRST_YEAR || year > LAST_YEAR) return null;
  return { year, month };
}

function requireMonth(text: string): Month {
  const month = readMonth(text);
  if (month === null) throw new RangeError('Not a month such as 2026-10.');
  return month;
}

function writeMonth({ year, month }: Month): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

function following({ year, month }: Month): Month {
  return month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
}

/** Cached, because a billing run asks for the same month in a few zones again and again. */
const starts = new Map<string, number>();

function startOfMonth(month: Month, timezone: string): Date {
  const key = `${writeMonth(month)} ${timezone}`;
  return new Date(starts.get(key) ?? remember(starts, key, findStart(month, timezone)));
}

/**
 * The first instant at which clocks of the zone show the month's first midnight, or a later time because they skip it.
 */
function findStart({ year, month }: Month, timezone: string): number {
  const midnight = Date.UTC(year, month - 1, 1);
  const offsets = [midnight - FARTHEST_OFFSET_MS, midnight + FARTHEST_OFFSET_MS].map((near) =>
    offsetAt(near, timezone),
  );
  const showMidnight = offsets
    .map((offset) => midnight - offset)
    .filter((instant) => localTime(instant, timezone) === midnight);
  return showMidnight.length > 0 ? Math.min(...showMidnight) : findJump(midnight, timezone);
}

/** The instant at which clocks skip a local time: the first one that shows a later time. */
function findJump(skipped: number, timezone: string): number {
  let before = skipped - FARTHEST_OFFSET_MS;
  let after = skipped + FARTHEST_OFFSET_MS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localTime(middle, timezone) < skipped) before = middle;
    else after = middle;
  }
  return after;
}

function offsetAt(instant: number, timezone: string): number {
  return localTime(instant, timezone) - instant;
}

/** The local time in the zone at an instant, both in milliseconds since 1970. */
function localTime(instant: number, timezone: string): number {
  const fields = clockOf(timezone).formatToParts(instant);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(fields.find((field) => field.type === type)?.value);
  const seconds = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  return seconds + (((instant % 1_000) + 1_000) % 1_000);
}

/** Creating a formatter takes far longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timezone: string): Intl.DateTimeFormat {
  return clocks.get(timezone) ?? remember(clocks, timezone, createClock(timezone));
}

function createClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** Clears a full cache: a zone's name may be written in any case, so there are unlimited names. */
function remember<T>(memory: Map<string, T>, key: string, value: T): T {
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(key, value);
  return value;
}
