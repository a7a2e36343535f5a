import { idList, type Queryable, type Tx } from '../../../platform/database/database.ts';

export type IdsOfCompany = { companyId: string; externalId: string };

/** The companies that have these external ids, given as a JSON list of texts. */
export async function selectCompaniesByExternalIds(
  db: Queryable,
  externalIds: readonly string[],
): Promise<IdsOfCompany[]> {
  return db<IdsOfCompany[]>`
    SELECT id AS "companyId", external_id AS "externalId" FROM companies
    WHERE external_id = ANY(ARRAY(SELECT json_array_elements_text(${JSON.stringify(externalIds)}::text::json)))`;
}

/**
 * Locks the company that has this external id, which stays its own until the transaction ends. @returns its UUID; null when nobody has the
 * id
 */
export async function lockCompanyByExternalId(tx: Tx, externalId: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM companies WHERE external_id = ${externalId} FOR NO KEY UPDATE`;
  return row?.id ?? null;
}

/** The external ids of these companies; without companies that have none. */
export async function selectExternalIds(db: Queryable, companyIds: readonly string[]): Promise<IdsOfCompany[]> {
  return db<IdsOfCompany[]>`
    SELECT id AS "companyId", external_id AS "externalId" FROM companies
    WHERE id = ANY(${idList(db, companyIds)}) AND external_id IS NOT NULL`;
}
