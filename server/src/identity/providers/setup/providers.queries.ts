import type { Queryable } from '../../../platform/database/database.ts';

/** Whether the operator has set up a provider of this company over the API. */
export async function existsProvider(db: Queryable, companyId: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM sign_in_providers WHERE company_id = ${companyId} LIMIT 1`;
  return rows.length > 0;
}
