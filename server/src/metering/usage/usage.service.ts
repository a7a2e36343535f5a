import type { TString } from 'typebox';
import { isTimezone } from '../../platform/calendar/billing-periods.ts';
import { databaseErrorCode, type Queryable } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { writeCsvFile } from '../../platform/http/limits/csv-file.ts';
import { parseDate, parseInstant } from '../../platform/http/schema/instants.ts';
import { type Json, type JsonParts, withParts } from '../../platform/http/schema/json.ts';
import { type PeriodBound, selectCompaniesWithUsage, selectIntervalBounds } from './usage.operator.queries.ts';
import {
  type PathFilter,
  selectUsageLines,
  selectUsagePage,
  type UsageLine,
  type UsagePeriod,
} from './usage.queries.ts';
import type { UsageFileQuery, UsageList, UsageQuery } from './usage.schema.ts';
import { type CompanyUsagePeriod, selectUsageSums, selectUsedPeriods } from './usage.sums.worker.queries.ts';

export type { FindPeriodsSince, PeriodOfCompany } from './ingest/ingest-late.ts';
export { closeUsageCutoff } from './rollup/rollup.ts';
export { selectOpenCutoff } from './rollup/rollup.worker.queries.ts';
export { handOverUsage } from './unattributed/attribution.ts';

const MAX_INTERVALS = 1_000;
const QUARTER_HOUR_MS = 15 * 60 * 1000;
/** There is no older usage. Since then all time zones differ from UTC by whole quarters of an hour. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 9_998;

/** A page of the company's usage by interval and path as JSON text. Exact at any moment. @throws ApiError 400 */
export async function listUsage(
  db: Queryable,
  companyId: string,
  query: UsageQuery,
  now: Date,
): Promise<Json<typeof UsageList>> {
  const { page, perPage } = query;
  const boundsMs = await readIntervals(db, query, now);
  const filter = readPath(query);
  const { total, data, totals } = await selectUsagePage(db, companyId, {
    filter,
    boundsMs,
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  return withParts<typeof UsageList, 'data' | 'totals'>({ total, page, perPage }, { data, totals });
}

function readPath({ path }: UsageFileQuery): PathFilter {
  return path?.endsWith('*') ? { path: null, prefix: path.slice(0, -1) } : { path: path ?? null, prefix: null };
}

const FILE_COLUMNS = ['path', 'start', 'end', 'quantity'] as const;
const INTERVALS_AT_ONCE = 24;

/** All usage of the period by interval and path as a CSV file in parts, which reads a day's hours at a time. @throws ApiError 400 */
export async function writeUsage(
  db: Queryable,
  companyId: string,
  query: UsageFileQuery,
  now: Date,
): Promise<JsonParts<TString>> {
  const boundsMs = await readIntervals(db, query, now);
  const filter = readPath(query);
  let start = 0;
  const readNext = async (): Promise<UsageLine[]> => {
    while (start < boundsMs.length - 1) {
      const part = boundsMs.slice(start, start + INTERVALS_AT_ONCE + 1);
      start += INTERVALS_AT_ONCE;
      const lines = await selectUsageLines(db, companyId, { filter, boundsMs: part });
      if (lines.length > 0) return lines;
    }
    return [];
  };
  return writeCsvFile({ columns: FILE_COLUMNS, readAfter: readNext });
}

/** The start of each interval and the end of the last, in milliseconds since 1970. @throws ApiError 400 */
async function readIntervals(
  db: Queryable,
  { from, to, granularity, timezone }: UsageFileQuery,
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
    throw invalidField('granularity', `must result in at most ${MAX_INTERVALS} intervals between from and to`);
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

/** The quantity is digits, because a sum may exceed what a JavaScript number represents exactly. */
export type PathSum = { path: string; quantity: string };

/**
 * The company's usage of each path in [from, to), on quarters of an hour, sorted by path, without zeros. Only usage
 * after one cutoff and up to another counts: (0, N] is all that was acknowledged when N was closed, and (M, N] what was
 * acknowledged in between. The same cutoffs always give the same answer.
 */
export async function sumUsage(db: Queryable, companyId: string, period: UsagePeriod): Promise<PathSum[]> {
  return (await sumUsageOfMany(db, [{ companyId, ...period }]))[0] ?? [];
}

/** The same for all usage acknowledged until now, for a preview. */
export async function sumUsageUntilNow(
  db: Queryable,
  companyId: string,
  period: Omit<UsagePeriod, 'upToCutoff'>,
): Promise<PathSum[]> {
  return (await sumUsageOfMany(db, [{ companyId, ...period, upToCutoff: null }]))[0] ?? [];
}

/**
 * The same for many periods, of one company or several, in one query. @returns the sums of each period, in their
 * order
 */
export async function sumUsageOfMany(db: Queryable, periods: readonly CompanyUsagePeriod[]): Promise<PathSum[][]> {
  const sums = periods.map((): PathSum[] => []);
  if (periods.length === 0) return sums;
  for (const { position, path, quantity } of await selectUsageSums(db, periods))
    sums[position - 1]?.push({ path, quantity });
  return sums;
}

/** The periods with any usage. An hour that one only overlaps counts entirely, so `sumUsage` may find nothing. */
export async function filterUsed<T extends CompanyUsagePeriod>(db: Queryable, periods: readonly T[]): Promise<T[]> {
  if (periods.length === 0) return [];
  const positions = new Set(await selectUsedPeriods(db, periods));
  return periods.filter((_, index) => positions.has(index + 1));
}

/**
 * The companies that may have usage in a period between two cutoffs, by id: `limit` of them after `afterCompanyId`. An
 * hour that the period only overlaps counts entirely, so `sumUsage` may find nothing.
 */
export async function listCompaniesWithUsage(
  db: Queryable,
  page: UsagePeriod & { afterCompanyId: string | null; limit: number },
): Promise<string[]> {
  return selectCompaniesWithUsage(db, page);
}
