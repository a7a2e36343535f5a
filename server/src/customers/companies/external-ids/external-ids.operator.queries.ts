import { idList, type Queryable } from '../../../platform/database/database.ts';

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

/** The external ids of these companies; without companies that have none. */
export async function selectExternalIds(db: Queryable, companyIds: readonly string[]): Promise<IdsOfCompany[]> {
  return db<IdsOfCompany[]>`
    SELECT id AS "companyId", external_id AS "externalId" FROM companies
    WHERE id = ANY(${idList(db, companyIds)}) AND external_id IS NOT NULL`;
}
