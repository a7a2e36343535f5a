import type { Part, Queryable } from '../../platform/database/database.ts';

/**
 * The name under which the operator's lists show a company: the organization that is billed, else the company's name, else its e-mail
 * address, else that of its first admin. Null where there is no such company.
 */
export function companyName(db: Queryable, companyId: Part): Part {
  return db`(
    SELECT coalesce(
      nullif(organization, ''), nullif(named.name, ''), nullif(named.email, ''),
      (SELECT users.email FROM users WHERE users.company_id = named.id ORDER BY users.created_at, users.id LIMIT 1), ''
    )
    FROM companies AS named LEFT JOIN billing_information AS billing ON billing.company_id = named.id
    WHERE named.id = ${companyId}
  )`;
}
