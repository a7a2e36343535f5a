import type { Queryable } from '../../platform/database/database.ts';
import type { Json, JsonList } from '../../platform/http/schema/json.ts';
import type { UsageList } from './usage.schema.ts';

/** One path, all with a prefix, or all of them (both null). */
export type PathFilter = { path: string | null; prefix: string | null };

export type UsagePageRequest = {
  filter: PathFilter;
  /**
   * The start of each interval and the end of the last: ascending, on quarters of an hour, in milliseconds since 1970.
   */
  boundsMs: readonly number[];
  limit: number;
  offset: number;
};

/** `data` and `totals` are JSON text. */
export type UsagePage = {
  total: number;
  data: JsonList<typeof UsageList>;
  totals: Json<(typeof UsageList)['properties']['totals']>;
};

/**
 * The company's usage by interval and path, without zeros. The sums and the waiting deltas are read in one statement,
 * so as of one instant.
 */
export async function selectUsagePage(
  db: Queryable,
  companyId: string,
  { limit, offset, ...request }: UsagePageRequest,
): Promise<UsagePage> {
  const [row] = await db<[UsagePage]>`
    WITH ${usageSums(db, companyId, request)}
    SELECT (SELECT count(*)::int FROM sums) AS total, (
      SELECT coalesce(json_agg(json_build_object(
        'path', path, 'start', iso_instant(instants[interval_number]), 'end', iso_instant(instants[interval_number + 1]),
        'quantity', quantity::text
      ) ORDER BY interval_number, path), '[]')::text
      FROM (SELECT * FROM sums ORDER BY interval_number, path LIMIT ${limit} OFFSET ${offset}) AS page CROSS JOIN bounds
    ) AS data, (
      SELECT coalesce(json_agg(json_build_object(
        'start', iso_instant(instants[interval_number]), 'end', iso_instant(instants[interval_number + 1]),
        'quantity', quantity::text
      ) ORDER BY interval_number), '[]')::text
      FROM (SELECT interval_number, sum(quantity) AS quantity FROM sums GROUP BY interval_number) AS intervals CROSS JOIN bounds
    ) AS totals`;
  return row;
}

/** A row of a page as a line of a file. */
export type UsageLine = { path: string; start: string; end: string; quantity: string };

/** All of the company's usage by interval and path, without zeros, in the order of the pages. */
export async function selectUsageLines(
  db: Queryable,
  companyId: string,
  request: Pick<UsagePageRequest, 'boundsMs' | 'filter'>,
): Promise<UsageLine[]> {
  return db<UsageLine[]>`
    WITH ${usageSums(db, companyId, request)}
    SELECT path, iso_instant(instants[interval_number]) AS start, iso_instant(instants[interval_number + 1]) AS "end",
           quantity::text AS quantity
    FROM sums CROSS JOIN bounds ORDER BY interval_number, path`;
}

/** The usage of each interval and path as `sums`, with the instants of the intervals as `bounds`. */
function usageSums(
  db: Queryable,
  companyId: string,
  { boundsMs, filter }: Pick<UsagePageRequest, 'boundsMs' | 'filter'>,
) {
  const from = new Date(boundsMs[0] ?? 0);
  const to = new Date(boundsMs.at(-1) ?? 0);
  return db`
    bounds AS MATERIALIZED (
      SELECT array_agg(timestamptz '1970-01-01T00:00:00Z' + ms::bigint * interval '1 millisecond' ORDER BY position) AS instants
      FROM unnest(string_to_array(${boundsMs.join()}, ',')) WITH ORDINALITY AS given (ms, position)
    ), slots AS (
      ${selectSlots(db, companyId, { from, to, filter }, boundsMs)}
    ), sums AS MATERIALIZED (
      SELECT width_bucket(slot, instants) AS interval_number, path, sum(quantity) AS quantity
      FROM slots CROSS JOIN bounds
      WHERE slot >= ${from} AND slot < ${to}
      GROUP BY interval_number, path
      HAVING sum(quantity) > 0
    )`;
}

type Fragment = ReturnType<typeof selectHours>;

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** Sums the largest units that no bound divides: there are two dozen times fewer days of UTC than hours. */
function selectSlots(db: Queryable, companyId: string, period: Period, boundsMs: readonly number[]): Fragment {
  const isDividedBy = (pieceMs: number) => boundsMs.every((ms) => ms % pieceMs === 0);
  if (isDividedBy(DAY_MS)) return wholeDays(db, companyId, period);
  const hours = selectHours(db, companyId, period);
  return isDividedBy(HOUR_MS) ? wholeHours(db, hours) : quartersOf(db, hours);
}

type Period = { from: Date; to: Date; filter: PathFilter };

function wholeDays(db: Queryable, companyId: string, { from, to, filter }: Period): Fragment {
  return db`
    SELECT day AS slot, path, quantity FROM usage_days
    WHERE company_id = ${companyId} AND day >= ${from} AND day < ${to} ${pathMatches(db, filter)}
    UNION ALL
    SELECT hour, path, quarter_1 + quarter_2 + quarter_3 + quarter_4 FROM usage_deltas
    WHERE company_id = ${companyId} AND hour >= ${from} AND hour < ${to} ${pathMatches(db, filter)}`;
}

/** All usage in the hours that a period overlaps, rolled up or not. */
function selectHours(db: Queryable, companyId: string, { from, to, filter }: Period) {
  const firstHour = new Date(from.getTime() - HOUR_MS);
  const [hours, deltas] = ['usage_hours', 'usage_deltas'].map(
    (table) => db`
      SELECT hour, path, quarter_1, quarter_2, quarter_3, quarter_4
      FROM ${db(table)}
      WHERE company_id = ${companyId} AND hour > ${firstHour} AND hour < ${to} ${pathMatches(db, filter)}`,
  );
  return db`(${hours ?? db``} UNION ALL ${deltas ?? db``}) AS hours`;
}

function pathMatches(db: Queryable, { path, prefix }: PathFilter) {
  if (path !== null) return db`AND path = ${path}`;
  return prefix === null ? db`` : db`AND starts_with(path, ${prefix})`;
}

function wholeHours(db: Queryable, hours: Fragment) {
  return db`SELECT hour AS slot, path, quarter_1 + quarter_2 + quarter_3 + quarter_4 AS quantity FROM ${hours}`;
}

/** Only an hour that a bound divides is split into quarters, which takes four times as long. */
function quartersOf(db: Queryable, hours: Fragment) {
  return db`
    SELECT slot, path, quantity
    FROM ${hours} CROSS JOIN bounds CROSS JOIN LATERAL (
      SELECT hour AS slot, quarter_1 + quarter_2 + quarter_3 + quarter_4 AS quantity
      WHERE width_bucket(hour, instants) = width_bucket(hour + interval '45 minutes', instants)
      UNION ALL
      SELECT hour + after, quantity
      FROM (VALUES
        (interval '0 minutes', quarter_1), (interval '15 minutes', quarter_2),
        (interval '30 minutes', quarter_3), (interval '45 minutes', quarter_4)
      ) AS quarters (after, quantity)
      WHERE width_bucket(hour, instants) <> width_bucket(hour + interval '45 minutes', instants)
    ) AS slots`;
}

/** The bounds are on quarters of an hour; cutoffs are numbers, and 0 is before all of them. */
export type UsagePeriod = { from: Date; to: Date; afterCutoff: number; upToCutoff: number };
