import type { Tx } from '../../platform/database/database.ts';
import { type CompanyWithFields, fieldColumns } from './companies.parts.queries.ts';

/** Locks the company that has this external id, which stays its own until the transaction ends. @returns null when nobody has the id */
export async function lockCompanyByExternalId(tx: Tx, externalId: string): Promise<CompanyWithFields | null> {
  const [row] = await tx<CompanyWithFields[]>`
    SELECT ${fieldColumns(tx)} FROM companies WHERE external_id = ${externalId} FOR NO KEY UPDATE`;
  return row ?? null;
}
