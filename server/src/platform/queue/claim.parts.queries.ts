import { CLOCK_TOLERANCE_SECONDS } from '../calendar/clock.ts';
import type { Part, Queryable } from '../database/database.ts';
import { PROCESS_ID } from '../processes/processes.service.ts';
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
  const keys = key.join(', ');
  const select = db.unsafe(`SELECT ${keys} FROM ${table} WHERE`);
  const others =
    also === undefined
      ? db``
      : db`UNION ALL SELECT * FROM (${select} ${also.where} ${also.first} FOR UPDATE SKIP LOCKED) AS also_due`;
  return db`
    free AS (
      SELECT * FROM (${select} ${where} ${first} FOR UPDATE SKIP LOCKED) AS due ${others}
    ), ${db.unsafe(`${as} AS (UPDATE ${table} SET`)} ${set} ${db.unsafe(
      `FROM free WHERE ${joinOn(key, table, 'free')} RETURNING ${table}.*)`,
    )}`;
}

export type Lanes = {
  /** The columns that name a lane: the first ones of the index of waiting jobs, which `next_attempt_at` follows. */
  lane: readonly string[];
  /** What else must hold for a due job. */
  where: Part;
  /** How many jobs to claim, and how many of one lane may be claimed at a time, by any process. */
  limit: number;
  perLane: number;
  /** Whether only one process at a time has jobs of a lane. */
  ofOneProcess?: boolean;
  leaseSeconds: number;
};

/**
 * Continues a statement `WITH RECURSIVE …`: chooses the due jobs to claim into `chosen`, the longest due first. Lanes are looked up one by
 * one, so a thousand jobs of one do not delay another's. A lease from before the database's clock was set back does not count.
 */
export function chooseByLane(db: Queryable, { table, key }: Keyed, lanes: Lanes) {
  const { lane, where, limit, perLane, ofOneProcess = false, leaseSeconds } = lanes;
  const taken = ofOneProcess
    ? `coalesce(sum(CASE process_id WHEN '${PROCESS_ID}' THEN 1 ELSE ${perLane} END), 0)`
    : 'count(*)';
  const columns = lane.join(', ');
  // Whole texts: a statement of many small fragments costs more to put together than to run.
  const head = `
    waiting AS (
      (SELECT ${columns} FROM ${table} WHERE next_attempt_at IS NOT NULL ORDER BY ${columns} LIMIT 1)
      UNION ALL
      SELECT next.*
      FROM waiting CROSS JOIN LATERAL (
        SELECT ${columns} FROM ${table}
        WHERE next_attempt_at IS NOT NULL AND (${columns}) > (${lane.map((column) => `waiting.${column}`).join(', ')})
        ORDER BY ${columns} LIMIT 1
      ) AS next
    ), chosen AS (
      SELECT first.*
      FROM waiting CROSS JOIN LATERAL (
        SELECT ${key.join(', ')}, next_attempt_at FROM ${table} AS jobs
        WHERE ${joinOn(lane, 'jobs', 'waiting')} AND next_attempt_at <= now() AND`;
  const tail = `
        ORDER BY next_attempt_at
        LIMIT greatest(0, ${perLane} - (
          SELECT ${taken} FROM ${table} AS leased
          WHERE ${joinOn(lane, 'leased', 'waiting')} AND lease IS NOT NULL
            AND leased_until BETWEEN now() AND now() + make_interval(secs => ${leaseSeconds + CLOCK_TOLERANCE_SECONDS})
        ))
      ) AS first
      ORDER BY first.next_attempt_at
      LIMIT`;
  return db`${db.unsafe(head)} ${where} ${db.unsafe(tail)} ${limit})`;
}

/** A condition: the job is among those that a table expression has chosen, and still due. */
export function isChosen(db: Queryable, { key }: Keyed, chosen: string) {
  const keys = key.join(', ');
  return db`${db.unsafe(`(${keys}) IN (SELECT ${keys} FROM ${chosen})`)} AND next_attempt_at <= now()`;
}

/** A condition: both tables have the same key. */
function joinOn(key: readonly string[], left: string, right: string): string {
  return key.map((column) => `${left}.${column} = ${right}.${column}`).join(' AND ');
}
