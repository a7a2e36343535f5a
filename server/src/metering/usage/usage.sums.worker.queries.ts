import type { Queryable } from '../../platform/database/database.ts';

/**
 * A period [from, to) of one company's usage, on quarters of an hour, after one cutoff and up to another; up to null
 * means all acknowledged usage.
 */
export type CompanyUsagePeriod = {
  companyId: string;
  from: Date;
  to: Date;
  afterCutoff: number;
  upToCutoff: number | null;
};

/**
 * The sum of a path in the n-th period, counted from 1. The quantity is digits: it may exceed what a number
 * represents exactly.
 */
export type PeriodSum = { position: number; path: string; quantity: string };

/** More than any cutoff will be. */
const LAST_CUTOFF = 2_147_483_647;

function givenPeriods(db: Queryable, periods: readonly CompanyUsagePeriod[]) {
  const join = (read: (period: CompanyUsagePeriod) => string | number) => periods.map(read).join();
  return db`
    unnest(
      string_to_array(${join(({ companyId }) => companyId)}, ',')::uuid[],
      string_to_array(${join(({ from }) => from.toISOString())}, ',')::timestamptz[],
      string_to_array(${join(({ to }) => to.toISOString())}, ',')::timestamptz[],
      string_to_array(${join(({ afterCutoff }) => afterCutoff)}, ',')::integer[],
      string_to_array(${join(({ upToCutoff }) => upToCutoff ?? LAST_CUTOFF)}, ',')::integer[]
    ) WITH ORDINALITY AS given (company_id, start_at, end_at, after_cutoff, up_to_cutoff, position)`;
}

/**
 * The usage of each path in each period, by index and path, without zeros. Waiting deltas belong to no cutoff yet.
 * `IS TRUE` keeps the planner from using an index by cutoff, which would read other months too.
 */
export async function selectUsageSums(db: Queryable, periods: readonly CompanyUsagePeriod[]): Promise<PeriodSum[]> {
  return db<PeriodSum[]>`
    SELECT given.position::int AS position, sums.path, sums.quantity::text AS quantity
    FROM ${givenPeriods(db, periods)}
    CROSS JOIN LATERAL (
      SELECT path, sum(usage_within(hour, quarter_1, quarter_2, quarter_3, quarter_4, given.start_at, given.end_at)) AS quantity
      FROM (
        SELECT hour, path, quarter_1, quarter_2, quarter_3, quarter_4 FROM usage_hours
        WHERE company_id = given.company_id AND hour > given.start_at - interval '1 hour' AND hour < given.end_at
          AND (cutoff > given.after_cutoff AND cutoff <= given.up_to_cutoff) IS TRUE
        UNION ALL
        SELECT hour, path, quarter_1, quarter_2, quarter_3, quarter_4 FROM usage_deltas
        WHERE given.up_to_cutoff = ${LAST_CUTOFF}
          AND company_id = given.company_id AND hour > given.start_at - interval '1 hour' AND hour < given.end_at
      ) AS hours
      GROUP BY path
    ) AS sums
    WHERE sums.quantity > 0
    ORDER BY given.position, sums.path`;
}

/**
 * The indexes, from 1, of the periods with any usage. An hour that a period only overlaps counts entirely. The
 * condition on cutoffs comes first, because nearly all rows between two cutoffs are of the time in between.
 */
export async function selectUsedPeriods(db: Queryable, periods: readonly CompanyUsagePeriod[]): Promise<number[]> {
  const rows = await db<{ position: number }[]>`
    SELECT given.position::int AS position
    FROM ${givenPeriods(db, periods)}
    CROSS JOIN LATERAL (
      SELECT 1 FROM (
        SELECT 1 FROM usage_hours
        WHERE company_id = given.company_id AND cutoff > given.after_cutoff AND cutoff <= given.up_to_cutoff
          AND hour < given.end_at AND hour + interval '1 hour' > given.start_at
        UNION ALL
        SELECT 1 FROM usage_deltas
        WHERE given.up_to_cutoff = ${LAST_CUTOFF}
          AND company_id = given.company_id AND hour < given.end_at AND hour + interval '1 hour' > given.start_at
      ) AS hours
      LIMIT 1
    ) AS used`;
  return rows.map(({ position }) => position);
}
