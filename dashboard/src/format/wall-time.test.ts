import { expect, test } from 'vitest';
import { instantOf, wallTimeOf } from './wall-time.ts';

test.each([
  ['America/New_York', '2026-07-01T08:30', '2026-07-01T12:30:00.000Z'],
  ['America/New_York', '2026-11-01T03:00', '2026-11-01T08:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-01T00:00', '2025-12-31T18:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
])('a clock in %s shows %s at %s', (zone, wallTime, instant) => {
  expect(instantOf(wallTime, zone).toISOString()).toBe(instant);
  expect(wallTimeOf(new Date(instant), zone)).toBe(wallTime);
});
