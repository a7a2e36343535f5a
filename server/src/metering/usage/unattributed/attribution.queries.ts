import type { Queryable, Tx } from '../../../platform/database/database.ts';

/**
 * Begins to move the usage that waits for an external id to the company that gets it. @returns how many events there are; null when none
 * waits
 */
export async function insertAttribution(tx: Tx, companyId: string, externalId: string): Promise<number | null> {
  const [row] = await tx<{ events: number }[]>`
    WITH given AS (
      UPDATE unattributed_ids SET discarded_at = now() WHERE external_id = ${externalId} AND discarded_at IS NULL RETURNING *
    ), begun AS (
      INSERT INTO usage_attributions (company_id, unattributed_id, oldest_time, last_at)
      SELECT ${companyId}, id, oldest_time, last_at FROM given
    )
    SELECT events FROM given`;
  return row?.events ?? null;
}

/** Whether usage is still being moved to a company. */
export async function isUsageOnItsWay(db: Queryable, companyId: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM usage_attributions WHERE company_id = ${companyId}`;
  return rows.length > 0;
}
