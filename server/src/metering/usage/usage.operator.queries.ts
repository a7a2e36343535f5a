import type { Queryable } from '../../platform/database/database.ts';
import type { UsagePeriod } from './usage.queries.ts';

export type CompanyPageRequest = UsagePeriod & {
  /** The last company of the previous page; null for the first page. */
  afterCompanyId: string | null;
  limit: number;
};

/**
 * The companies that have rolled-up usage in the hours of a period between two cutoffs, by id. An hour that the period
 * only overlaps counts entirely, so a company may turn out to have used nothing.
 */
export async function selectCompaniesWithUsage(
  db: Queryable,
  { from, to, afterCutoff, upToCutoff, afterCompanyId, limit }: CompanyPageRequest,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM companies
    WHERE id > coalesce(${afterCompanyId}::uuid, '00000000-0000-0000-0000-000000000000')
      AND EXISTS (
        SELECT FROM usage_hours
        WHERE company_id = companies.id AND hour > ${new Date(from.getTime() - 3_600_000)} AND hour < ${to}
          AND cutoff > ${afterCutoff} AND cutoff <= ${upToCutoff}
        OFFSET 0
      )
    ORDER BY id
    LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

type Fragment = ReturnType<typeof oneMonth>;

function oneMonth(db: Queryable) {
  return db`interval '1 month'`;
}

/** A date means midnight in the time zone; an instant is absolute. */
export type PeriodBound = { date: string } | { instant: Date };
export type Granularity = 'hour' | 'day' | 'month';

export type IntervalRequest = {
  from: PeriodBound | null;
  to: PeriodBound | null;
  granularity: Granularity;
  timezone: string;
  now: Date;
  /** The most bounds that are returned. */
  limit: number;
};

/**
 * The bounds of a period's intervals in milliseconds since 1970: its start, each hour, day or month of the time zone
 * within it, and its end; none when it ends before it begins. With only one end given the period is a month long; with
 * none it is the current month.
 * @throws PostgresError 22023 for a time zone that PostgreSQL does not know
 */
export async function selectIntervalBounds(
  db: Queryable,
  { from, to, granularity, timezone, now, limit }: IntervalRequest,
): Promise<number[]> {
  const local = (instant: Fragment) => db`(${instant} AT TIME ZONE ${timezone})`;
  const instantOf = (bound: PeriodBound): Fragment =>
    'instant' in bound
      ? db`${bound.instant}::timestamptz`
      : db`(${bound.date}::text::timestamp AT TIME ZONE ${timezone})`;
  const thisMonth = local(db`date_trunc('month', ${now}::timestamptz AT TIME ZONE ${timezone})`);
  const start =
    from !== null ? instantOf(from) : to !== null ? local(db`(${local(instantOf(to))} - ${oneMonth(db)})`) : thisMonth;
  const end = to !== null ? instantOf(to) : local(db`(${local(start)} + ${oneMonth(db)})`);
  // Days and months are steps on the zone's calendar, hours on the clock: in autumn a local hour occurs twice.
  const steps =
    granularity === 'hour'
      ? db`SELECT step FROM generate_series(
             date_trunc('hour', period_start AT TIME ZONE ${timezone}) AT TIME ZONE ${timezone}, period_end, interval '1 hour'
           ) AS step`
      : db`SELECT step AT TIME ZONE ${timezone} AS step FROM generate_series(
             date_trunc(${granularity}, period_start AT TIME ZONE ${timezone}), period_end AT TIME ZONE ${timezone},
             ${`1 ${granularity}`}::text::interval
           ) AS step`;
  const rows = await db<{ ms: string }[]>`
    WITH period AS (SELECT ${start} AS period_start, ${end} AS period_end)
    SELECT DISTINCT (extract(epoch FROM bound) * 1000)::bigint AS ms
    FROM (
      SELECT unnest(ARRAY[period_start, period_end]) AS bound FROM period
      UNION ALL
      (SELECT step FROM period CROSS JOIN LATERAL (${steps}) AS steps WHERE step > period_start AND step < period_end LIMIT ${limit})
    ) AS bounds
    WHERE (SELECT period_start < period_end FROM period)
    ORDER BY ms
    LIMIT ${limit}`;
  return rows.map(({ ms }) => Number(ms));
}
