import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { type JournalRow, journalOverview } from '../overview/overview.operator.queries.ts';

/** Says that the journal will not come back, in the open hold if there is one. Null when there is none with this id. */
export async function markJournalLost(tx: Tx, id: string): Promise<JournalRow | null> {
  const [row] = await tx<JournalRow[]>`
    UPDATE journals SET
      lost_at = coalesce(lost_at, now()), lost_in = coalesce((SELECT id FROM charges_holds WHERE ended_at IS NULL), lost_in)
    WHERE id = ${id} RETURNING ${journalOverview(tx)}`;
  return row ?? null;
}

/** Reads a journal; null when there is none with this id. */
export async function selectJournal(tx: Tx, id: string): Promise<JournalRow | null> {
  const [row] = await tx<JournalRow[]>`SELECT ${journalOverview(tx)} FROM journals WHERE id = ${id} FOR UPDATE`;
  return row ?? null;
}

/** Notes that a person has sent the newest entry that the database knows of the journal, if one of these marks is its. */
export async function noteSent(db: Queryable, journalId: string, marks: readonly string[]): Promise<void> {
  await db`
    UPDATE journals SET sent_at = now()
    WHERE id = ${journalId} AND last_mark IN (SELECT json_array_elements_text(${JSON.stringify(marks)}::text::json)::uuid)`;
}

/**
 * Whether a copy of the journal that was sent within an hour lacks the newest entry that the database knows of it. Entries older than 39
 * days may have been deleted.
 */
export async function selectIsOlderCopy(db: Queryable, journalId: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM journals
    WHERE id = ${journalId} AND last_mark IS NOT NULL AND last_mark_at > now() - interval '39 days'
      AND (sent_at > now() - interval '1 hour') IS NOT TRUE`;
  return rows.length === 1;
}

/** Makes a journal known of which a person has sent a copy, if it is not known: the database may have gone back to before it was kept. */
export async function insertSentJournal(db: Queryable, journalId: string): Promise<void> {
  await db`
    INSERT INTO journals (id, host, directory) VALUES (${journalId}, 'unknown', 'a copy that was sent') ON CONFLICT (id) DO NOTHING`;
}
