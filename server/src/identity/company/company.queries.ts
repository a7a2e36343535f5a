import type { Queryable } from '../../platform/database/database.ts';
import type { OwnCompany, OwnCompanyBody } from './company.schema.ts';

/** The company; null when there is none with this id. */
export async function selectCompany(db: Queryable, companyId: string): Promise<OwnCompany | null> {
  const [row] = await db<OwnCompany[]>`
    SELECT id, name, phone, address, describe, email FROM companies WHERE id = ${companyId}`;
  return row ?? null;
}

/** Writes the given fields; null when there is no such company. */
export async function updateCompany(
  db: Queryable,
  companyId: string,
  body: OwnCompanyBody,
): Promise<OwnCompany | null> {
  const { name = null, phone = null, address = null, describe = null, email = null } = body;
  const [row] = await db<OwnCompany[]>`
    UPDATE companies
    SET name = coalesce(${name}, name), phone = coalesce(${phone}, phone), address = coalesce(${address}, address),
        describe = coalesce(${describe}, describe), email = coalesce(${email}, email), updated_at = now()
    WHERE id = ${companyId}
    RETURNING id, name, phone, address, describe, email`;
  return row ?? null;
}
