import { mailCompanies } from '../../../identity/mail-settings/mail-settings.service.ts';
import type { Queryable, Tx } from '../../../platform/database/database.ts';
import type { MailTopic } from '../../../platform/feature/mail-declaration.ts';
import type { InvoiceKey } from '../record/invoices.worker.queries.ts';
import { issuedMails } from './issued-mail.parts.queries.ts';
import { selectIssuedFacts } from './issued-mail.queries.ts';
import { ISSUED_MAIL } from './issued-mail.ts';

/** The mail as its feature declares it, without what draws the PDF. */
export const issuedMail = {
  ...ISSUED_MAIL,
  sample: (db: Queryable, { companyId, invoiceId }: MailTopic) => selectIssuedFacts(db, companyId, invoiceId),
};

/** Writes a mail about each of these invoices, which were issued just now, in one statement. */
export async function mailIssued(tx: Tx, invoices: readonly InvoiceKey[]): Promise<void> {
  await mailCompanies(tx, ISSUED_MAIL, issuedMails(tx, invoices));
}
