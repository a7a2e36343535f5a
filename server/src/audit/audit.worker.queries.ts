import type { Queryable } from '../platform/database/database.ts';

/** Up to `limit` companies that have entries to chain, after one of them. */
export async function findPendingCompanies(db: Queryable, after: string | null, limit: number): Promise<string[]> {
  const rows = await db<{ companyId: string }[]>`
    SELECT DISTINCT company_id AS "companyId" FROM audit_pending
    WHERE ${after === null ? db`true` : db`company_id > ${after}`}
    ORDER BY company_id LIMIT ${limit}`;
  return rows.map(({ companyId }) => companyId);
}
