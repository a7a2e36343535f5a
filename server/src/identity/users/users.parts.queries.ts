import { constantPart } from '../../platform/database/database.ts';
import { storedRole } from '../roles/roles.parts.queries.ts';

/** The columns of a `ProfiledUser`, of the tables `users` and `companies`. */
export const profileColumns = constantPart(
  (db) => db`
    users.id, users.company_id AS "companyId", users.staff_role AS "staffRole", ${storedRole(db)}, users.first_name AS "firstName",
    users.last_name AS "lastName", users.email, users.phone, users.country, users.city, users.avatar, users.language,
    users.timezone, users.default_app AS "defaultApp",
    users.email_verified_at IS NOT NULL AS "isEmailVerified", ${hasSecondFactor(db)} AS "hasSecondFactor",
    users.credential_epoch AS "credentialEpoch", ${demandsProvider(db)} AS "needsProvider",
    CASE WHEN companies.id IS NOT NULL THEN json_build_object(
      'id', companies.id, 'name', companies.name, 'phone', companies.phone, 'address', companies.address,
      'describe', companies.describe, 'email', companies.email,
      'externalId', companies.external_id) END AS company,
    EXISTS (SELECT 1 FROM cards WHERE cards.company_id = users.company_id AND deleted_at IS NULL) AS "hasCards"`,
);

/** SQL for whether the user of the row has a second factor: TOTP that was confirmed, or a passkey. */
export const hasSecondFactor = constantPart(
  (db) => db`(
    EXISTS (SELECT 1 FROM totp_secrets WHERE totp_secrets.user_id = users.id AND totp_secrets.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id))`,
);

/** SQL for whether the user of the row has to have a second factor: all staff, and members of a company that demands one. */
export const demandsSecondFactor = constantPart(
  (db) => db`(users.staff_role IS NOT NULL OR coalesce(companies.require_second_factor, false))`,
);

/** SQL for whether a second factor is demanded of the user of the row, who has none. */
export const lacksSecondFactor = constantPart((db) => db`(${demandsSecondFactor(db)} AND NOT ${hasSecondFactor(db)})`);

/** SQL for whether the company of the user of the row lets only its provider sign the user in. */
export const demandsProvider = constantPart(
  (db) =>
    db`(coalesce(companies.sign_in = 'sso', false) AND companies.break_glass_member_id IS DISTINCT FROM users.id)`,
);

/** SQL for the e-mail of the row of `companies`, or else that of its first user; empty without either. */
export const companyEmail = constantPart(
  (db) => db`
    coalesce(nullif(companies.email, ''), (
      SELECT users.email FROM users WHERE users.company_id = companies.id ORDER BY users.created_at, users.id LIMIT 1
    ), '')`,
);
