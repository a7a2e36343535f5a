import type { Db } from '../../platform/database/database.ts';
import { COUNTED_FAILURES, type JobTable } from '../../platform/queue/job-table.ts';

/**
 * Usage to compare with thresholds. The transaction that compares removes the row, so there is no lease: a process that dies has done
 * nothing.
 */
export const THRESHOLD_JOBS: JobTable = {
  kind: 'usage_thresholds',
  table: 'usage_threshold_checks',
  key: ['company_id', 'id'],
  company: 'company_id',
  record: 'company_id::text',
  isNamed: 'company_id = failed_company',
  isOpen: 'true',
  dueAt: 'greatest(created_at, due_at)',
  isRunning: 'false',
  attempts: COUNTED_FAILURES,
  makeDue: 'due_at = least(due_at, now())',
  claim: null,
};

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
