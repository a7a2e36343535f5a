import type { ChargesHold } from '../../../continuity/hold/charges-hold.service.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { type Db, transaction } from '../../../platform/database/database.ts';
import { hasCode, notFound } from '../../../platform/errors.ts';
import type { MailLanguage } from '../../../platform/feature/mail-declaration.ts';
import { findSource } from '../../charge/source.ts';
import { lookForRequest } from '../../charge/waiting.ts';
import { selectLivePayment } from '../../payment/payment.queries.ts';
import type { Notice } from './notice.ts';
import { type InvoiceOnPage, selectCardOnPage, selectInvoiceOnPage } from './page.queries.ts';
import { stateOf } from './page.state.ts';
import type { CardFieldsOf, Confirmation, Page } from './page.types.ts';

export type PageDependencies = { db: Db; gateways: Gateways; chargesHold: Pick<ChargesHold, 'isHeld'> };

type Shown = { companyId: string; invoiceId: string; language: MailLanguage; path: string; notice: Notice | null };

/** Reads all that the page of an invoice shows. @throws ApiError not_found */
export async function readPage(
  { db, gateways, chargesHold }: PageDependencies,
  { companyId, invoiceId, ...shown }: Shown,
): Promise<Page> {
  const found = await selectInvoiceOnPage(db, companyId, invoiceId);
  // Whoever comes back from the bank sees what came of it.
  const isAsked = found?.lastPayment?.state === 'requires_action' && !chargesHold.isHeld();
  if (isAsked) await lookForConfirmation({ db, gateways }, companyId, invoiceId);
  const invoice = isAsked ? await selectInvoiceOnPage(db, companyId, invoiceId) : found;
  if (invoice === null) throw notFound('invoice');
  const state = stateOf(invoice, chargesHold.isHeld());
  const canPay = state.state === 'due' || state.state === 'failed';
  const saved = canPay ? await readSaved(db, companyId, invoice) : null;
  return {
    ...shown,
    ...state,
    invoice,
    saved,
    fields: fieldsOf(gateways),
    confirmation: confirmationOf(gateways, invoice),
  };
}

/** Looks whether the payment of an invoice that waits for its confirmation has got it. */
export async function lookForConfirmation(
  { db, gateways }: Pick<PageDependencies, 'db' | 'gateways'>,
  companyId: string,
  invoiceId: string,
): Promise<void> {
  const payment = await selectLivePayment(db, companyId, invoiceId);
  if (payment?.state !== 'requires_action') return;
  await lookForRequest(db, gateways, payment).catch((error: unknown) => {
    if (!hasCode(error, 'charges_held')) throw error;
  });
}

/** What a charge of the saved card or account would take. */
async function readSaved(db: Db, companyId: string, { method, currency }: InvoiceOnPage): Promise<Page['saved']> {
  const source = await transaction(db, (tx) => findSource(tx, companyId, { method, currency }));
  if (source === null) return null;
  return source.cardId === null ? 'paypal' : selectCardOnPage(db, companyId, source.cardId);
}

function fieldsOf({ chosen: { fields } }: Gateways): CardFieldsOf {
  if (fields === undefined) return { kind: 'none' };
  if (fields.browser !== undefined) return { kind: 'sandbox' };
  const { publishableKey, takeOnce } = fields;
  return takeOnce === undefined ? { kind: 'none' } : { kind: 'stripe', publishableKey };
}

/** The sandbox has no bank with pages of its own, so this page stands for it. */
function confirmationOf(gateways: Gateways, { lastPayment }: InvoiceOnPage): Confirmation {
  if (lastPayment === null || lastPayment.action === null) return null;
  const { redirectUrl } = lastPayment.action;
  const { fields, askCustomer } = gateways.of(lastPayment.gateway);
  if (fields?.browser !== undefined) return { kind: 'sandbox' };
  if (redirectUrl !== null) return { kind: 'bank', url: redirectUrl };
  return askCustomer === undefined ? null : { kind: 'ask' };
}
