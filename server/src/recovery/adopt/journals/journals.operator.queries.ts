import type { Tx } from '../../../platform/database/database.ts';
import type { JournalRow } from '../overview/overview.operator.queries.ts';

/** Says that the journal will not come back. Null when there is none with this id. */
export async function markJournalLost(tx: Tx, id: string): Promise<JournalRow | null> {
  const [row] = await tx<JournalRow[]>`
    UPDATE journals SET lost_at = coalesce(lost_at, now()) WHERE id = ${id}
    RETURNING id, host, directory, seen_at AS "seenAt", read_at AS "readAt", lost_at AS "lostAt"`;
  return row ?? null;
}
