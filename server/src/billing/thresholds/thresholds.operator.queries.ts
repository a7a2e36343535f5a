import type { Queryable } from '../../platform/database/database.ts';

/** Finds the company of a threshold; null if there is no such threshold. */
export async function selectThresholdCompany(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db<{ companyId: string }[]>`
    SELECT company_id AS "companyId" FROM usage_thresholds WHERE id = ${id}`;
  return row?.companyId ?? null;
}
