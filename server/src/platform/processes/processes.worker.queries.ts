import { CLOCK_TOLERANCE_SECONDS } from '../calendar/clock.ts';
import type { Part, Queryable, Tx } from '../database/database.ts';

/** A process that was not seen for this long counts as dead. */
const DEAD_AFTER_SECONDS = 5;
/**
 * A process that was itself not seen for this long, because the database was unavailable or its clock was changed, does not judge others
 * yet.
 */
const GAP_SECONDS = 3;
/** By then, everything that a dead process held was found and released. */
const FORGOTTEN_AFTER_SECONDS = 60;

/** The journal of a process that has not looked yet whether the database lacks something. */
const NONE_YET = '00000000-0000-0000-0000-000000000000';

/** Records that the process lives, by the database's clock. */
export async function recordHeartbeat(db: Queryable, id: string): Promise<void> {
  await db`
    INSERT INTO processes AS known (id, journal_id) VALUES (${id}, ${NONE_YET})
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), steady_since = CASE
      WHEN known.seen_at BETWEEN now() - make_interval(secs => ${GAP_SECONDS}) AND now() THEN known.steady_since ELSE now() END`;
}

/**
 * When each of the other processes was last seen that works on the database, in milliseconds. One that has only begun to start does not;
 * one of an older version names no journal.
 */
export async function selectOthersAtWork(db: Queryable, id: string): Promise<Map<string, number>> {
  const rows = await db<{ id: string; seenAt: Date }[]>`
    SELECT id, seen_at AS "seenAt" FROM processes
    WHERE id <> ${id} AND seen_at > '-infinity' AND journal_id IS DISTINCT FROM ${NONE_YET}`;
  return new Map(rows.map((row) => [row.id, row.seenAt.getTime()]));
}

/** Deletes a process that has ended and holds nothing. */
export async function deleteProcess(db: Queryable, id: string): Promise<void> {
  await db`DELETE FROM processes WHERE id = ${id}`;
}

/** Deletes all other processes, because the caller knows that they are dead. */
export async function deleteOtherProcesses(db: Queryable, id: string): Promise<void> {
  await db`UPDATE processes SET seen_at = '-infinity' WHERE id <> ${id}`;
}

/**
 * Returns the dead processes: those that were not seen recently, or were seen in the future because the database's clock was set back.
 * Returns none unless the asking process itself was seen without a gap for as long, because otherwise the others may not have had the
 * chance either.
 */
export async function selectDead(db: Queryable, askedBy: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`${deadProcesses(db, askedBy)}`;
  return rows.map(({ id }) => id);
}

/** SQL for whether there are any. */
export function isAnyDead(db: Queryable, askedBy: string): Part {
  return db`EXISTS (${deadProcesses(db, askedBy)})`;
}

function deadProcesses(db: Queryable, askedBy: string): Part {
  return db`
    SELECT id FROM processes
    WHERE id <> ${askedBy}
      AND seen_at NOT BETWEEN now() - make_interval(secs => ${DEAD_AFTER_SECONDS})
                          AND now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})
      AND EXISTS (
        SELECT FROM processes
        WHERE id = ${askedBy} AND steady_since < now() - make_interval(secs => ${DEAD_AFTER_SECONDS})
          AND seen_at BETWEEN now() - make_interval(secs => ${GAP_SECONDS}) AND now() + make_interval(secs => 1)
      )`;
}

/** Locks those of the processes that nobody else has locked, until the transaction ends. */
export async function lockProcesses(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    SELECT id FROM processes WHERE id = ANY(string_to_array(${ids.join()}, ',')::uuid[]) FOR UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
}

/** Deletes those of the processes that have been dead for a minute. A process that was only suspended records itself again. */
export async function deleteDeadProcesses(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`
    DELETE FROM processes
    WHERE id = ANY(string_to_array(${ids.join()}, ',')::uuid[])
      AND seen_at NOT BETWEEN now() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})
                          AND now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`;
}
