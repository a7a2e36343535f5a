import { expect, it } from 'vitest';
import { fillTotals } from './intervals.ts';

const total = (start: string, end: string, quantity: string) => ({
  start: `${start}T00:00:00.000Z`,
  end: `${end}T00:00:00.000Z`,
  quantity,
});

it('days without usage are zero, until now', () => {
  const nowMs = Date.parse('2026-11-03T12:00:00Z');
  const used = [total('2026-11-02', '2026-11-03', '7')];
  expect(fillTotals(used, { granularity: 'day', nowMs }).map(({ quantity }) => quantity)).toEqual(['0', '7', '0']);
});

it('a period of months ends before `to`', () => {
  const nowMs = Date.parse('2026-11-03T12:00:00Z');
  const filled = fillTotals([], { from: '2026-07-01', to: '2026-10-01', granularity: 'month', nowMs });
  expect(filled.map(({ start }) => start.slice(0, 7))).toEqual(['2026-07', '2026-08', '2026-09']);
});

it('the days of another time zone stay as they are', () => {
  const nowMs = Date.parse('2026-11-03T12:00:00Z');
  const berlin = [{ start: '2026-10-31T23:00:00.000Z', end: '2026-11-01T23:00:00.000Z', quantity: '5' }];
  expect(fillTotals(berlin, { granularity: 'day', nowMs })).toEqual(berlin);
});
