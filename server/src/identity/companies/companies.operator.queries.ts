import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import { companyEmail } from '../users/users.parts.queries.ts';
import type { Company } from './companies.schema.ts';

export type CompanyPage = { total: number; data: Company[] };

/** The columns of a `Company`. */
const columns = constantPart(
  (db) => db`
    id, name, phone, address, describe, created_at AS "createdAt", updated_at AS "updatedAt", disabled_since IS NOT NULL AS disabled,
    ${companyEmail(db)} AS email`,
);

/**
 * A page of all companies, newest first. A company without an e-mail shows its first admin's. The filter matches the
 * e-mail of the company or of any of its users, case-insensitively.
 */
export async function selectCompanies(
  db: Queryable,
  { page, perPage, email }: { page: number; perPage: number; email: string | null },
): Promise<CompanyPage> {
  const emailKey = email?.toLowerCase() ?? null;
  const matches =
    email === null
      ? db`true`
      : db`
    companies.id IN (
      SELECT id FROM companies AS named WHERE lower(email) = ${emailKey} AND email <> ''
      UNION ALL
      SELECT company_id FROM users WHERE email_key = ${emailKey} AND company_id IS NOT NULL
    )`;
  const [counted] = await db<{ total: number }[]>`SELECT count(*)::int AS total FROM companies WHERE ${matches}`;
  const data = await db<Company[]>`
    SELECT ${columns(db)}
    FROM companies
    WHERE ${matches}
    ORDER BY companies.id DESC
    LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  return { total: counted?.total ?? 0, data };
}

/** A company; null when there is none. */
export async function selectCompany(db: Queryable, companyId: string): Promise<Company | null> {
  const [row] = await db<Company[]>`SELECT ${columns(db)} FROM companies WHERE id = ${companyId}`;
  return row ?? null;
}

/** Disables or enables a company. @returns the company; null when there is none */
export async function updateDisabled(tx: Tx, companyId: string, disabled: boolean): Promise<Company | null> {
  const [row] = await tx<Company[]>`
    UPDATE companies SET disabled_since = CASE WHEN ${disabled} THEN coalesce(disabled_since, now()) END, updated_at = now()
    WHERE id = ${companyId}
    RETURNING ${columns(tx)}`;
  return row ?? null;
}
