import type { Db } from '../database/database.ts';
import type { JobTable } from './job-table.ts';

/** A job that has just ended may still be shown. */
const KEPT_MINUTES = 10;

/** Deletes the errors of jobs that are done, up to a limit for each table. @returns how many */
export async function removeEndedFailures(db: Db, tables: readonly JobTable[], limit: number): Promise<number> {
  const kinds = new Map<string, string[]>();
  for (const { kind, table, isNamed, isOpen } of tables) {
    const isDone = `NOT EXISTS (SELECT FROM ${table} WHERE ${isNamed} AND ${isOpen})`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), isDone]);
  }
  let removed = 0;
  for (const [kind, areDone] of kinds) {
    const { count } = await db`
      DELETE FROM job_failures WHERE ctid = ANY (ARRAY(
        SELECT row FROM (
          SELECT ctid AS row, company_id AS failed_company, record AS failed_record FROM job_failures
          WHERE kind = ${kind} AND failed_at < now() - make_interval(mins => ${KEPT_MINUTES})
        ) AS failed
        WHERE ${db.unsafe(areDone.join(' AND '))} LIMIT ${limit}))`;
    removed += count;
  }
  return removed;
}
