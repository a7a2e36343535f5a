import type { UsageTotal } from '@paydesk/client';

type Asked = { from?: string; to?: string; granularity: 'hour' | 'day' | 'month'; nowMs: number };

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };
const MAX_INTERVALS = 1_000;

/**
 * The totals of all intervals of the period until now, in UTC: the API leaves out those without usage.
 *
 * @param from - as in the address; without it, the period is this month
 */
export function fillTotals(totals: readonly UsageTotal[], { from, to, granularity, nowMs }: Asked): UsageTotal[] {
  const now = new Date(nowMs);
  const startMs = from === undefined ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) : Date.parse(from);
  const start = new Date(startMs);
  const endMs = to === undefined ? monthAfter(start) : Date.parse(to);
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return [...totals];
  const known = new Map(totals.map((total) => [Date.parse(total.start), total]));
  const filled: UsageTotal[] = [];
  let at = startMs;
  while (at < Math.min(endMs, nowMs) && filled.length < MAX_INTERVALS) {
    const next = granularity === 'month' ? monthAfter(new Date(at)) : at + STEP_MS[granularity];
    const empty = { start: new Date(at).toISOString(), end: new Date(next).toISOString(), quantity: '0' };
    filled.push(known.get(at) ?? empty);
    known.delete(at);
    at = next;
  }
  // What does not begin where an interval in UTC does is of another time zone.
  return known.size === 0 ? filled : [...totals];
}

function monthAfter(day: Date): number {
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate());
}
