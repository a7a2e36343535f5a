import { setTimeout as sleep } from 'node:timers/promises';
import { readInvoice } from '../../billing/invoices/invoices.service.ts';
import type { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import type { ConfiguredGateway, Gateways } from '../../gateways/gateways.ts';
import type { Requester } from '../../methods/card-testing/card-testing.service.ts';
import type { OneOffCard } from '../../methods/one-off/one-off.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, hasCode } from '../../platform/errors.ts';
import { type Actor, SYSTEM } from '../../platform/http/route/actor.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { markUnknown } from '../outcomes/outcomes.queries.ts';
import { PAYMENT_QUEUE, selectLivePayment, selectPayment } from '../payment/payment.queries.ts';
import type { Payment, PaymentReader } from '../payment/payment.ts';
import { type Settled, settleUnsent } from '../settlement/settle-payment.ts';
import { applyAnswer, applyError } from './gateway-answer.ts';
import { confirmAtGateway, createAtGateway } from './gateway-object.ts';
import { type Initiator, type NothingToCharge, openPayment, type StartedPayment } from './intent.ts';
import { type ChargeOutcome, outcomeOf } from './outcome.ts';
import { missingSource } from './source.ts';
import { lookForRequest } from './waiting.ts';

export type PaymentDependencies = { db: Db; gateways: Gateways };

/** How long a request waits for another charge of the same invoice. */
const WAIT_FOR_OTHER_MS = 20_000;
const POLL_INTERVAL_MS = 100;
/** When the reconciler first checks a payment whose answer was lost. */
const FIRST_CHECK_SECONDS = 5;

export type PayAnswer = { status: 200 | 202; invoice: Json<typeof Invoice> };

type PayOptions = { actor?: Actor; reader?: PaymentReader; card?: OneOffCard | null };

/**
 * Charges an invoice at most once, however often it is called, by how many processes, and whatever crashes in between.
 * 200: the invoice is paid. 202: the gateway's answer was lost, or a debit is on its way, and the reconciler finds out the outcome.
 * `requester` is the person who requests the charge; their declined charges are counted. `actor` is who asks, for the audit log. `card` is
 * charged in place of a saved one. `reader` is who gets the answer.
 * @throws ApiError authentication_required, with more for the company as `reader`; charges_held, card_declined, card_testing_suspected,
 * payment_method_required, payment_in_progress, payment_under_review, invoice_voided, service_unavailable, not_found
 */
export async function payInvoice(
  dependencies: PaymentDependencies,
  companyId: string,
  invoiceId: string,
  requester: Requester | null = null,
  { actor = SYSTEM, reader = 'others', card = null }: PayOptions = {},
): Promise<PayAnswer> {
  const charge = await chargeInvoice(dependencies, companyId, invoiceId, { requester, actor, card });
  const status = charge.kind === 'payment' ? statusOf(charge.payment, reader) : statusWithout(charge);
  const paid = charge.kind === 'payment' ? charge.invoice : null;
  return { status, invoice: paid ?? (await readInvoice(dependencies.db, companyId, invoiceId)) };
}

/** What a request to charge an invoice came to. `payment`: as it is now; another request may have begun it. `invoice`: as in `Settled`. */
export type Charge = ({ kind: 'payment' } & Settled) | NothingToCharge;

/**
 * Begins a payment and charges it, or waits for the payment that is already running.
 * `collectionAttempt` is the number of the attempt of the automatic collection; each number begins at most one payment.
 * @throws ApiError charges_held, card_testing_suspected, payment_under_review, awaiting_release, service_unavailable, not_found
 */
export async function chargeInvoice(
  dependencies: PaymentDependencies,
  companyId: string,
  invoiceId: string,
  by: Partial<Initiator> = {},
): Promise<Charge> {
  const { db } = dependencies;
  const initiator = { collectionAttempt: null, requester: null, actor: SYSTEM, card: null, ...by };
  const opened = await openPayment(dependencies, { companyId, invoiceId }, initiator);
  switch (opened.kind) {
    case 'started': {
      const outcome = await charge(dependencies, opened);
      const { id } = opened.payment;
      if (outcome.kind === 'settled' && outcome.invoice !== null) return { ...outcome, kind: 'payment' };
      const payment = outcome.kind === 'settled' ? outcome.payment : await selectPayment(db, companyId, id);
      return { kind: 'payment', payment: await waitForOutcome(db, payment), invoice: null };
    }
    case 'running':
      return { kind: 'payment', payment: await waitForOutcome(db, opened.payment), invoice: null };
    case 'waiting':
      return {
        kind: 'payment',
        payment: await lookForRequest(db, dependencies.gateways, opened.payment),
        invoice: null,
      };
    default:
      return opened;
  }
}

/** Charges a payment whose intent is written. If an answer is lost, or a hold begins, the reconciler continues the payment later. */
async function charge({ db, gateways }: PaymentDependencies, started: StartedPayment): Promise<ChargeOutcome> {
  const { companyId, id, gateway } = started.payment;
  const outcome = await createAndConfirm(db, gateways.of(gateway), started).catch(leaveIfHeld);
  if (outcome.kind === 'unknown') await markUnknown(db, companyId, PAYMENT_QUEUE, id, FIRST_CHECK_SECONDS);
  return outcome;
}

/** @throws ApiError charges_held */
async function createAndConfirm(
  db: Db,
  gateway: ConfiguredGateway,
  { payment, returnUrl, ...question }: StartedPayment,
): Promise<ChargeOutcome> {
  let mayBeCaptured = false;
  try {
    const created = await createAtGateway(db, gateway, payment, question);
    if (created.kind !== 'recorded') return created;
    mayBeCaptured = true;
    const answer = await confirmAtGateway(db, gateway, payment, { ...created.object, returnUrl });
    return await applyAnswer(db, gateway, payment, answer);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await alertOutage(db, payment, error.kind);
    const { kind } = error;
    const isAway = kind === 'not_sent' || kind === 'unauthorized' || kind === 'not_configured';
    if (!isAway || mayBeCaptured) return applyError(db, gateway, payment, error);
    return outcomeOf(await settleUnsent(db, payment, 'not_sent'), 'unknown');
  }
}

function leaveIfHeld(error: unknown): ChargeOutcome {
  if (hasCode(error, 'charges_held')) return { kind: 'unknown' };
  throw error;
}

/** Waits while the request of another process is on its way. @returns the payment, or the one that counts in its place */
async function waitForOutcome(db: Db, payment: Payment): Promise<Payment> {
  const { companyId, id, invoiceId } = payment;
  const deadlineMs = performance.now() + WAIT_FOR_OTHER_MS;
  let current = payment;
  while ((current.state === 'created' || current.state === 'sending') && performance.now() <= deadlineMs) {
    await sleep(POLL_INTERVAL_MS);
    current = await selectPayment(db, companyId, id);
  }
  // Another payment of the same debt was captured before, and counts instead.
  if (current.failureReason !== 'superseded') return current;
  return (await selectLivePayment(db, companyId, invoiceId)) ?? current;
}

/** @throws ApiError unless the payment is captured or unknown, or a debit on its way */
function statusOf(payment: Payment, reader: PaymentReader): 200 | 202 {
  const { state, paypalAccountId, failureReason, declineCode } = payment;
  switch (state) {
    case 'captured':
      return 200;
    case 'unknown':
    case 'processing':
      return 202;
    case 'requires_action':
      throw authenticationRequired(payment, reader);
    case 'needs_review':
      throw new ApiError('payment_under_review', 'A payment of this invoice is under review by the operator.');
    case 'failed':
      if (failureReason === 'not_sent') {
        throw new ApiError('service_unavailable', 'The payment gateway cannot be reached; nothing was charged.', {
          retryAfterSeconds: 5,
        });
      }
      throw new ApiError(
        'card_declined',
        paypalAccountId === null ? 'The card was declined.' : 'PayPal declined the charge.',
        { declineCode: declineCode ?? 'generic_decline' },
      );
    default:
      throw new ApiError('payment_in_progress', 'Another payment of this invoice is still running.', {
        retryAfterSeconds: 5,
      });
  }
}

/** The bank asks the customer, who can confirm the payment with what this error tells. */
function authenticationRequired({ id, gateway, action, expiresAt }: Payment, reader: PaymentReader): ApiError {
  const { clientSecret, publishableKey, url = '' } = action ?? {};
  const shared = { url, expiresAt };
  const nextAction = reader === 'company' ? { gateway, clientSecret, publishableKey, ...shared } : shared;
  return new ApiError('authentication_required', 'The bank asks the customer to confirm the payment.', {
    waiting: { paymentId: id, nextAction },
  });
}

/** @throws ApiError unless the invoice is paid */
function statusWithout(nothing: NothingToCharge): 200 {
  switch (nothing.kind) {
    case 'paid':
      return 200;
    case 'void':
      throw new ApiError('invoice_voided', 'The invoice is void: there is nothing to pay.');
    case 'no_payment_method':
      throw missingSource(nothing.method);
    case 'unanswered': {
      const message = 'A payment gateway gives no answer about earlier payments of the invoice; nothing was taken.';
      throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: nothing.cause });
    }
  }
}
