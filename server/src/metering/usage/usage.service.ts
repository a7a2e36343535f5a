import { isTimezone } from '../../platform/calendar/billing-periods.ts';
import { databaseErrorCode, type Queryable } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { parseDate, parseInstant } from '../../platform/http/schema/instants.ts';
import { type Json, withData } from '../../platform/http/schema/json.ts';
import { type PeriodBound, selectCompaniesWithUsage, selectIntervalBounds } from './usage.operator.queries.ts';
import { selectUsagePage, type UsagePeriod } from './usage.queries.ts';
import type { UsageList, UsageQuery } from './usage.schema.ts';
import { selectUsageSums, selectUsedStretches, type UsageStretch } from './usage.sums.worker.queries.ts';

// What a billing run begins with, so that it finds everything here.
export { closeUsageCutoff } from './rollup/rollup.ts';

const MAX_INTERVALS = 1_000;
const QUARTER_HOUR_MS = 15 * 60 * 1000;
/** From here on all time zones are whole quarters of an hour from UTC, and no usage is older. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 9_998;

/** A page of what the company used, by interval and path, as JSON text. Exact at any moment. @throws ApiError 400 */
export async function listUsage(
  db: Queryable,
  companyId: string,
  query: UsageQuery,
  now: Date,
): Promise<Json<typeof UsageList>> {
  const { page, perPage, path } = query;
  const boundsMs = await readIntervals(db, query, now);
  const filter = path?.endsWith('*') ? { path: null, prefix: path.slice(0, -1) } : { path: path ?? null, prefix: null };
  const { total, data } = await selectUsagePage(db, companyId, {
    filter,
    boundsMs,
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  return withData({ total, page, perPage }, data);
}

/** Where the intervals begin and the last one ends, in milliseconds since 1970. @throws ApiError 400 */
async function readIntervals(
  db: Queryable,
  { from, to, granularity, timezone }: UsageQuery,
  now: Date,
): Promise<number[]> {
  if (!isTimezone(timezone)) refuseTimezone();
  const boundsMs = await selectIntervalBounds(db, {
    from: from === undefined ? null : readBound('from', from),
    to: to === undefined ? null : readBound('to', to),
    granularity,
    timezone,
    now,
    limit: MAX_INTERVALS + 2,
  }).catch((error) => (databaseErrorCode(error) === '22023' ? refuseTimezone() : Promise.reject(error)));
  if (boundsMs.length === 0) throw invalidField('to', 'must be after from');
  if (boundsMs.length > MAX_INTERVALS + 1) {
    throw invalidField('granularity', `must leave at most ${MAX_INTERVALS} intervals between from and to`);
  }
  return boundsMs;
}

function readBound(field: string, text: string): PeriodBound {
  const instant = parseInstant(text) ?? parseDate(text);
  const year = instant?.getUTCFullYear() ?? 0;
  if (instant === null || year < FIRST_YEAR || year > LAST_YEAR) {
    throw invalidField(field, `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`);
  }
  if (instant.getTime() % QUARTER_HOUR_MS !== 0) throw invalidField(field, 'must be on a quarter of an hour');
  return parseDate(text) === null ? { instant } : { date: text };
}

function refuseTimezone(): never {
  throw invalidField('timezone', 'must be an IANA time zone such as Europe/Berlin');
}

/** The quantity is digits, because a sum may be more than a JavaScript number can hold. */
export type PathSum = { path: string; quantity: string };

/**
 * What the company used of each path in [from, to), which stand on quarters of an hour, sorted by path; paths of which it used nothing
 * are left out. Only what stands after one cutoff and up to another counts: (0, N] is all that was acknowledged when N was
 * closed, and (M, N] what came in between. The same cutoffs give the same answer for ever.
 */
export async function sumUsage(db: Queryable, companyId: string, period: UsagePeriod): Promise<PathSum[]> {
  return (await sumUsageOfMany(db, [{ companyId, ...period }]))[0] ?? [];
}

/** The same of all that was acknowledged until now, for a preview. */
export async function sumUsageUntilNow(
  db: Queryable,
  companyId: string,
  period: Omit<UsagePeriod, 'upToCutoff'>,
): Promise<PathSum[]> {
  return (await sumUsageOfMany(db, [{ companyId, ...period, upToCutoff: null }]))[0] ?? [];
}

/** The same of many stretches, of one company or several, in one query. @returns the sums of each stretch, in their order */
export async function sumUsageOfMany(db: Queryable, stretches: readonly UsageStretch[]): Promise<PathSum[][]> {
  const sums = stretches.map((): PathSum[] => []);
  if (stretches.length === 0) return sums;
  for (const { place, path, quantity } of await selectUsageSums(db, stretches))
    sums[place - 1]?.push({ path, quantity });
  return sums;
}

/**
 * Those of the stretches in which anything was used. An hour that one only touches counts whole, so `sumUsage` may find nothing.
 */
export async function filterUsed<T extends UsageStretch>(db: Queryable, stretches: readonly T[]): Promise<T[]> {
  if (stretches.length === 0) return [];
  const places = new Set(await selectUsedStretches(db, stretches));
  return stretches.filter((_, index) => places.has(index + 1));
}

/**
 * The companies that may have used something in a period, between two cutoffs, by id: `limit` of them that come after one. An
 * hour that the period only touches counts whole, so `sumUsage` may find nothing.
 */
export async function listCompaniesWithUsage(
  db: Queryable,
  page: UsagePeriod & { afterCompanyId: string | null; limit: number },
): Promise<string[]> {
  return selectCompaniesWithUsage(db, page);
}
