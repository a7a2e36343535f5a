import type { Db, Queryable } from '../../platform/database/database.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../platform/http/metrics/work-queues.ts';

/** Lists companies whose usage is due for comparison and that come after one, by id, up to a limit. */
export async function selectCompaniesToCheck(
  db: Db,
  now: Date,
  { afterCompanyId, limit }: { afterCompanyId: string; limit: number },
): Promise<string[]> {
  const rows = await db<{ companyId: string }[]>`
    SELECT DISTINCT company_id AS "companyId" FROM usage_threshold_checks
    WHERE company_id > ${afterCompanyId} AND due_at <= ${now}
    ORDER BY company_id
    LIMIT ${limit}`;
  return rows.map(({ companyId }) => companyId);
}

/** Counts rollups of usage that was not compared with thresholds yet. They are never given up. */
export async function readThresholdQueue(db: Queryable): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    SELECT 'usage_thresholds' AS name, count(*)::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(greatest(created_at, due_at))), 0))::float AS "oldestSeconds",
           0 AS retries, 0 AS dead
    FROM (SELECT created_at, due_at FROM usage_threshold_checks WHERE due_at <= now() LIMIT ${COUNT_LIMIT}) AS waiting`;
}
