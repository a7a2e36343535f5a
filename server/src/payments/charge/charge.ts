import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { auditPart, recordAudit } from '../../audit/audit.service.ts';
import { consumeCredit, creditToConsume } from '../../billing/credits/credits.service.ts';
import { lockInvoiceToCharge, readInvoice, reopenInvoice } from '../../billing/invoices/invoices.service.ts';
import type { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import type { ConfiguredGateway, Gateways } from '../../gateways/gateways.ts';
import { admit, type Requester, runWhenAdmitted } from '../../methods/card-testing/card-testing.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError, hasCode } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { type Actor, SYSTEM } from '../../platform/http/route/actor.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { toDecimal } from '../../platform/money/decimal.ts';
import { toMinor } from '../../platform/money/money.ts';
import { beginStep, endStep } from '../../platform/steps.ts';
import { type AskedGateways, adoptLostCaptures, findUnasked } from '../adopt/lost-captures.ts';
import { type Debt, type DebtObjects, keyOf, listObjects, readDebt } from '../debt/debt.ts';
import { markUnknown } from '../outcomes/outcomes.queries.ts';
import { recordPaymentEvent } from '../payment/invoice-payments.service.ts';
import { recordPaymentMark } from '../payment/journaled.ts';
import { insertPayment, PAYMENT_QUEUE, selectLivePayment, selectPayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { payWithCreditOnly } from '../settlement/credit-only.ts';
import { settleUnsent } from '../settlement/settle-payment.ts';
import { describeAsked } from './audited.ts';
import { applyFailure, applyOutcome } from './gateway-answer.ts';
import { confirmAtGateway, createAtGateway } from './gateway-object.ts';
import { selectAwaitsRelease } from './release.queries.ts';
import { findSource, refuseWithoutSource } from './source.ts';

export type PaymentDependencies = { db: Db; gateways: Gateways };

/** How long a request waits for another charge of the same invoice. */
const WAIT_FOR_OTHER_MS = 20_000;
const POLL_INTERVAL_MS = 100;
/** When the reconciler first checks a payment whose answer was lost. */
const FIRST_CHECK_SECONDS = 5;

export type PayAnswer = { status: 200 | 202; invoice: Json<typeof Invoice> };

/**
 * Charges an invoice at most once, however often it is called, by how many processes, and whatever crashes in between.
 * 200: the invoice is paid. 202: the gateway's answer was lost, and the reconciler finds out the outcome.
 * `requester` is the person who requests the charge; their declined charges are counted. `actor` is who asks, for the audit log.
 * @throws ApiError charges_held, card_declined, card_testing_suspected, payment_method_required, payment_in_progress,
 * payment_under_review, invoice_voided, service_unavailable, not_found
 */
export async function payInvoice(
  dependencies: PaymentDependencies,
  companyId: string,
  invoiceId: string,
  requester: Requester | null = null,
  actor: Actor = SYSTEM,
): Promise<PayAnswer> {
  const { db } = dependencies;
  const payment = await chargeInvoice(dependencies, companyId, invoiceId, { requester, actor });
  return payment === null ? { status: 200, invoice: await readInvoice(db, companyId, invoiceId) } : answer(db, payment);
}

/**
 * Begins a payment and charges it, or waits for the payment that is already running.
 * `collectionAttempt` is the number of the attempt of the automatic collection; each number begins at most one payment.
 * @returns the payment in its current state; null when the invoice is paid
 * @throws ApiError charges_held, card_testing_suspected, payment_method_required, payment_under_review, invoice_voided,
 * service_unavailable, not_found
 */
export async function chargeInvoice(
  dependencies: PaymentDependencies,
  companyId: string,
  invoiceId: string,
  by: Partial<Initiator> = {},
): Promise<Payment | null> {
  const { db } = dependencies;
  const initiator = { collectionAttempt: null, requester: null, actor: SYSTEM, ...by };
  const opened = await open(dependencies, { companyId, invoiceId }, initiator);
  failpoint('after_intent');
  if (opened.kind === 'paid') return null;
  if (opened.kind === 'started') endStep(intentOf(opened.payment));
  if (opened.kind === 'started') await charge(dependencies, opened.payment, opened);
  return waitForOutcome(db, opened.payment);
}

/** The automatic collection has a number, a person is the asker, the operator has neither. */
type Initiator = { collectionAttempt: number | null; requester: Requester | null; actor: Actor };

type Opened =
  | { kind: 'paid' }
  | { kind: 'started'; payment: Payment; debt: Debt }
  | { kind: 'running'; payment: Payment }
  /** These gateways may have captured the debt before. */
  | { kind: 'unasked'; gateways: readonly Gateway[] };

/** Gateways that may have captured the debt before are asked for it outside of the transaction. */
async function open(
  dependencies: PaymentDependencies,
  invoice: { companyId: string; invoiceId: string },
  initiator: Initiator,
  asked: AskedGateways | null = null,
): Promise<Begun> {
  const { db } = dependencies;
  const id = uuidv7();
  beginStep(intentOf({ id }), { step: 'T1', payment: id });
  const opened = await runWhenAdmitted(db, () =>
    transaction(db, async (tx) =>
      askInParallel(dependencies, await openPayment({ ...dependencies, tx }, { ...invoice, id }, initiator, asked)),
    ),
  );
  if (opened.kind !== 'unasked') return opened;
  return open(dependencies, invoice, initiator, await adoptLostCaptures(db, invoice, opened.gateways));
}

type Begun = Exclude<ReturnType<typeof askInParallel>, { kind: 'unasked' }>;
type Question = { debt: Debt; firstDebtAnswer: Promise<DebtObjects> };

/** Asks the gateway for the debt while the intent commits. That saves time and changes nothing at the gateway. */
function askInParallel({ gateways }: PaymentDependencies, opened: Opened) {
  if (opened.kind !== 'started') return opened;
  const { payment, debt } = opened;
  const firstDebtAnswer = listObjects(gateways.of(payment.gateway), payment, debt.request);
  // If the commit fails, nobody awaits the answer, and its rejection must not end the process.
  firstDebtAnswer.catch(() => undefined);
  return { ...opened, firstDebtAnswer };
}

/** The name of T1 among the observed steps. */
function intentOf({ id }: Pick<Payment, 'id'>): string {
  return `intent ${id}`;
}

/** T1: writes the intent, with everything that will be charged, before the gateway gets any request. */
async function openPayment(
  { tx, gateways }: { tx: Tx; gateways: Gateways },
  { companyId, invoiceId, id }: { companyId: string; invoiceId: string; id: string },
  { collectionAttempt, requester, actor }: Initiator,
  asked: AskedGateways | null,
): Promise<Opened> {
  // The statements are sent together, and PostgreSQL runs them in order, so what is read after a lock holds under that lock.
  const [invoice, running] = await Promise.all([
    lockInvoiceToCharge(tx, companyId, invoiceId),
    selectLivePayment(tx, companyId, invoiceId),
    assertNotHeld(tx),
  ]);
  if (invoice.status === 'Succeeded') {
    await recordMark(tx, companyId, null);
    return { kind: 'paid' };
  }
  if (invoice.isVoided) throw new ApiError('invoice_voided', 'The invoice is void: there is nothing to pay.');
  if (running !== null) return { kind: 'running', payment: running };

  const { method, currency } = invoice;
  const dueMinor = toMinor(toDecimal(invoice.amountDue), currency);
  // A change of the default card or account, or of the credit, takes the same lock. So the choice always finds one default, and no two
  // payments take the same credit.
  const [, creditMinor, awaitsRelease, saved] = await Promise.all([
    lockCompany(tx, companyId),
    creditToConsume(tx, companyId, { dueMinor, currency }),
    selectAwaitsRelease(tx, companyId, invoiceId),
    findSource(tx, companyId, method),
  ]);
  if (awaitsRelease) throw new ApiError('awaiting_release', 'The operator has to release the invoice first.');
  const amountMinor = dueMinor - creditMinor;
  const intent = { id, invoiceId, method, amountMinor, creditMinor, currency, collectionAttempt };
  const source = amountMinor === 0n ? null : (saved ?? refuseWithoutSource(method));
  const unasked = await findUnasked(tx, gateways, { ...intent, companyId, gateway: source?.gateway ?? null }, asked);
  if (unasked.length > 0) return { kind: 'unasked', gateways: unasked };
  if (source === null) {
    await payWithCreditOnly(tx, companyId, intent);
    await recordAudit(tx, companyId, describeAsked(actor, intent));
    return { kind: 'paid' };
  }
  if (invoice.status === 'Failed') await reopenInvoice(tx, companyId, invoiceId);
  const audited = auditPart(tx, companyId, describeAsked(actor, { ...intent, ...source }));
  const [payment, debt] = await Promise.all([
    insertPayment(tx, companyId, { ...intent, ...source, state: 'created' }, audited),
    readDebt(tx, { companyId, ...intent, ...source }),
    recordPaymentMark(tx, companyId, { ...intent, ...source }),
    consumeCredit(tx, companyId, intent),
    recordPaymentEvent(tx, { companyId, id: intent.id, invoiceId }, 'payment.started'),
    requester === null
      ? null
      : admit(tx, companyId, { ...source, id: intent.id, invoiceId, fingerprint: null }, requester),
  ]);
  failpoint('before_intent_commit');
  return { kind: 'started', payment, debt };
}

/** Sends the charge to the gateway. If an answer is lost, or a hold begins, the reconciler continues the payment later. */
async function charge({ db, gateways }: PaymentDependencies, payment: Payment, question: Question): Promise<void> {
  try {
    if (await send(db, gateways.of(payment.gateway), payment, question)) return;
  } catch (error) {
    if (!hasCode(error, 'charges_held')) throw error;
  }
  await markUnknown(db, payment.companyId, PAYMENT_QUEUE, payment.id, FIRST_CHECK_SECONDS);
}

/** @returns false when the reconciler has to continue the payment @throws ApiError charges_held */
async function send(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  { debt, firstDebtAnswer }: Question,
): Promise<boolean> {
  let isSent = false;
  try {
    const sent = await createAtGateway(db, gateway, payment, debt, firstDebtAnswer);
    if (sent === null) return true;
    isSent = true;
    const idempotencyKey = keyOf(debt.request.debt, sent.sequence, 'confirm');
    const found = await confirmAtGateway(gateway, payment, { ...sent, idempotencyKey });
    return await applyOutcome(db, gateway, payment, found);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await alertOutage(db, payment, error.kind);
    return end(db, gateway, payment, { error, isSent });
  }
}

/** Ends the payment only when the gateway accepted nothing, or refused to create an object. @returns whether the payment has ended */
async function end(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  { error, isSent }: { error: GatewayError; isSent: boolean },
): Promise<boolean> {
  const { kind } = error;
  const isAway = kind === 'not_sent' || kind === 'unauthorized' || kind === 'not_configured';
  if (isAway) return !isSent && settleUnsent(db, payment, 'not_sent');
  return applyFailure(db, gateway, payment, error).catch((failure: unknown) => {
    if (failure instanceof GatewayError) return false;
    throw failure;
  });
}

async function waitForOutcome(db: Db, payment: Payment): Promise<Payment> {
  const deadlineMs = performance.now() + WAIT_FOR_OTHER_MS;
  for (;;) {
    const current = await selectPayment(db, payment.companyId, payment.id);
    // Another payment of the same debt was captured before, and counts instead.
    if (current.failureReason === 'superseded')
      return (await selectLivePayment(db, payment.companyId, payment.invoiceId)) ?? current;
    if (current.state !== 'created' && current.state !== 'sending') return current;
    if (performance.now() > deadlineMs) return current;
    await sleep(POLL_INTERVAL_MS);
  }
}

async function answer(
  db: Db,
  { state, companyId, invoiceId, paypalAccountId, failureReason, declineCode }: Payment,
): Promise<PayAnswer> {
  switch (state) {
    case 'captured':
      return { status: 200, invoice: await readInvoice(db, companyId, invoiceId) };
    case 'unknown':
      return { status: 202, invoice: await readInvoice(db, companyId, invoiceId) };
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
