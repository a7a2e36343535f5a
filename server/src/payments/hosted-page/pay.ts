import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { type OneOffCard, takeCardByNumber, takeCardOfScript } from '../../methods/one-off/one-off.service.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, hasCode } from '../../platform/errors.ts';
import { clientNetwork } from '../../platform/http/limits/client-network.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { payInvoice } from '../charge/charge.ts';
import { askCustomer } from '../charge/waiting.ts';
import { selectLivePayment } from '../payment/payment.queries.ts';
import { readCard } from './form.ts';
import type { Notice } from './page/notice.ts';
import { selectInvoiceOnPage } from './page/page.queries.ts';
import { lookForConfirmation } from './page/page.service.ts';

export type PayDependencies = { config: Config; db: Db; gateways: Gateways; keyring: Keyring };

type Linked = { companyId: string; invoiceId: string };

/**
 * Charges the invoice as its form asks, in the way of `PUT /payments/orders/{id}/pay`.
 * @returns what the invoice itself does not tell of the outcome; null when it tells all
 * @throws ApiError of faults of this service
 */
export async function payAsAsked(
  dependencies: PayDependencies,
  { companyId, invoiceId }: Linked,
  form: URLSearchParams,
  request: FastifyRequest,
): Promise<Notice | null> {
  const { db, gateways, config } = dependencies;
  const invoice = await selectInvoiceOnPage(db, companyId, invoiceId);
  const after = form.get('after');
  // The same form again, or one of a page from before another attempt: the page tells what that came to.
  if (after !== null && after !== (invoice?.lastPayment?.id ?? 'none')) return null;
  const requester = { network: clientNetwork(request.ip), limits: config.refusedCharges };
  try {
    const card = await takeNewCard(dependencies, companyId, { form, method: invoice?.method ?? '' }, request);
    if (card !== null && 'kind' in card) return card;
    await payInvoice({ db, gateways }, companyId, invoiceId, requester, { actor: actorOf(request), card });
    return null;
  } catch (error) {
    // Whoever pays here is there, also for a payment that was begun without them.
    if (hasCode(error, 'authentication_required')) return askAboutWaiting(dependencies, { companyId, invoiceId });
    return noticeOf(error);
  }
}

/** Has the gateway make a page of the bank for a payment that waits without one. */
async function askAboutWaiting(
  { db, gateways }: PayDependencies,
  { companyId, invoiceId }: Linked,
): Promise<Notice | null> {
  const payment = await selectLivePayment(db, companyId, invoiceId);
  try {
    if (payment !== null) await askCustomer(db, gateways, payment);
    return null;
  } catch (error) {
    return error instanceof GatewayError ? { kind: 'unavailable', wrong: [] } : noticeOf(error);
  }
}

/** The card that pays this invoice alone; null for the saved one, and a notice for one that can't be taken. */
async function takeNewCard(
  { db, gateways, keyring, config }: PayDependencies,
  companyId: string,
  { form, method }: { form: URLSearchParams; method: string },
  request: FastifyRequest,
): Promise<OneOffCard | Notice | null> {
  if (form.get('card') === 'saved') return null;
  const { fields } = gateways.chosen;
  if (form.get('card') !== 'new' || method === 'paypal' || fields === undefined)
    return { kind: 'not_taken', wrong: [] };
  const taking = { db, gateways, keyring, limits: config.refusedCharges };
  const refuse = (error: unknown): Notice => {
    if (error instanceof ApiError && error.code === 'invalid_request')
      return { kind: 'check_card', wrong: ['cardNumber'] };
    throw error;
  };
  if (fields.browser === undefined)
    return takeCardOfScript(taking, companyId, form.get('paymentMethod') ?? '').catch(refuse);
  const typed = readCard(form, new Date());
  if ('wrong' in typed) return { kind: 'check_card', wrong: typed.wrong };
  return takeCardByNumber(taking, companyId, typed.card, clientNetwork(request.ip)).catch(refuse);
}

/** What an outcome is on the page, beside what the invoice tells. */
function noticeOf(error: unknown): Notice | null {
  if (!(error instanceof ApiError)) throw error;
  switch (error.code) {
    case 'card_testing_suspected':
      return { kind: 'limited', wrong: [] };
    case 'payment_method_required':
      return { kind: 'no_method', wrong: [] };
    case 'service_unavailable':
      return { kind: 'unavailable', wrong: [] };
    case 'authentication_required':
    case 'card_declined':
    case 'payment_in_progress':
    case 'payment_under_review':
    case 'invoice_voided':
    case 'awaiting_release':
    case 'charges_held':
      return null;
    default:
      throw error;
  }
}

/**
 * Leads on to the bank's question: the sandbox has no bank with pages of its own, so it is answered here, and for a payment that was begun
 * without the payer the gateway makes a page now.
 * @returns as `payAsAsked` @throws ApiError of faults of this service
 */
export async function confirmAsAsked(
  dependencies: PayDependencies,
  { companyId, invoiceId }: Linked,
  form: URLSearchParams,
): Promise<Notice | null> {
  const { db, gateways } = dependencies;
  const outcome = form.get('outcome');
  const invoice = await selectInvoiceOnPage(db, companyId, invoiceId);
  const waiting = invoice?.lastPayment ?? null;
  if (waiting === null || waiting.action === null) return null;
  const browser = gateways.of(waiting.gateway).fields?.browser;
  if (browser === undefined) return askAboutWaiting(dependencies, { companyId, invoiceId });
  if (outcome !== 'succeed' && outcome !== 'fail') return { kind: 'not_taken', wrong: [] };
  try {
    await browser.answerChallenge(waiting.action.clientSecret, outcome);
    await lookForConfirmation({ db, gateways }, companyId, invoiceId);
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return { kind: 'unavailable', wrong: [] };
    return noticeOf(error);
  }
}
