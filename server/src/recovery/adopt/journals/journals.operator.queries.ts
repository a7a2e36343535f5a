import type { Tx } from '../../../platform/database/database.ts';
import { type JournalRow, journalOverview } from '../overview/overview.operator.queries.ts';

/**
 * Says that the journal will not come back; or, of one that this hold has read but for damaged lines, that these lines will not. Null when
 * there is none with this id.
 */
export async function markJournalLost(tx: Tx, id: string): Promise<JournalRow | null> {
  const hold = tx`(SELECT id FROM charges_holds WHERE ended_at IS NULL)`;
  const isDamaged = tx`damage IS NOT NULL AND read_in = ${hold}`;
  const [row] = await tx<JournalRow[]>`
    UPDATE journals SET
      damage_lost_in = CASE WHEN ${isDamaged} THEN coalesce(damage_lost_in, ${hold}) ELSE damage_lost_in END,
      lost_at = CASE WHEN ${isDamaged} THEN lost_at ELSE coalesce(lost_at, now()) END,
      lost_in = CASE WHEN ${isDamaged} THEN lost_in ELSE coalesce(lost_in, ${hold}) END
    WHERE id = ${id} RETURNING ${journalOverview(tx)}`;
  return row ?? null;
}

/** Reads a journal; null when there is none with this id. */
export async function selectJournal(tx: Tx, id: string): Promise<JournalRow | null> {
  const [row] = await tx<JournalRow[]>`SELECT ${journalOverview(tx)} FROM journals WHERE id = ${id} FOR UPDATE`;
  return row ?? null;
}
