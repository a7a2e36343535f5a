import type { Db, Queryable, Tx } from '../../platform/database/database.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';

/** What must not be forgotten, when the database is. */
export type Mark = {
  companyId: string;
  /** Random, or the id of a payment or refund, which their objects at the gateway carry. */
  mark: string;
  /** One of the kinds that the features declare. */
  kind: string;
  /** The id of the row that it is about. */
  subject: string;
};

/** Writes the marks, of any companies. A mark that is there already stays. */
export async function insertMarks(tx: Tx, marks: readonly Mark[]): Promise<void> {
  const rows = marks.map(({ companyId, mark, kind, subject }) => ({ companyId, mark, kind, subject }));
  await tx`
    INSERT INTO marks (company_id, mark, kind, subject)
    SELECT "companyId", mark, kind, subject
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS given ("companyId" uuid, mark uuid, kind text, subject uuid)
    ON CONFLICT DO NOTHING`;
}

/**
 * Records that these marks are in a journal, the last of them as the last that it has. Another process may record some of them at the same
 * time, so they are locked in one order.
 */
export async function markJournaled(
  db: Db,
  marks: readonly (Pick<Mark, 'companyId' | 'mark'> & { journalId: string })[],
): Promise<void> {
  const last = marks.at(-1);
  if (last === undefined) return;
  await db`
    WITH journal AS (
      UPDATE journals SET last_company_id = ${last.companyId}, last_mark = ${last.mark}, last_mark_at = now()
      WHERE id = ${last.journalId}
    ), locked AS (
      SELECT marks.company_id, marks.mark
      FROM json_to_recordset(${JSON.stringify(marks.map(({ companyId, mark }) => ({ companyId, mark })))}::text::json)
        AS given ("companyId" uuid, mark uuid)
      JOIN marks ON marks.company_id = given."companyId" AND marks.mark = given.mark
      WHERE NOT is_journaled
      ORDER BY marks.company_id, marks.mark FOR NO KEY UPDATE OF marks
    )
    UPDATE marks SET is_journaled = true
    FROM locked WHERE marks.company_id = locked.company_id AND marks.mark = locked.mark`;
}

/** The oldest marks that no journal is known to have, written at least so long ago. */
export async function selectUnjournaled(
  db: Queryable,
  { minAgeSeconds, limit }: { minAgeSeconds: number; limit: number },
): Promise<Mark[]> {
  return db<Mark[]>`
    SELECT company_id AS "companyId", mark, kind, subject FROM marks
    WHERE NOT is_journaled AND written_at <= now() - make_interval(secs => ${minAgeSeconds})
    ORDER BY written_at LIMIT ${limit}`;
}

/** The documents of these subjects of one kind as JSON texts, by subject. One that is gone has none. */
export async function selectDocuments(
  db: Queryable,
  { table, companyColumn = 'company_id', document }: MarkKind,
  marks: readonly Mark[],
): Promise<Map<string, string>> {
  const subjects = marks.map(({ companyId, subject }) => ({ companyId, subject }));
  const rows = await db<{ id: string; document: string }[]>`
    SELECT ${db(table)}.id, (${db.unsafe(document)})::text AS document
    FROM json_to_recordset(${JSON.stringify(subjects)}::text::json) AS given ("companyId" uuid, subject uuid)
    JOIN ${db(table)} ON ${db(table)}.${db(companyColumn)} = given."companyId" AND ${db(table)}.id = given.subject`;
  return new Map(rows.map((row) => [row.id, row.document]));
}

/** Says that the journal is there, on this machine, and which process keeps it. One that somebody gave up is known again. */
export async function noteJournal(
  db: Queryable,
  { id, host, directory, processId }: { id: string; host: string; directory: string; processId: string | null },
): Promise<void> {
  await db`
    WITH process AS (UPDATE processes SET journal_id = ${id} WHERE id = ${processId} AND journal_id IS DISTINCT FROM ${id})
    INSERT INTO journals (id, host, directory) VALUES (${id}, ${host}, ${directory})
    ON CONFLICT (id) DO UPDATE SET host = excluded.host, directory = excluded.directory, seen_at = now(), lost_at = NULL`;
}

/** Removes up to `limit` marks from before the time that journals keep. @returns how many were removed */
export async function removeOldMarks(db: Db, limit: number): Promise<number> {
  const removed = await db`
    DELETE FROM marks WHERE (company_id, mark) IN (
      SELECT company_id, mark FROM marks WHERE written_at < now() - interval '40 days' ORDER BY written_at LIMIT ${limit})`;
  return removed.count;
}

/** Forgets up to `limit` journals that nobody has kept for longer than journals keep anything. @returns how many */
export async function removeOldJournals(db: Db, limit: number): Promise<number> {
  const removed = await db`
    DELETE FROM journals WHERE id IN (SELECT id FROM journals WHERE seen_at < now() - interval '40 days' LIMIT ${limit})`;
  return removed.count;
}

/** Reads the id that the database was given when it was made. A restored copy of it has the same. */
export async function selectInstallation(db: Queryable): Promise<string> {
  const [row] = await db<[{ id: string }]>`SELECT id FROM installation`;
  return row.id;
}
