import type { Queryable } from '../../platform/database/database.ts';

/**
 * Of one company, the usage of [from, to), which stand on quarters of an hour, after one cutoff and up to another. Up to null: all
 * that is acknowledged by now.
 */
export type UsageStretch = {
  companyId: string;
  from: Date;
  to: Date;
  afterCutoff: number;
  upToCutoff: number | null;
};

/** The sum of a path in the stretch of this place, from 1. The quantity is digits: it may be more than a number can hold. */
export type StretchSum = { place: number; path: string; quantity: string };

/** More than any cutoff will be. */
const LAST_CUTOFF = 2_147_483_647;

function givenStretches(db: Queryable, stretches: readonly UsageStretch[]) {
  const join = (read: (stretch: UsageStretch) => string | number) => stretches.map(read).join();
  return db`
    unnest(
      string_to_array(${join(({ companyId }) => companyId)}, ',')::uuid[],
      string_to_array(${join(({ from }) => from.toISOString())}, ',')::timestamptz[],
      string_to_array(${join(({ to }) => to.toISOString())}, ',')::timestamptz[],
      string_to_array(${join(({ afterCutoff }) => afterCutoff)}, ',')::integer[],
      string_to_array(${join(({ upToCutoff }) => upToCutoff ?? LAST_CUTOFF)}, ',')::integer[]
    ) WITH ORDINALITY AS given (company_id, start_at, end_at, after_cutoff, up_to_cutoff, place)`;
}

/**
 * What was used of each path in each stretch, by place and path, without those of nothing. What waits for the rollup belongs to no
 * cutoff yet. `IS TRUE` keeps the planner from entering an index by the cutoff, and so from reading other months.
 */
export async function selectUsageSums(db: Queryable, stretches: readonly UsageStretch[]): Promise<StretchSum[]> {
  return db<StretchSum[]>`
    SELECT given.place::int AS place, sums.path, sums.quantity::text AS quantity
    FROM ${givenStretches(db, stretches)}
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
    ORDER BY given.place, sums.path`;
}

/**
 * The places, from 1, of the stretches in which anything was used. An hour that a stretch only touches counts whole. Cutoffs come
 * first here, since all but a little of what stands between two of them is of the time in between.
 */
export async function selectUsedStretches(db: Queryable, stretches: readonly UsageStretch[]): Promise<number[]> {
  const rows = await db<{ place: number }[]>`
    SELECT given.place::int AS place
    FROM ${givenStretches(db, stretches)}
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
  return rows.map(({ place }) => place);
}
