import type { MailCatalogue, MailFacts, MailTopic } from '../../platform/feature/mail-declaration.ts';
import { type RenderedMail, renderMoneyMail } from '../templates/render.ts';

/** What a mail about money is written from. */
export type MoneyContent = MailTopic & { type: string; language: string; facts: MailFacts };

/** Writes a mail about money; null for a type that this version does not know. */
export async function renderMoney(
  mails: MailCatalogue,
  { type, language, facts, ...topic }: MoneyContent,
): Promise<RenderedMail | null> {
  const declaration = mails[type];
  if (declaration === undefined) return null;
  return renderMoneyMail(declaration, language, facts, await declaration.link(topic));
}

/** A file of a mail, as it is sent. */
export type DrawnFile = { name: string; contentType: string; content: Uint8Array };

/** Draws a file of a mail; null where the mail has none in this place. @throws ApiError service_unavailable, not_found */
export async function drawFile(
  mails: MailCatalogue,
  { type, facts, companyId, invoiceId }: Omit<MoneyContent, 'language'>,
  index: number,
): Promise<DrawnFile | null> {
  const { files = [], draw } = mails[type] ?? {};
  const file = files[index];
  if (file === undefined || draw === undefined) return null;
  const content = await draw(undefined, { companyId, invoiceId }, index);
  return { name: file.name.replace('{about}', facts.about), contentType: file.contentType, content };
}

/** Draws all files of a mail. @throws as `drawFile` */
export async function drawFiles(mails: MailCatalogue, content: MoneyContent): Promise<DrawnFile[]> {
  const { files = [] } = mails[content.type] ?? {};
  const drawn = await Promise.all(files.map((_file, index) => drawFile(mails, content, index)));
  return drawn.filter((file) => file !== null);
}
