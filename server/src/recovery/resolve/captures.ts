import { recordAudit } from '../../audit/audit.service.ts';
import { selectInstallation } from '../../continuity/journal/journal.service.ts';
import { type Gateway, GatewayError, type GatewayPayment } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { lookBack } from '../../ledger/fees-and-payouts/looks.parts.queries.ts';
import { acceptSecond } from '../../payments/adopt/adopt.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { formatAmount } from '../../platform/money/money.ts';
import { findOwner, readPayment } from '../adopt/payments.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import type { CaseResolution } from '../schema/recovery.schema.ts';
import {
  lockCases,
  markRefunded,
  selectUnallocated,
  type UnallocatedCapture,
} from '../unallocated/unallocated.operator.queries.ts';
import { bookUnallocated } from '../unallocated/unallocated.ts';
import { type AcceptedCapture, endCases, selectAccepted } from './resolve.operator.queries.ts';

/* What a person decides about a capture that a recovery has left to them. Each can be repeated: it is done once. */

export type ResolveDependencies = { db: Db; gateways: Gateways };

/** The capture that a person decides about, and who that is. */
export type Asked = { gateway: string; gatewayPaymentId: string; actor: Actor };

const REASON = 'The company or the invoice of this payment is not in the database.';

/**
 * Waits for others who decide about the capture, and reads what it has become.
 * @param become - reads it; null while nothing was decided
 * @returns that, or else the case that waits for a person
 * @throws ApiError not_found; not_under_review: what the books have is refunded or resolved as every payment is
 */
async function lockCapture<T>(
  tx: Tx,
  { gateway, gatewayPaymentId }: Asked,
  become: (db: Tx, gateway: string, gatewayPaymentId: string) => Promise<T | null>,
): Promise<{ became: T; waiting: null } | { became: null; waiting: RecoveryCase }> {
  const waiting = (await lockCases(tx, gateway, gatewayPaymentId)).at(-1);
  const became = await become(tx, gateway, gatewayPaymentId);
  if (became !== null) return { became, waiting: null };
  if (waiting === undefined) throw notFound('payment');
  const { paymentState } = waiting;
  if (paymentState !== null && paymentState !== 'failed')
    throw new ApiError('not_under_review', 'This payment is in the books: resolve or refund it by its id.');
  if (waiting.state !== 'person') throw new ApiError('not_under_review', 'No decision about this payment is needed.');
  return { became: null, waiting };
}

/** Reads the payment at its gateway as it is now, with its refunds. @throws ApiError payment_not_captured; GatewayError */
async function readCaptured(gateway: Gateway, id: string) {
  const found: GatewayPayment | null = await gateway.findPayment(id);
  if (found?.status !== 'captured')
    throw new ApiError('payment_not_captured', 'The gateway has not captured this payment.');
  return { ...found, status: 'captured' as const, refunds: await gateway.listRefundsOf(id) };
}

/** Runs what asks a gateway. @throws ApiError refund_refused, service_unavailable in place of a GatewayError */
async function withGatewayAnswers<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === 'rejected')
      throw new ApiError('refund_refused', 'The gateway refused the request.', { cause: error });
    const message = 'The gateway gave no answer. Send the request again: the decision is carried out only once.';
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: error });
  });
}

/**
 * Books a second capture of a debt: all of it becomes credit of the company, which its next invoices use.
 * @throws ApiError not_found, not_under_review, payment_not_captured, payment_under_review, credit_currency_differs, service_unavailable
 */
export async function acceptCapture(
  { db, gateways }: ResolveDependencies,
  asked: Asked,
): Promise<Partial<CaseResolution>> {
  const { gateway, gatewayPaymentId } = asked;
  const { became } = await transaction(db, (tx) => lockCapture(tx, asked, selectAccepted));
  if (became !== null) return describeAccepted(became);
  const found = await withGatewayAnswers(readCaptured(gateways.of(gateway), gatewayPaymentId));
  if (found.refunds.length > 0)
    throw new ApiError('payment_under_review', 'The gateway has refunded some of this payment: refund the rest.');
  return transaction(db, async (tx) => {
    const { became, waiting } = await lockCapture(tx, asked, selectAccepted);
    if (became !== null) return describeAccepted(became);
    if ((await selectUnallocated(tx, gateway, gatewayPaymentId)) !== null) {
      const message = 'A refund of this payment has begun, so its capture can only be refunded.';
      throw new ApiError('not_under_review', message);
    }
    const object = readPayment(waiting);
    await acceptSecond(tx, gateway, await findOwed(tx, waiting), { ...object, ...found, refundedMinor: 0n });
    await endCases(tx, gateway, gatewayPaymentId, 'Accepted: the capture is credit of the company.');
    const accepted = await selectAccepted(tx, gateway, gatewayPaymentId);
    if (accepted === null) throw new RangeError('The accepted capture must be in the books.');
    const described = describeAccepted(accepted);
    const { companyId, ...after } = described;
    const target = { kind: 'payment', id: accepted.paymentId, name: '' };
    const entry = { actor: asked.actor, action: 'payment.accepted' as const, target };
    await recordAudit(tx, companyId, { audience: 'company', ...entry, changes: { before: {}, after } });
    failpoint('before_accept_commit');
    return described;
  });
}

function describeAccepted({ creditedMinor, ...accepted }: AcceptedCapture) {
  return { ...accepted, amount: formatAmount(BigInt(creditedMinor), accepted.currency) };
}

/** The company and the invoice that the capture was made for. @throws ApiError not_under_review when one of them is not here */
async function findOwed(tx: Tx, found: RecoveryCase): Promise<{ companyId: string; invoiceId: string }> {
  const object = readPayment(found);
  const { companyId } = found;
  const { invoice } = await findOwner(tx, companyId, object);
  if (invoice !== null) return { companyId, invoiceId: invoice.id };
  const message = 'The company or the invoice of this payment is not in the database: refund the payment.';
  throw new ApiError('not_under_review', message);
}

/**
 * Refunds a capture that no invoice here gets: first it is booked to the account `unallocated`, and the refund, with its intent, reverses
 * that. Of one that the gateway has refunded in full, only the books get both.
 * @throws ApiError not_found, not_under_review, payment_not_captured, refund_refused, service_unavailable
 */
export async function refundCapture(
  { db, gateways }: ResolveDependencies,
  asked: Asked,
): Promise<Partial<CaseResolution>> {
  const gateway = gateways.of(asked.gateway);
  const refund = async () => {
    const capture = await openRefund(db, gateway, asked);
    const { gatewayPaymentId, currency } = capture;
    const gatewayRefundId = capture.gatewayRefundId ?? (await sendRefund(db, gateway, capture));
    await transaction(db, async (tx) => {
      // In the order in which adopting locks them.
      await lockCases(tx, gateway.name, gatewayPaymentId);
      await markRefunded(tx, capture.id, gatewayRefundId);
      await endCases(tx, gateway.name, gatewayPaymentId, `Refunded with ${gatewayRefundId}.`);
    });
    const amount = formatAmount(capture.amountMinor, currency);
    return { gateway: gateway.name, gatewayPaymentId, gatewayRefundId, amount, currency };
  };
  return withGatewayAnswers(refund());
}

/** Books the capture with the intent to refund it, before the gateway receives anything. */
async function openRefund(db: Db, gateway: Gateway, asked: Asked): Promise<UnallocatedCapture> {
  const { gatewayPaymentId, actor } = asked;
  const { became } = await transaction(db, (tx) => lockCapture(tx, asked, selectUnallocated));
  if (became !== null) return became;
  const found = await readCaptured(gateway, gatewayPaymentId);
  return transaction(db, async (tx) => {
    const { became, waiting } = await lockCapture(tx, asked, selectUnallocated);
    if (became !== null) return became;
    await bookUnallocated(tx, gateway.name, found);
    await lookBack(tx, gateway.name, waiting.happenedAt);
    const opened = await selectUnallocated(tx, gateway.name, gatewayPaymentId);
    if (opened === null) throw new RangeError('A capture that belongs to no company must be in the books.');
    const { amountMinor, currency } = opened;
    const after = { gateway: gateway.name, gatewayPaymentId, amount: formatAmount(amountMinor, currency), currency };
    const entry = { actor, action: 'recovery_refund.created' as const, target: null };
    await recordAudit(tx, null, { audience: 'operator', ...entry, changes: { before: {}, after } });
    return opened;
  });
}

/** Asks the gateway for the refund, unless it has made it: its answer may have been lost. @returns its id @throws GatewayError */
async function sendRefund(db: Db, gateway: Gateway, capture: UnallocatedCapture): Promise<string> {
  const { gatewayPaymentId, amountMinor, refundId } = capture;
  if (refundId === null) throw new RangeError('A capture without a remainder must have a refund.');
  const made = await gateway.findRefund(gatewayPaymentId, refundId);
  if (made !== null) return made.id;
  const details = { installation: await selectInstallation(db), reason: REASON };
  const refund = { idempotencyKey: `${refundId}-refund`, gatewayPaymentId, amountMinor, reference: refundId, details };
  return (await gateway.refundPayment({ ...refund, isRecovery: true })).id;
}
