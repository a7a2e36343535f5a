import type { Part, Queryable, Tx } from '../../platform/database/database.ts';
import { isSettled, lacksJournal, WENT_BACK } from './charges-hold.parts.queries.ts';

/**
 * Reads the hold that has not ended; null when there is none. Its reason names the journals that its first pass could not read, what no
 * journal has, and what was declared lost during it: by ids, because everybody can read it.
 */
export async function selectHold(db: Queryable): Promise<{ reason: string; since: Date } | null> {
  const hold = db`charges_holds.id`;
  const isUnread = db`NOT ${isSettled(db, hold)} AND last_pass_at IS NOT NULL AND position(journals.id::text in reason) = 0`;
  const isGivenUp = db`lost_in = ${hold}`;
  const [row] = await db<{ reason: string; since: Date }[]>`
    SELECT concat(
             reason,
             ${named(db, 'Journals that were not read', isUnread)},
             ${named(db, 'Lost journals', isGivenUp)},
             CASE WHEN ${lacksJournal(db)} THEN ${` ${WENT_BACK}`}::text || unjournaled || '.'
                  WHEN unjournaled IS NOT NULL AND EXISTS (SELECT FROM journals WHERE ${isGivenUp})
                    THEN ' Lost with a journal: ' || unjournaled || ', and what only that had.' END
           ) AS reason, begun_at AS since
    FROM charges_holds WHERE ended_at IS NULL`;
  return row ?? null;
}

/** A text that names these journals of a hold; null for none. */
function named(db: Queryable, title: string, condition: Part): Part {
  return db`(
    SELECT ${` ${title}: `}::text || string_agg(journals.id::text, '; ' ORDER BY lost_at, journals.id) || '.' FROM journals
    WHERE ${condition}
  )`;
}

/** Whether charges are held by the database. */
export async function isHeld(db: Queryable): Promise<boolean> {
  const rows = await db`SELECT 1 FROM charges_holds WHERE ended_at IS NULL`;
  return rows.length === 1;
}

/** Keeps the hold, if it is the one with this id where one is given, from ending until the transaction has. False when there is none. */
export async function lockHold(tx: Tx, id: string | null = null): Promise<boolean> {
  const rows =
    await tx`SELECT 1 FROM charges_holds WHERE ended_at IS NULL AND (${id}::uuid IS NULL OR id = ${id}) FOR SHARE`;
  return rows.length === 1;
}
