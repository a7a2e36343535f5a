import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { MailSettings } from './mail-settings.schema.ts';

/** The mail settings of a company, with the defaults where it has none; null when there is no such company. */
export async function selectMailSettings(db: Queryable, companyId: string): Promise<MailSettings | null> {
  const [row] = await db<MailSettings[]>`
    SELECT coalesce(recipients, '[]') AS recipients, coalesce(language, 'en') AS language, coalesce(disabled, '[]') AS disabled
    FROM companies LEFT JOIN mail_settings ON mail_settings.company_id = companies.id
    WHERE companies.id = ${companyId}`;
  return row ?? null;
}

/** Writes the mail settings of a company. */
export async function upsertMailSettings(tx: Tx, companyId: string, settings: MailSettings): Promise<void> {
  const [recipients, disabled] = [JSON.stringify(settings.recipients), JSON.stringify(settings.disabled)];
  await tx`
    INSERT INTO mail_settings (company_id, recipients, language, disabled)
    VALUES (${companyId}, ${recipients}::text::jsonb, ${settings.language}, ${disabled}::text::jsonb)
    ON CONFLICT (company_id) DO UPDATE
    SET recipients = excluded.recipients, language = excluded.language, disabled = excluded.disabled`;
}
