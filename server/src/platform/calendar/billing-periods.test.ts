import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBillingMonth, isTimezone, monthAfter, monthAt, periodAfter, periodOf } from './billing-periods.ts';

const HOUR_MS = 3_600_000;

/** Every zone that Intl lists, and some more that it accepts. */
const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+12', 'Etc/GMT-14', 'Asia/Kolkata', 'US/Pacific'];

const zone = fc.constantFrom(...ZONES);
const month = fc
  .record({ year: fc.integer({ min: 2_000, max: 2_040 }), month: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, month: number }) => `${year}-${String(number).padStart(2, '0')}`);

/** The local time in the zone, computed in a slow and obvious way that the code does not use. */
const clock = (instant: Date, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);

const justBefore = (instant: Date) => new Date(instant.getTime() - 1);

describe('the period of a month', () => {
  it.each([
    ['2026-10', 'UTC', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['2026-10', 'Europe/Berlin', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['2026-03', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['2026-11', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z'],
    ['2026-12', 'Asia/Kathmandu', '2026-11-30T18:15:00.000Z', '2026-12-31T18:15:00.000Z'],
    ['2024-02', 'Pacific/Kiritimati', '2024-01-31T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
    ['2026-02', 'Pacific/Niue', '2026-02-01T11:00:00.000Z', '2026-03-01T11:00:00.000Z'],
  ])('%s in %s is [%s, %s)', (name, timezone, startAt, endAt) => {
    expect(periodOf(name, timezone)).toEqual({ startAt: new Date(startAt), endAt: new Date(endAt) });
  });

  it.each([
    ['2023-10', 'America/Asuncion', '2023-10-01T04:00:00.000Z'],
    ['2012-04', 'America/Havana', '2012-04-01T05:00:00.000Z'],
    ['2016-04', 'Asia/Amman', '2016-03-31T22:00:00.000Z'],
  ])('%s in %s, where clocks skip its midnight, begins at one o’clock', (name, timezone, startAt) => {
    const period = periodOf(name, timezone);
    expect(period.startAt).toEqual(new Date(startAt));
    expect(clock(period.startAt, timezone)).toBe(`${name}-01 01:00:00`);
    expect(clock(justBefore(period.startAt), timezone)).toMatch(/23:59:59$/);
  });

  it('begins with the first of two midnights, where clocks are set back to midnight', () => {
    // In Havana one o’clock of 1 November 2026 is midnight once more.
    const { startAt } = periodOf('2026-11', 'America/Havana');
    expect(startAt).toEqual(new Date('2026-11-01T04:00:00.000Z'));
    expect(clock(new Date(startAt.getTime() + HOUR_MS), 'America/Havana')).toBe('2026-11-01 00:00:00');
  });

  it('begins when a clock there first shows the first day, in every zone and month', () => {
    fc.assert(
      fc.property(month, zone, (name, timezone) => {
        const { startAt } = periodOf(name, timezone);
        expect(clock(startAt, timezone)).toMatch(new RegExp(`^${name}-01 0[01]:00:00$`));
        expect(clock(justBefore(startAt), timezone) < `${name}-01`).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves no gaps: the next month starts where it ends, on a quarter of an hour', () => {
    fc.assert(
      fc.property(month, zone, fc.integer({ min: 1, max: 24 }), (first, timezone, months) => {
        let name = first;
        let last = periodOf(name, timezone);
        for (let number = 1; number < months; number += 1) {
          name = monthAfter(name);
          const next = periodOf(name, timezone);
          expect(next.startAt).toEqual(last.endAt);
          expect(next.endAt > next.startAt).toBe(true);
          expect(next.startAt.getTime() % (HOUR_MS / 4)).toBe(0);
          last = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has 28 to 31 days, plus or minus a change of the clocks', () => {
    fc.assert(
      fc.property(month, zone, (name, timezone) => {
        const { startAt, endAt } = periodOf(name, timezone);
        const days = (endAt.getTime() - startAt.getTime()) / (24 * HOUR_MS);
        expect(days).toBeGreaterThan(26.9);
        expect(days).toBeLessThan(31.1);
      }),
    );
  });

  it('assigns every instant to exactly one month', () => {
    const instant = fc.date({ min: new Date('2000-02-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, zone, (at, timezone) => {
        const { startAt, endAt } = periodOf(monthAt(at, timezone), timezone);
        expect(startAt <= at && at < endAt).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(month, zone, (name, timezone) => {
        const { startAt, endAt } = periodOf(name, timezone);
        expect([monthAt(startAt, timezone), monthAt(justBefore(endAt), timezone)]).toEqual([name, name]);
        expect(monthAt(endAt, timezone)).toBe(monthAfter(name));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the period of a company that was billed before', () => {
  it('starts where the last one ended, even after a change of zone: no hour twice, none left out', () => {
    const october = periodOf('2026-10', 'Europe/Berlin');
    const november = periodAfter(october.endAt, '2026-11', 'America/New_York');
    expect(november).toEqual({ startAt: october.endAt, endAt: new Date('2026-12-01T05:00:00.000Z') });
  });

  it('leaves no gaps however often the zone changes', () => {
    fc.assert(
      fc.property(month, fc.array(zone, { minLength: 2, maxLength: 24 }), (first, zones) => {
        let name = first;
        let last = periodOf(name, zones[0] ?? 'UTC');
        for (const timezone of zones.slice(1)) {
          name = monthAfter(name);
          const next = periodAfter(last.endAt, name, timezone);
          expect(next?.startAt).toEqual(last.endAt);
          expect(next?.endAt).toEqual(periodOf(name, timezone).endAt);
          last = next ?? last;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is null when the last one reaches as far', () => {
    const { startAt, endAt } = periodOf('2026-10', 'Europe/Berlin');
    expect(periodAfter(endAt, '2026-10', 'Europe/Berlin')).toBeNull();
    expect(periodAfter(endAt, '2026-09', 'Europe/Berlin')).toBeNull();
    expect(periodAfter(justBefore(endAt), '2026-10', 'Europe/Berlin')).toEqual({ startAt: justBefore(endAt), endAt });
    expect(periodAfter(startAt, '2026-10', 'Europe/Berlin')).toEqual({ startAt, endAt });
  });
});

describe('months and time zones', () => {
  it.each(['2026-1', '2026-13', '2026-00', '26-10', '2026-10-01', '1999-12', '9999-01', ' 2026-10', '2026/10', ''])(
    '%j is not a month',
    (text) => {
      expect(isBillingMonth(text)).toBe(false);
      expect(() => periodOf(text, 'UTC')).toThrow(RangeError);
      expect(() => monthAfter(text)).toThrow(RangeError);
    },
  );

  it('2000-01 and 9998-12 are the first and the last month', () => {
    expect([isBillingMonth('2000-01'), isBillingMonth('9998-12')]).toEqual([true, true]);
    expect(periodOf('9998-12', 'UTC').endAt).toEqual(new Date('9999-01-01T00:00:00.000Z'));
  });

  it.each([
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Asia/Kolkata',
    'Etc/GMT+12',
    'America/Port-au-Prince',
  ])('%s is a time zone', (text) => expect(isTimezone(text)).toBe(true));

  it.each([
    '',
    'Mars/Phobos',
    '+02:00',
    '-0300',
    'UTC+2',
    'Europe/',
    '/Berlin',
    'Europe/Berlin ',
    'local',
    '../UTC',
    'a\0b',
  ])('%j is not a time zone', (text) => {
    expect(isTimezone(text)).toBe(false);
  });

  it('every zone that Intl lists is one', () => {
    expect(ZONES.filter((name) => !isTimezone(name))).toEqual([]);
  });
});
