import { lacksJournal } from '../../../continuity/hold/charges-hold.service.ts';
import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { type JournalRow, journalOverview } from '../overview/overview.operator.queries.ts';

/** What no journal has, and the hold that has found it. */
export type Unjournaled = { holdId: string; unjournaled: string };

/** Says that what no journal has will not come back, if the open hold has read this one and lacks it. Null when it lacks nothing. */
export async function markUnjournaledLost(tx: Tx, journalId: string): Promise<Unjournaled | null> {
  const [row] = await tx<Unjournaled[]>`
    UPDATE charges_holds SET unjournaled_lost_at = now()
    WHERE ended_at IS NULL AND ${lacksJournal(tx)}
      AND EXISTS (SELECT FROM journals WHERE journals.id = ${journalId} AND read_in = charges_holds.id AND lost_at IS NULL)
    RETURNING id AS "holdId", unjournaled`;
  return row ?? null;
}

/**
 * Says that the journal will not come back; or, of one that this hold has read but for damaged lines, that these lines will not. One that
 * it has read stays known if what no journal has is given up. Null when there is none with this id.
 */
export async function markJournalLost(tx: Tx, id: string): Promise<JournalRow | null> {
  const hold = tx`(SELECT id FROM charges_holds WHERE ended_at IS NULL)`;
  const isDamaged = tx`damage IS NOT NULL AND read_in = ${hold}`;
  const isKept = tx`(${isDamaged} OR read_in = (SELECT id FROM charges_holds WHERE ended_at IS NULL AND unjournaled_lost_at IS NOT NULL))`;
  const [row] = await tx<JournalRow[]>`
    UPDATE journals SET
      damage_lost_in = CASE WHEN ${isKept} THEN coalesce(damage_lost_in, ${hold}) ELSE damage_lost_in END,
      lost_at = CASE WHEN ${isKept} THEN lost_at ELSE coalesce(lost_at, now()) END,
      lost_in = CASE WHEN ${isDamaged} THEN lost_in ELSE coalesce(lost_in, ${hold}) END
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
