import type { Db } from '../database/database.ts';

/** Longer than a job waits for its next attempt. */
const RETENTION_DAYS = 30;

/** Deletes the errors of jobs that ended long ago, up to a limit. @returns how many */
export async function removeOldJobFailures(db: Db, limit: number): Promise<number> {
  const removed = await db`
    DELETE FROM job_failures WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM job_failures WHERE failed_at < now() - make_interval(days => ${RETENTION_DAYS}) LIMIT ${limit}))`;
  return removed.count;
}
