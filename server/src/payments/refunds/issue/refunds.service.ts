import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '../../../audit/audit.service.ts';
import { lockInvoiceToCharge } from '../../../billing/invoices/invoices.service.ts';
import { assertNotHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { recordMark } from '../../../continuity/journal/journal.service.ts';
import { lockCompany, readBillingSettings } from '../../../customers/companies/companies.service.ts';
import { GatewayError } from '../../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../../gateways/gateways.outages.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../../platform/database/database.ts';
import { ApiError, hasCode, invalidField, notFound } from '../../../platform/errors.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import { type Actor, SYSTEM } from '../../../platform/http/route/actor.ts';
import { compareDecimals, toDecimal } from '../../../platform/money/decimal.ts';
import { formatAmount, fromMinor, toMinor } from '../../../platform/money/money.ts';
import { markUnknown } from '../../outcomes/outcomes.queries.ts';
import { issueMissingCreditNote } from './credit.ts';
import { importGatewayRefunds } from './import-refunds.ts';
import { describeRefund, type Refund } from './refund.ts';
import { selectPaymentCompany } from './refunds.operator.queries.ts';
import {
  insertRefund,
  REFUND_QUEUE,
  type RefundablePayment,
  selectInvoiceOfPayment,
  selectPaymentAtGateway,
  selectPaymentToRefund,
  selectRefund,
  selectRefundByKey,
  selectRefunds,
} from './refunds.queries.ts';
import type { RefundAnswer, RefundBody, RefundList, RefundQuery } from './refunds.schema.ts';
import { sendRefund } from './send-refund.ts';
import { recordRefund, settleRefunded, settleRefused, succeedRefund } from './settle-refund.ts';

export { importGatewayRefunds, importRefund } from './import-refunds.ts';
// The operator's list of all companies' refunds uses it.
export { describeRefund, type Refund, type RefundRow, toRefund } from './refund.ts';
export { REFUND_COLUMNS } from './refunds.queries.ts';

export type RefundDependencies = { db: Db; gateways: Gateways };

/** When the reconciler first checks a refund whose answer was lost. */
const FIRST_CHECK_SECONDS = 5;

/** No gateway stores less of a reason. */
const MIN_STORED_REASON_LENGTH = 255;

/** What the operator requests; the same key gets the same refund. `actor` is for the audit log. */
export type RefundRequest = RefundBody & { idempotencyKey: string | null; actor?: Actor };

/**
 * Refunds a payment: to the card first, and to credit what was paid with credit. With one idempotency key it refunds at most once,
 * however often it is called, by how many processes, and whatever crashes in between.
 * @returns the refund with 201; with 202 while its outcome is being found out
 * @throws ApiError 400; charges_held, not_found, payment_not_captured, invoice_unpaid, refund_exceeds_payment, payment_disputed,
 * refund_refused, refund_under_review, credit_currency_differs, idempotency_key_reused
 */
export async function refundPayment(
  { db, gateways }: RefundDependencies,
  paymentId: string,
  request: RefundRequest,
): Promise<{ status: 201 | 202; refund: RefundAnswer }> {
  const askedAtMs = await importRefunds({ db, gateways }, paymentId, request);
  const { refund, isNew } = await transaction(db, (tx) => openRefund(tx, paymentId, request));
  failpoint('after_refund_intent');
  if (!isNew || refund.state !== 'created') return answer(refund);
  const outcome = await sendAndSettle({ db, gateways }, refund, askedAtMs);
  return answer(outcome.kind === 'settled' ? outcome.refund : await selectRefund(db, refund.companyId, refund.id));
}

/**
 * Records refunds that the gateway has and the books lack, because the database went back, before another refund is made.
 * @returns when the gateway was asked, on the monotonic clock; or the error why it gave no answer
 */
async function importRefunds(
  { db, gateways }: RefundDependencies,
  paymentId: string,
  { idempotencyKey }: RefundRequest,
): Promise<number | GatewayError> {
  const companyId = await findPaymentCompany(db, paymentId);
  const payment = await selectPaymentAtGateway(db, companyId, paymentId);
  const askedAtMs = performance.now();
  const isRepeated =
    idempotencyKey !== null && (await selectRefundByKey(db, companyId, paymentId, idempotencyKey)) !== null;
  if (payment === null || isRepeated) return askedAtMs;
  try {
    await importGatewayRefunds(db, gateways.of(payment.gateway), { companyId, ...payment });
    return askedAtMs;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** Writes the intent, with its amounts and its credit note, before the gateway receives anything. */
async function openRefund(
  tx: Tx,
  paymentId: string,
  { amount, reason, idempotencyKey, actor = SYSTEM }: RefundRequest,
): Promise<{ refund: Refund; isNew: boolean }> {
  const companyId = await findPaymentCompany(tx, paymentId);
  const [invoiceId] = await Promise.all([selectInvoiceOfPayment(tx, companyId, paymentId), assertNotHeld(tx)]);
  // Everything that opens or ends a payment or refund of the invoice, or credits it, takes this lock.
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  const earlier = idempotencyKey === null ? null : await selectRefundByKey(tx, companyId, paymentId, idempotencyKey);
  if (earlier !== null) {
    await recordMark(tx, companyId, null);
    return { refund: await findEarlierRefund(tx, companyId, earlier.id, { amount, reason }), isNew: false };
  }

  const payment = await selectPaymentToRefund(tx, companyId, paymentId);
  if (payment.state !== 'captured') throw new ApiError('payment_not_captured', 'The payment was not captured.');
  if (payment.isPartOfUnpaid) throw new ApiError('invoice_unpaid', 'The payment paid a part; the rest is still due.');
  const { currency, gateway } = payment;
  const parts = splitAmount(payment, amount);
  if (parts.creditMinor > 0n) await requireCurrency(tx, companyId, currency);
  const totalMinor = parts.amountMinor + parts.creditMinor;
  const creditNoteId = await issueMissingCreditNote(tx, payment, { totalMinor, reason });
  const id = uuidv7();
  await insertRefund(tx, companyId, {
    id,
    paymentId,
    invoiceId,
    creditNoteId,
    gateway,
    ...parts,
    currency,
    reason,
    source: 'operator',
    idempotencyKey,
  });
  await recordMark(tx, companyId, { mark: id, kind: 'refund', subject: id });
  const refund = await recordRefund(tx, { companyId, id }, 'refund.created');
  const after = {
    paymentId,
    invoiceId,
    creditNoteId,
    reason,
    amount: formatAmount(parts.amountMinor + parts.creditMinor, currency),
    currency,
  };
  const target = { kind: 'refund', id, name: '' };
  await recordAudit(tx, companyId, {
    audience: 'company',
    actor,
    action: 'refund.created',
    target,
    changes: { before: {}, after },
  });
  const opened = parts.amountMinor === 0n ? await succeedRefund(tx, refund, null) : refund;
  failpoint('before_refund_intent_commit');
  return { refund: opened, isNew: true };
}

/**
 * Writes a refund and its success at once, without the gateway, for a transaction that is rolled back: the books are as they will be when
 * the gateway has refunded. @throws ApiError as `refundPayment`, besides the refusals of a gateway
 */
export async function writeRefund(tx: Tx, paymentId: string, request: RefundBody): Promise<void> {
  const { refund } = await openRefund(tx, paymentId, { ...request, idempotencyKey: null });
  if (refund.state === 'created') await succeedRefund(tx, refund, refund.id);
}

async function findPaymentCompany(db: Queryable, paymentId: string): Promise<string> {
  const companyId = await selectPaymentCompany(db, paymentId);
  if (companyId === null) throw notFound('payment');
  return companyId;
}

/**
 * Finds the refund that a repeated request gets. A request for "all that is left" is the same however much is left by now. So is one
 * whose reason begins with what a gateway stored of it, when the refund was imported from there.
 */
async function findEarlierRefund(
  tx: Tx,
  companyId: string,
  id: string,
  { amount, reason }: { amount: string | undefined; reason: string },
): Promise<Refund> {
  const refund = await selectRefund(tx, companyId, id);
  const isSameAmount =
    amount === undefined || toMinor(toDecimal(amount), refund.currency) === refund.amountMinor + refund.creditMinor;
  const isBeginning = refund.reason.length >= MIN_STORED_REASON_LENGTH && reason.startsWith(refund.reason);
  if (isSameAmount && (reason === refund.reason || isBeginning)) return refund;
  throw new ApiError(
    'idempotency_key_reused',
    'This idempotency key was already used with a different refund of the payment.',
  );
}

/** Divides the amount: to the card first, then to credit. What a dispute took of the card's part is with the cardholder already. */
function splitAmount(
  payment: RefundablePayment,
  text: string | undefined,
): { amountMinor: bigint; creditMinor: bigint } {
  const { currency, withdrawnMinor } = payment;
  const undisputedMinor = payment.amountMinor - payment.refundedMinor - withdrawnMinor;
  const cardRestMinor = undisputedMinor > 0n ? undisputedMinor : 0n;
  const restMinor = cardRestMinor + payment.creditMinor - payment.refundedCreditMinor;
  const totalMinor = text === undefined ? restMinor : readAmount(text, currency);
  if (totalMinor > restMinor || restMinor === 0n) {
    const rest = `${formatAmount(restMinor, currency)} ${currency}`;
    if (withdrawnMinor > 0n && totalMinor <= restMinor + withdrawnMinor) {
      const message = `A dispute has withdrawn money of this payment: no more than ${rest} can be refunded.`;
      throw new ApiError('payment_disputed', message);
    }
    throw new ApiError('refund_exceeds_payment', `No more than ${rest} of this payment can be refunded.`);
  }
  const amountMinor = totalMinor < cardRestMinor ? totalMinor : cardRestMinor;
  return { amountMinor, creditMinor: totalMinor - amountMinor };
}

/** Refuses an amount that would have to be rounded. */
function readAmount(text: string, currency: string): bigint {
  const amount = toDecimal(text);
  const amountMinor = toMinor(amount, currency);
  if (amountMinor <= 0n) throw invalidField('amount', 'must be more than zero');
  if (compareDecimals(amount, fromMinor(amountMinor, currency)) !== 0) {
    throw invalidField('amount', `must have no more decimals than ${currency} has`);
  }
  return amountMinor;
}

/** The currency of the credit must not change while a refund that returns credit is open. */
async function requireCurrency(tx: Tx, companyId: string, currency: string): Promise<void> {
  await lockCompany(tx, companyId);
  const settings = await readBillingSettings(tx, companyId);
  if (settings.currency === currency) return;
  const message = `The company is billed in ${settings.currency} now; the credit was in ${currency}.`;
  throw new ApiError('credit_currency_differs', message);
}

/** `unknown`: the gateway gave no answer, or a hold began. */
type RefundOutcome = { kind: 'settled'; refund: Refund } | { kind: 'unknown' };

/**
 * Sends the refund to the gateway. After a lost answer, or if a hold begins, the reconciler continues with the same key. Nothing is sent
 * to a gateway that does not say what it has refunded before.
 */
async function sendAndSettle(
  { db, gateways }: RefundDependencies,
  refund: Refund,
  askedAtMs: number | GatewayError,
): Promise<RefundOutcome> {
  let isSent = false;
  try {
    if (askedAtMs instanceof GatewayError) throw askedAtMs;
    const gateway = gateways.of(refund.gateway);
    isSent = true;
    const found = await sendRefund(db, gateway, refund, askedAtMs);
    return { kind: 'settled', refund: await settleRefunded(db, refund, found) };
  } catch (error) {
    if (!hasCode(error, 'charges_held')) {
      if (!(error instanceof GatewayError)) throw error;
      await alertOutage(db, { ...refund, id: refund.paymentId }, error.kind);
      // The gateway got no earlier request for this refund, so its refusal is final.
      if (isSent && error.kind === 'rejected') return { kind: 'settled', refund: await settleRefused(db, refund) };
    }
    await markUnknown(db, refund.companyId, REFUND_QUEUE, refund.id, FIRST_CHECK_SECONDS);
    return { kind: 'unknown' };
  }
}

function answer(refund: Refund): { status: 201 | 202; refund: RefundAnswer } {
  if (refund.state === 'failed') throw new ApiError('refund_refused', 'The gateway refused the refund.');
  if (refund.state === 'needs_review') {
    throw new ApiError('refund_under_review', 'The outcome of the refund is unknown; the operator has to review it.');
  }
  return { status: refund.state === 'succeeded' ? 201 : 202, refund: describeRefund(refund) };
}

/** Lists the payment's refunds, a page at a time, the newest first. @throws ApiError not_found */
export async function listRefunds(
  db: Queryable,
  paymentId: string,
  { page, perPage }: RefundQuery,
): Promise<RefundList> {
  const companyId = await findPaymentCompany(db, paymentId);
  const range = { limit: perPage, offset: (page - 1) * perPage };
  const { total, refunds } = await selectRefunds(db, companyId, paymentId, range);
  return { total, page, perPage, data: refunds.map(describeRefund) };
}

/** Reads all refunds of the company's payment, as the list shows them. */
export async function readRefunds(db: Queryable, companyId: string, paymentId: string): Promise<RefundAnswer[]> {
  const { refunds } = await selectRefunds(db, companyId, paymentId, { limit: null, offset: 0 });
  return refunds.map(describeRefund);
}
