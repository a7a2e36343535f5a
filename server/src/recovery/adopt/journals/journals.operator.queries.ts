import type { Tx } from '../../../platform/database/database.ts';
import { type JournalRow, journalOverview } from '../overview/overview.operator.queries.ts';

/** Says that the journal will not come back. Null when there is none with this id. */
export async function markJournalLost(tx: Tx, id: string): Promise<JournalRow | null> {
  const [row] = await tx<JournalRow[]>`
    UPDATE journals SET
      lost_at = coalesce(lost_at, now()),
      lost_in = coalesce(lost_in, (SELECT id FROM charges_holds WHERE ended_at IS NULL))
    WHERE id = ${id} RETURNING ${journalOverview(tx)}`;
  return row ?? null;
}
