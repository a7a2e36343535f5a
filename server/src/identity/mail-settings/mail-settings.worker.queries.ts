import { insertMoneyMails } from '../../mail/money/money-mails.parts.queries.ts';
import type { MoneyMail } from '../../mail/money/money-mails.service.ts';
import { constantPart, type Part, type Tx } from '../../platform/database/database.ts';
import { managesMembersAndRoles } from '../roles/roles.parts.queries.ts';
import { MOST_RECIPIENTS } from './mail-settings.schema.ts';

/** The addresses of the members of the row of `companies` who manage both its members and its roles, the oldest first; null without any. */
const addressesOfAdmins = constantPart(
  (db) => db`(
    SELECT json_agg(admins.email ORDER BY admins.created_at, admins.id) FROM (
      SELECT users.email, users.created_at, users.id
      FROM users LEFT JOIN roles ON roles.company_id = users.company_id AND roles.id = users.role_id
      WHERE users.company_id = companies.id AND users.disabled_at IS NULL AND users.deleted_at IS NULL
        AND ${managesMembersAndRoles(db)}
      ORDER BY users.created_at, users.id LIMIT ${MOST_RECIPIENTS}
    ) AS admins
  )`,
);

/**
 * Writes a mail for each row that `given` selects (`company_id`, `invoice_id`, `facts`, `wait_seconds`), in one statement, unless its
 * company does without mails of this type. @returns the companies that have nobody to write to
 */
export async function insertMailsToCompanies(tx: Tx, mail: MoneyMail, given: Part): Promise<string[]> {
  const rows = await tx<{ companyId: string }[]>`
    WITH given AS MATERIALIZED (${given}), addressed AS MATERIALIZED (
      SELECT given.*, coalesce(settings.language, 'en') AS language,
             CASE WHEN json_array_length(settings.recipients::json) > 0 THEN settings.recipients::json
                  ELSE coalesce(${addressesOfAdmins(tx)}, CASE WHEN companies.email <> '' THEN json_build_array(companies.email) END)
             END AS recipients
      FROM given
      JOIN companies ON companies.id = given.company_id
      LEFT JOIN mail_settings AS settings ON settings.company_id = given.company_id
      WHERE NOT coalesce(settings.disabled ? ${mail.type}, false)
    ), written AS (
      ${insertMoneyMails(tx, mail, tx`(SELECT * FROM addressed WHERE recipients IS NOT NULL)`)}
    )
    SELECT DISTINCT company_id AS "companyId" FROM addressed WHERE recipients IS NULL`;
  return rows.map(({ companyId }) => companyId);
}
