import type Postgres from 'postgres';

/**
 * Marks that the database must have. A new connection to a primary calls `onMissing` when it lacks one of them, and `onOtherServer` when it
 * is to another server than the one before, or to one that was restarted.
 */
export type MarksWatch = {
  expected: () => readonly { companyId: string; mark: string; at: string }[];
  onMissing: () => void;
  onOtherServer: () => void;
};

const watches = new WeakMap<Postgres.Sql, MarksWatch>();

/** From now on each new connection of the pool checks that the database has the marks; null ends that. */
export function watchMarks(db: Postgres.Sql, watch: MarksWatch | null): void {
  if (watch === null) watches.delete(db);
  else watches.set(db, watch);
}

/** What new connections of the pool check; undefined for nothing. */
export function watchOf(db: Postgres.Sql): MarksWatch | undefined {
  return watches.get(db);
}

/** Housekeeping deletes marks after 40 days. */
const MARKS_LAST = '39 days';

/** A column that says whether all expected marks are there; nothing when none is expected. */
export function readMarks(watch: MarksWatch | undefined): string {
  const expected = watch?.expected() ?? [];
  if (expected.length === 0) return '';
  const rows = expected.map(
    ({ companyId, mark, at }) => `(${quote(companyId)}::uuid, ${quote(mark)}::uuid, ${quote(at)}::timestamptz)`,
  );
  return `, NOT EXISTS (
    SELECT FROM (VALUES ${rows.join()}) AS expected (company_id, mark, at)
    WHERE at > now() - interval '${MARKS_LAST}' AND NOT EXISTS (
      SELECT FROM marks WHERE marks.company_id = expected.company_id AND marks.mark = expected.mark)) AS "hasMarks"`;
}

/** Names and values are ours, or the name of a role. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
