import { constantPart, type Part, type Queryable } from '../../platform/database/database.ts';
import { companyEmail } from '../users/users.parts.queries.ts';
import type { Company } from './companies.schema.ts';

/** The columns of a `Company`, from a row of `companies`. A company without an e-mail shows its first admin's. */
export const companyColumns: (db: Queryable) => Part = constantPart(
  (db) => db`
    companies.id, companies.external_id AS "externalId", companies.name, companies.phone, companies.address, companies.describe,
    companies.metadata, companies.created_at AS "createdAt", companies.updated_at AS "updatedAt",
    companies.disabled_since IS NOT NULL AS disabled,
    ${companyEmail(db)} AS email`,
);

/** A company; null when there is none. */
export async function selectCompany(db: Queryable, companyId: string): Promise<Company | null> {
  const [row] = await db<Company[]>`SELECT ${companyColumns(db)} FROM companies WHERE id = ${companyId}`;
  return row ?? null;
}
