import { insertAlertUnlessOpen } from '../../alerts/alerts.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { MoneyMail } from '../../mail/money/money-mails.service.ts';
import type { Part, Queryable, Tx } from '../../platform/database/database.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import { selectMailSettings, upsertMailSettings } from './mail-settings.queries.ts';
import type { MailSettings, MailSettingsBody } from './mail-settings.schema.ts';
import { insertMailsToCompanies } from './mail-settings.worker.queries.ts';

/** Who gets the company's mails about money, and which. @throws ApiError not_found */
export async function readMailSettings(db: Queryable, companyId: string): Promise<MailSettings> {
  return (await selectMailSettings(db, companyId)) ?? Promise.reject(notFound('company'));
}

/** The language of the company's mails about money; null when there is no such company. */
export async function findLanguage(db: Queryable, companyId: string): Promise<string | null> {
  return (await selectMailSettings(db, companyId))?.language ?? null;
}

/** Changes the given settings, for the mails that are written from now on. @throws ApiError not_found; 400 naming the field */
export async function changeMailSettings(tx: Tx, companyId: string, body: MailSettingsBody): Promise<MailSettings> {
  await lockCompany(tx, companyId);
  const before = await readMailSettings(tx, companyId);
  const { recipients = before.recipients, language = before.language, disabled = before.disabled } = body;
  const settings = { recipients, language, disabled };
  const addresses = settings.recipients.map((address) => address.toLowerCase());
  const twice = addresses.findIndex((address, place) => addresses.indexOf(address) < place);
  if (twice !== -1) throw invalidField(`recipients[${twice}]`, 'is named twice');
  await upsertMailSettings(tx, companyId, settings);
  return settings;
}

/**
 * Writes a mail about money for each row that `given` selects (`company_id`, `invoice_id`, `facts` as jsonb, `wait_seconds`),
 * in the transaction of what it tells of. A company without anybody to write to gets none, and the operator an alert, of which one is
 * open at most.
 */
export async function mailCompanies(tx: Tx, mail: MoneyMail, given: Part): Promise<void> {
  for (const companyId of await insertMailsToCompanies(tx, mail, given)) {
    await insertAlertUnlessOpen(tx, companyId, {
      kind: 'mail_without_recipient',
      payment: null,
      message: WITHOUT_RECIPIENT,
    });
  }
}

const WITHOUT_RECIPIENT =
  'A mail about money was not written, because the company has nobody to write to. Set an e-mail of the company, invite a member, ' +
  'or name recipients in its mail settings.';
