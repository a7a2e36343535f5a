import { constantPart, emptyPart, type Queryable } from '../platform/database/database.ts';
import type { Question } from '../platform/queue/due/due.ts';

/** Whether an entry is committed that no chain has. */
export const PENDING_ENTRIES: Question = {
  name: 'audit_entries',
  isDue: constantPart(
    (db) => db`EXISTS (SELECT FROM (SELECT FROM audit_pending ORDER BY company_id LIMIT 1) AS first)`,
  ),
};

/**
 * Chains committed entries of the companies after one of them, in the order of their ids and in one transaction: of up to `companies`, and
 * of each up to `most`. @returns how many of which company
 */
export async function chainPending(
  db: Queryable,
  after: string | null,
  { companies, most }: { companies: number; most: number },
): Promise<{ companyId: string; chained: number }[]> {
  return db<{ companyId: string; chained: number }[]>`
    SELECT company_id AS "companyId", chain_audit_entries(company_id, ${most}::integer) AS chained
    FROM (
      SELECT DISTINCT company_id FROM audit_pending ${after === null ? emptyPart(db) : db`WHERE company_id > ${after}`}
      ORDER BY company_id LIMIT ${companies}
    ) AS pending`;
}
