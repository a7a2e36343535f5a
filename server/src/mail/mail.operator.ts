import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../platform/database/database.ts';
import type { CompanyName } from '../platform/database/name-parts.ts';
import { ApiError, invalidField, notFound } from '../platform/errors.ts';
import type { MailCatalogue, MailFacts, MailTopic } from '../platform/feature/mail-declaration.ts';
import { parseStart } from '../platform/http/schema/instants.ts';
import type { OperatorRole } from '../platform/operator-roles.ts';
import { insertCopy, type MailFilter, type StoredMail, selectMail } from './mail.operator.queries.ts';
import type { MailFileQuery, MailPreview, MailPreviewBody, MailResendBody, MailSummary } from './mail.schema.ts';
import { type DrawnFile, drawFile, renderMoney } from './money/render.ts';
import { selectSellerName } from './sending/mail.worker.queries.ts';
import { chooseLanguage } from './templates/render.ts';

/** What mails need of the domains that come later. */
export type MailTopics = {
  /** The company of an invoice; null where there is no such invoice. */
  findCompanyOfInvoice: (db: Queryable, invoiceId: string) => Promise<string | null>;
  /** The language of a company's mails; null where there is no such company. */
  findLanguage: (db: Queryable, companyId: string) => Promise<string | null>;
};

/** Who reads mails: those about accounts are for admins alone. */
export type Reader = { role: OperatorRole | null; companyName: CompanyName };

/** Which mails of all companies the caller wants and may read. @throws ApiError 400 naming the field */
export function readFilter(query: MailFileQuery, { role, companyName }: Reader): MailFilter {
  const [from, to] = [parseStart(query.from), parseStart(query.to)];
  if (from !== null && to !== null && from > to) throw invalidField('from', 'must not be after to');
  const { companyId = null, invoiceId = null, recipient = null, type = null, status = null } = query;
  return { companyId, invoiceId, recipient, type, status, from, to, isAboutMoney: role !== 'admin', companyName };
}

/** A mail that the caller may read. @throws ApiError not_found, forbidden */
export async function findMail(db: Queryable, id: string, { role, companyName }: Reader): Promise<StoredMail> {
  const mail = await selectMail(db, id, companyName);
  if (mail === null) throw notFound('mail');
  if (!mail.isAboutMoney && role !== 'admin')
    throw new ApiError('forbidden', 'Mails about accounts are for admins alone.');
  return mail;
}

/** Draws a file of a mail. @throws ApiError not_found, service_unavailable; mail_expired */
export async function readFile(mails: MailCatalogue, mail: StoredMail, index: string): Promise<DrawnFile> {
  const { companyId, facts } = mail;
  const place = /^\d{1,3}$/.test(index) ? Number(index) : -1;
  if (companyId === null || mail.attachments[place] === undefined) throw notFound('file');
  if (facts === null) throw mailExpired();
  return (await drawFile(mails, { ...mail, companyId, facts }, place)) ?? Promise.reject(notFound('file'));
}

/** Writes the same mail again, with files that are drawn anew. @throws ApiError mail_expired, mail_not_about_money */
export async function resendMail(tx: Tx, mail: StoredMail, { to }: MailResendBody): Promise<string> {
  if (!mail.isAboutMoney) throw new ApiError('mail_not_about_money', 'Only mails about money can be sent again.');
  if (mail.facts === null) throw mailExpired();
  const id = uuidv7();
  await insertCopy(tx, { of: mail.id, id, to: to ?? null });
  return id;
}

function mailExpired(): ApiError {
  return new ApiError('mail_expired', 'The content of the mail was deleted after 30 days.');
}

/** Shows a mail as it would be written now. Nothing is kept. @throws ApiError 400 naming the field */
export async function previewMail(
  db: Queryable,
  { type, language, ...about }: MailPreviewBody,
  { mails, topics }: { mails: MailCatalogue; topics: MailTopics },
): Promise<MailPreview> {
  const declaration = mails[type];
  if (declaration === undefined) throw invalidField('type', 'is a type of mail that this version does not send');
  const { topic, settings } = await findTopic(db, about, topics);
  const told = await declaration.sample(db, topic);
  const field = topic.invoiceId === null ? 'companyId' : 'invoiceId';
  if (told === null) throw invalidField(field, 'has nothing that such a mail would tell of');
  const facts: MailFacts = { ...(told as Omit<MailFacts, 'sellerName'>), sellerName: await selectSellerName(db) };
  const tag = chooseLanguage(language ?? settings);
  const rendered = await renderMoney(mails, { ...topic, type, language: tag, facts });
  const files = declaration.files ?? [];
  const attachments = files.map(({ name, ...file }) => ({
    name: name.replace('{about}', facts.about),
    ...file,
    size: null,
  }));
  return { type, language: tag, ...(rendered ?? { subject: '', text: '', html: '' }), attachments };
}

async function findTopic(
  db: Queryable,
  { invoiceId, companyId: given }: Pick<MailPreviewBody, 'invoiceId' | 'companyId'>,
  { findCompanyOfInvoice, findLanguage }: MailTopics,
): Promise<{ topic: MailTopic; settings: string }> {
  if (invoiceId === undefined && given === undefined) throw invalidField('invoiceId', 'is needed, or companyId');
  if (invoiceId !== undefined && given !== undefined)
    throw invalidField('companyId', 'is not allowed beside invoiceId');
  const companyId = given ?? (await findCompanyOfInvoice(db, invoiceId ?? ''));
  if (companyId === null) throw invalidField('invoiceId', 'must be the id of an invoice');
  const settings = await findLanguage(db, companyId);
  if (settings === null) throw invalidField('companyId', 'must be the id of a company');
  return { topic: { companyId, invoiceId: invoiceId ?? null }, settings };
}

/** What the list shows of a mail. */
export function summaryOf({
  content: _sealed,
  facts: _facts,
  isAboutMoney: _about,
  ...summary
}: StoredMail): MailSummary {
  return summary;
}
