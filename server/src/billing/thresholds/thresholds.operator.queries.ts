import type { Queryable } from '../../platform/database/database.ts';

/** Whose threshold this is; null when there is none with this id. */
export async function selectThresholdCompany(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db<{ companyId: string }[]>`
    SELECT company_id AS "companyId" FROM usage_thresholds WHERE id = ${id}`;
  return row?.companyId ?? null;
}
