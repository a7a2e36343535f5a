import { v4 as uuidv4 } from 'uuid';
import { findCompanyOfInvoice } from '../../billing/invoices/invoices.service.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { updateActionUrl } from '../payment/payment.queries.ts';
import { type LinkTarget, readToken, writeToken } from './link-token.ts';
import {
  findOrInsertLink,
  type LinkRow,
  markRevoked,
  renewLink,
  replaceLink,
  selectLink,
  selectLinkedInvoice,
} from './links.queries.ts';
import type { InvoiceLink } from './links.schema.ts';

/** With what links are signed, and where their pages are. */
export type LinkSettings = { keyring: Pick<Keyring, 'signLink'>; config: Pick<Config, 'publicUrl'> };

/**
 * The address of the hosted page of an invoice; null while its link is revoked. It is made when it is first asked for, and anew when it has
 * expired.
 * @throws ApiError not_found for an unknown invoice
 */
export async function invoiceLinkUrl(
  db: Queryable,
  settings: LinkSettings,
  companyId: string,
  invoiceId: string,
): Promise<string | null> {
  const link = await requireLink(db, settings, companyId, invoiceId);
  return link.isRevoked ? null : urlOf(settings, { companyId, invoiceId, id: link.id });
}

/** Reads the link of an invoice, as `invoiceLinkUrl` does. @throws ApiError not_found, also for one that is revoked */
export async function readLink(
  db: Queryable,
  settings: LinkSettings,
  companyId: string,
  invoiceId: string,
): Promise<InvoiceLink> {
  const { id, isRevoked, createdAt, expiresAt } = await requireLink(db, settings, companyId, invoiceId);
  if (isRevoked) throw notFound('link');
  return { url: urlOf(settings, { companyId, invoiceId, id }), createdAt, expiresAt };
}

/** Makes a link in the place of the one before, which opens nothing any more. The caller has found the invoice. */
export async function createLink(
  tx: Tx,
  settings: LinkSettings,
  companyId: string,
  invoiceId: string,
): Promise<InvoiceLink> {
  await replaceLink(tx, companyId, invoiceId, uuidv4());
  const link = await readLink(tx, settings, companyId, invoiceId);
  await updateActionUrl(tx, companyId, invoiceId, link.url);
  return link;
}

/** Revokes the link: the invoice has none until one is created. @throws ApiError not_found when it was revoked before */
export async function revokeLink(tx: Tx, settings: LinkSettings, companyId: string, invoiceId: string): Promise<null> {
  if (!(await markRevoked(tx, companyId, invoiceId, uuidv4()))) throw notFound('link');
  await updateActionUrl(tx, companyId, invoiceId, urlWithoutLink(settings));
  return null;
}

/** Where the pages of invoices are, for one whose link is revoked. */
export function urlWithoutLink({ config }: Pick<LinkSettings, 'config'>): string {
  return `${config.publicUrl}/pay`;
}

/** What the audit log says of the link. @throws ApiError not_found for an unknown invoice */
export async function describeLink(db: Queryable, companyId: string | null, invoiceId: string) {
  const owner = companyId ?? (await findCompanyOfInvoice(db, invoiceId));
  const found = owner === null ? null : await selectLinkedInvoice(db, owner, invoiceId);
  if (found === null) throw notFound('invoice');
  const { linkCreatedAt, ...invoice } = found;
  return { ...invoice, createdAt: linkCreatedAt };
}

/** The invoice whose page a token opens; null for a token that is unknown, altered, revoked or expired. */
export async function findLinked(
  db: Queryable,
  { keyring }: Pick<LinkSettings, 'keyring'>,
  token: string,
): Promise<Omit<LinkTarget, 'id'> | null> {
  const target = readToken(keyring, token);
  if (target === null) return null;
  const { companyId, invoiceId, id } = target;
  const link = await selectLink(db, companyId, invoiceId);
  return link === null || link.id !== id || link.isRevoked || link.isExpired ? null : { companyId, invoiceId };
}

async function requireLink(
  db: Queryable,
  settings: LinkSettings,
  companyId: string,
  invoiceId: string,
): Promise<LinkRow> {
  // Null the first time also while another request makes the link, which is there when its transaction has ended.
  const find = () => findOrInsertLink(db, companyId, invoiceId, uuidv4());
  const found = (await find()) ?? (await find());
  if (found === null) throw notFound('invoice');
  if (found.isRevoked || !found.isExpired) return found;
  await renewLink(db, companyId, invoiceId, { id: uuidv4(), expired: found.id });
  const renewed = await selectLink(db, companyId, invoiceId);
  if (renewed === null) throw notFound('invoice');
  if (!renewed.isRevoked)
    await updateActionUrl(db, companyId, invoiceId, urlOf(settings, { companyId, invoiceId, id: renewed.id }));
  return renewed;
}

function urlOf({ keyring, config }: LinkSettings, target: LinkTarget): string {
  return `${config.publicUrl}/pay/${writeToken(keyring, target)}`;
}
