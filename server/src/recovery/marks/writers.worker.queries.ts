import { validate as isUuid } from 'uuid';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import type { Queryable } from '../../platform/database/database.ts';

/**
 * Returns the marks of those of these entries, which the database lacks, that another database has written: a process that this one never
 * knew, while another process was at work on this one. A database that was restored had nobody at work at the time of what it lacks, also
 * when its backup was made during the hold.
 * @param isLate - the journal got them after it was read whole: then a process that this database knows has lived on elsewhere
 */
export async function selectForeignMarks(
  db: Queryable,
  entries: readonly JournalEntry[],
  { isLate }: { isLate: boolean },
): Promise<string[]> {
  const given = entries.flatMap(({ mark, writer, at }) => (isWriter(writer) ? [{ mark, writer, at }] : []));
  if (given.length === 0) return [];
  const rows = await db<{ mark: string }[]>`
    SELECT mark FROM json_to_recordset(${JSON.stringify(given)}::text::json) AS given (mark uuid, writer uuid, at timestamptz)
    WHERE (${isLate} OR NOT EXISTS (SELECT FROM journal_writers WHERE id = writer))
      AND EXISTS (SELECT FROM journal_writers WHERE id <> writer AND at BETWEEN begun_at AND seen_at)`;
  return rows.map(({ mark }) => mark);
}

/** Returns those of these entries of whose marks the open hold does not know yet. */
export async function selectNewMarks(db: Queryable, entries: readonly JournalEntry[]): Promise<JournalEntry[]> {
  const given = JSON.stringify(entries.map(({ companyId, mark }, index) => ({ index, companyId, mark })));
  const rows = await db<{ index: number }[]>`
    SELECT index FROM json_to_recordset(${given}::text::json) AS given (index int, "companyId" uuid, mark uuid)
    WHERE NOT EXISTS (SELECT FROM missing_marks WHERE company_id = given."companyId" AND missing_marks.mark = given.mark)
    ORDER BY index`;
  return rows.flatMap(({ index }) => entries[index] ?? []);
}

/** Makes the other open cases of such writers another database's too: whoever this one never knew did not work on it before either. */
export async function extendToWriters(db: Queryable, holdId: string): Promise<void> {
  await db`
    UPDATE recovery_cases SET is_foreign = true
    WHERE hold_id = ${holdId} AND state = 'open' AND NOT is_foreign
      AND writer IN (SELECT writer FROM recovery_cases WHERE hold_id = ${holdId} AND is_foreign)
      AND NOT EXISTS (SELECT FROM journal_writers WHERE id = writer)`;
}

/** Whether the entry says who wrote it. */
export function isWriter(writer: string | undefined): writer is string {
  return writer !== undefined && isUuid(writer);
}

const OTHER_DATABASE =
  ' Another database writes to the same journal: a copy of this one, or an old primary that lives on.';

/** Says that another database has written to a journal of this one. */
export async function noteOtherDatabase(db: Queryable, holdId: string): Promise<void> {
  await db`
    UPDATE charges_holds SET
      reason = CASE WHEN other_database_at IS NULL THEN reason || ${OTHER_DATABASE} ELSE reason END, other_database_at = now()
    WHERE id = ${holdId}`;
}
