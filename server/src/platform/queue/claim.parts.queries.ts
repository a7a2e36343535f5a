import { CLOCK_TOLERANCE_SECONDS } from '../calendar/clock.ts';
import type { Part, Queryable } from '../database/database.ts';
import type { JobTable } from './job-table.ts';

type Keyed = Pick<JobTable, 'table' | 'key'>;

export type Claim = {
  /** Which jobs are due. */
  where: Part;
  /** `ORDER BY … LIMIT …`, unless `where` has chosen already. */
  first?: Part;
  /** Another condition under which jobs are due, which another index finds, with its own `LIMIT …`. */
  also?: { where: Part; first: Part };
  /** Assignments that give the job to this process. */
  set: Part;
  /** The name under which the statement reads the claimed rows. */
  as?: string;
};

/**
 * Continues a statement `WITH …`: claims jobs that are due and that no other process is claiming at this moment. The rest of the statement
 * reads them from `claimed`, with all columns of the table.
 */
export function claimJobs(
  db: Queryable,
  { table, key }: Keyed,
  { where, first = db``, also, set, as = 'claimed' }: Claim,
) {
  const free = (condition: Part, order: Part) =>
    db`SELECT ${db(key)} FROM ${db(table)} WHERE ${condition} ${order} FOR UPDATE SKIP LOCKED`;
  return db`
    free AS (
      SELECT * FROM (${free(where, first)}) AS due
      ${also === undefined ? db`` : db`UNION ALL SELECT * FROM (${free(also.where, also.first)}) AS also_due`}
    ), ${db(as)} AS (
      UPDATE ${db(table)} SET ${set}
      FROM free WHERE ${db.unsafe(joinOn(key, table, 'free'))}
      RETURNING ${db(table)}.*
    )`;
}

export type Lanes = {
  /** The columns that name a lane: the first ones of the index of waiting jobs, which `next_attempt_at` follows. */
  lane: readonly string[];
  /** What else must hold for a due job. */
  where: Part;
  /** How many jobs to claim, and how many of one lane may be claimed at a time, by any process. */
  limit: number;
  perLane: number;
  leaseSeconds: number;
};

/**
 * Continues a statement `WITH RECURSIVE …`: chooses the due jobs to claim into `chosen`, the longest due first. Lanes are looked up one by
 * one, so a thousand jobs of one do not delay another's. A lease from before the database's clock was set back does not count.
 */
export function chooseByLane(db: Queryable, { table, key }: Keyed, lanes: Lanes) {
  const { lane, where, limit, perLane, leaseSeconds } = lanes;
  const columns = db.unsafe(lane.join(', '));
  const isIn = (name: string) => db.unsafe(lane.map((column) => `${name}.${column} = waiting.${column}`).join(' AND '));
  return db`
    waiting AS (
      (SELECT ${columns} FROM ${db(table)} WHERE next_attempt_at IS NOT NULL ORDER BY ${columns} LIMIT 1)
      UNION ALL
      SELECT next.*
      FROM waiting CROSS JOIN LATERAL (
        SELECT ${columns} FROM ${db(table)}
        WHERE next_attempt_at IS NOT NULL
          AND (${columns}) > (${db.unsafe(lane.map((column) => `waiting.${column}`).join(', '))})
        ORDER BY ${columns} LIMIT 1
      ) AS next
    ), chosen AS (
      SELECT first.*
      FROM waiting CROSS JOIN LATERAL (
        SELECT ${db(key)}, next_attempt_at FROM ${db(table)} AS jobs
        WHERE ${isIn('jobs')} AND next_attempt_at <= now() AND ${where}
        ORDER BY next_attempt_at
        LIMIT greatest(0, ${perLane}::integer - (
          SELECT count(*) FROM ${db(table)} AS leased
          WHERE ${isIn('leased')} AND lease IS NOT NULL
            AND leased_until BETWEEN now() AND now() + make_interval(secs => ${leaseSeconds + CLOCK_TOLERANCE_SECONDS})
        ))
      ) AS first
      ORDER BY first.next_attempt_at
      LIMIT ${limit}
    )`;
}

/** A condition: the job is among those that a table expression has chosen, and still due. */
export function isChosen(db: Queryable, { key }: Keyed, chosen: string) {
  return db`(${db.unsafe(key.join(', '))}) IN (SELECT ${db(key)} FROM ${db(chosen)}) AND next_attempt_at <= now()`;
}

/** A condition: both tables have the same key. */
function joinOn(key: readonly string[], left: string, right: string): string {
  return key.map((column) => `${left}.${column} = ${right}.${column}`).join(' AND ');
}
