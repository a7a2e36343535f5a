import { type Db, emptyPart, type Queryable, type Tx } from '../../../platform/database/database.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../../platform/http/metrics/work-queues.ts';

/**
 * Locks the open cutoff until the transaction ends, so that one at a time rolls up or closes it. With `share`, those that share it roll up
 * side by side, and nobody closes it meanwhile.
 * @returns its number; null when another transaction holds it and `whenHeld` is `skip`
 */
export async function lockOpenCutoff(
  tx: Tx,
  { share = false, whenHeld }: { share?: boolean; whenHeld: 'wait' | 'skip' },
): Promise<number | null> {
  const rows = await tx<{ number: number }[]>`
    SELECT number FROM usage_cutoffs WHERE closed_at IS NULL
    FOR ${share ? tx`SHARE` : tx`UPDATE`} ${whenHeld === 'wait' ? tx`` : tx`SKIP LOCKED`}`;
  // If it was closed while waiting there is no row; a new snapshot finds the next one.
  if (rows[0] === undefined && whenHeld === 'wait') return lockOpenCutoff(tx, { share, whenHeld });
  return rows[0]?.number ?? null;
}

/** Reads the number of the open cutoff, which contains all usage that is acknowledged until it is closed. */
export async function selectOpenCutoff(db: Queryable): Promise<number> {
  const [row] = await db<[{ number: number }]>`SELECT number FROM usage_cutoffs WHERE closed_at IS NULL`;
  return row.number;
}

/**
 * Moves deltas of all companies into the hours of a cutoff and into the days, so that deltas and sums together stay the
 * same. Also marks the companies whose usage must be compared with thresholds.
 *
 * The plan may be from when the table was empty, and then reads it from its beginning: the hash finds a row of `chosen` at once, where an
 * array would be searched for each. With statistics of a full table, PostgreSQL reads only from the first to the last place.
 * @param half - takes those of half of the companies: 0 or 1; null for all
 * @returns how many were moved
 */
export async function rollUpDeltas(
  tx: Tx,
  cutoff: number,
  { half = null, limit }: { half?: 0 | 1 | null; limit: number },
): Promise<number> {
  const ofHalf = half === null ? emptyPart(tx) : tx`WHERE get_byte(uuid_send(company_id), 15) % 2 = ${half}`;
  const [row] = await tx<[{ moved: number }]>`
    WITH chosen AS MATERIALIZED (
      SELECT ctid AS place FROM usage_deltas ${ofHalf} LIMIT ${limit}
    ), taken AS (
      DELETE FROM usage_deltas
      WHERE ctid >= (SELECT min(place) FROM chosen) AND ctid <= (SELECT max(place) FROM chosen)
        AND (ctid IN (SELECT place FROM chosen)) IS TRUE
      RETURNING company_id, hour, path, quarter_1, quarter_2, quarter_3, quarter_4
    ), added AS (
      INSERT INTO usage_hours AS hours (company_id, hour, path, cutoff, quarter_1, quarter_2, quarter_3, quarter_4)
      SELECT company_id, hour, path, ${cutoff}::integer, sum(quarter_1), sum(quarter_2), sum(quarter_3), sum(quarter_4)
      FROM taken
      GROUP BY company_id, hour, path
      -- Orders the rows as they are read.
      ORDER BY company_id, hour, path
      ON CONFLICT (company_id, hour, path, cutoff) DO UPDATE
        SET quarter_1 = hours.quarter_1 + excluded.quarter_1, quarter_2 = hours.quarter_2 + excluded.quarter_2,
            quarter_3 = hours.quarter_3 + excluded.quarter_3, quarter_4 = hours.quarter_4 + excluded.quarter_4
    ), noted AS (
      INSERT INTO usage_threshold_checks (company_id, first_hour, last_hour)
      SELECT company_id, first_hour, last_hour
      FROM (SELECT company_id, min(hour) AS first_hour, max(hour) AS last_hour FROM taken GROUP BY company_id) AS used
      WHERE EXISTS (SELECT FROM usage_thresholds WHERE usage_thresholds.company_id = used.company_id)
      ORDER BY company_id
    ), added_to_days AS (
      INSERT INTO usage_days AS days (company_id, day, path, quantity)
      SELECT company_id, date_trunc('day', hour, 'UTC') AS day, path, sum(quarter_1) + sum(quarter_2) + sum(quarter_3) + sum(quarter_4)
      FROM taken
      GROUP BY company_id, day, path
      ORDER BY company_id, day, path
      ON CONFLICT (company_id, day, path) DO UPDATE SET quantity = days.quantity + excluded.quantity
    )
    SELECT count(*)::int AS moved FROM taken`;
  return row.moved;
}

/** Closes the cutoff and opens the next. @returns when it was closed */
export async function closeCutoff(tx: Tx, cutoff: number): Promise<Date> {
  const [row] = await tx<[{ closedAt: Date }]>`
    UPDATE usage_cutoffs SET closed_at = clock_timestamp() WHERE number = ${cutoff} RETURNING closed_at AS "closedAt"`;
  await tx`INSERT INTO usage_cutoffs (number) VALUES (${cutoff + 1})`;
  return row.closedAt;
}

/** Whether there is usage that is not rolled up yet. */
export async function isUsageWaiting(db: Db): Promise<boolean> {
  return (await db`SELECT FROM usage_deltas LIMIT 1`).length > 0;
}

/** Usage that is not rolled up yet. None of it is ever given up. */
export async function readUsageQueue(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    SELECT 'usage' AS name, count(*)::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(stored_at)), 0))::float AS "oldestSeconds", 0 AS retries, 0 AS dead
    FROM (SELECT stored_at FROM usage_deltas LIMIT ${COUNT_LIMIT}) AS waiting`;
}
