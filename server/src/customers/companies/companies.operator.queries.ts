import type { Queryable } from '../../platform/database/database.ts';
import type { CompanyProfile } from './companies.queries.ts';

export type CompanyRow = CompanyProfile & { createdAt: Date; updatedAt: Date; total: number };

export type CompanyPage = { total: number; data: Omit<CompanyRow, 'total'>[] };

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
  const data = await db<Omit<CompanyRow, 'total'>[]>`
    SELECT id, name, phone, address, describe, created_at AS "createdAt", updated_at AS "updatedAt",
           coalesce(nullif(companies.email, ''), (
             SELECT users.email FROM users WHERE users.company_id = companies.id ORDER BY users.created_at, users.id LIMIT 1
           ), '') AS email
    FROM companies
    WHERE ${matches}
    ORDER BY companies.id DESC
    LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  return { total: counted?.total ?? 0, data };
}
