import { lockInvoiceToCharge } from '../../billing/invoices/invoices.service.ts';
import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import {
  type Gateway,
  type GatewayDebtPayment,
  GatewayError,
  type GatewayPayment,
  type GatewayPaymentObject,
  type GatewayPaymentRefund,
} from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { observed } from '../../platform/steps.ts';
import { toOutcome } from '../debt/debt.ts';
import { markProcessing, selectLivePayment, selectPayment } from '../payment/payment.queries.ts';
import type { Payment, PaymentState } from '../payment/payment.ts';
import { importRefund } from '../refunds/issue/refunds.service.ts';
import { matchesIntent, writeCaptured } from '../settlement/settle-payment.ts';
import { selectPaymentOfObject } from './adopt.queries.ts';
import { adopt, writeRunning } from './adopt.ts';

export { acceptSecond } from './adopt.ts';

/* For a recovery, which goes through the objects of a gateway one by one and has no payment of its own. */

type Owed = { companyId: string; invoiceId: string };

/** A capture with all of its refunds. */
export type CaptureToAdopt = GatewayDebtPayment & { refunds: readonly GatewayPaymentRefund[] };

/** What a capture is in the books from now on. */
export type AdoptedCapture =
  /** `payment` has it: it paid the invoice, is under review, or had failed before. */
  | { outcome: 'captured' | 'needs_review' | 'failed'; payment: Payment }
  /** The invoice has another payment, which is captured or under review. */
  | { outcome: 'second'; payment: Payment }
  /** It was wholly refunded, and the invoice has another payment or none for it: nothing is left to book. */
  | { outcome: 'refunded' };

/**
 * Cancels the object of the invoice's running payment, before another capture of the debt counts in its place. If that object is captured,
 * its own payment ends with it.
 * @throws GatewayError
 */
export async function closeRunningPayment(
  { db, gateways }: { db: Db; gateways: Gateways },
  { companyId, invoiceId }: Owed,
  capture: { gateway: string; id: string },
): Promise<void> {
  const running = await selectLivePayment(db, companyId, invoiceId);
  if (running === null || hasMoney(running.state) || running.gatewayPaymentId === null) return;
  if (running.gateway === capture.gateway && running.gatewayPaymentId === capture.id) return;
  const own = { id: running.gatewayPaymentId, reference: running.id, sequence: null };
  const found = await cancelForRecovery(gateways.of(running.gateway), own);
  if (found.status === 'captured') {
    const write = () => transaction(db, (tx) => writeCaptured(tx, running, found));
    await observeAdopted(own, found, write, () => !matchesIntent(running, found));
  } else if (found.status !== 'canceled') {
    throw new GatewayError('outcome_unknown', 'The gateway has not canceled the running payment yet.');
  }
}

/** Books the capture of a payment that waits here for its customer or its bank, if its gateway has it by now. @throws GatewayError */
export async function bookAwaited(
  db: Db,
  gateway: Gateway,
  { companyId, id, gatewayPaymentId }: Pick<Payment, 'companyId' | 'id' | 'gatewayPaymentId'>,
): Promise<void> {
  const found = await gateway.findPayment(gatewayPaymentId ?? '');
  if (found?.status !== 'captured') return;
  const own = { id: found.id, reference: id, sequence: null };
  const write = () =>
    transactionWhileHeld(db, async (tx) => writeCaptured(tx, await selectPayment(tx, companyId, id), found));
  await observeAdopted(own, found, write, ({ payment }) => !matchesIntent(payment, found));
}

type AdoptedObject = Pick<GatewayPaymentObject, 'id' | 'reference' | 'sequence'>;

/** Cancels an object so that nothing is captured with it after a recovery. @throws GatewayError */
export async function cancelForRecovery(gateway: Gateway, object: AdoptedObject): Promise<GatewayPayment> {
  const step = { ...describeStep(object), step: 'adopt: cancel' as const };
  return observed(step, () => gateway.cancelPayment(object.id), toOutcome);
}

/**
 * Lets a test see the transaction that deals with a capture, and whether the capture was refunded.
 * @param isLeft - whether it leaves the capture to a person
 */
export async function observeAdopted<T>(
  object: AdoptedObject,
  { capturedAmountMinor, refundedMinor = 0n }: Pick<GatewayPayment, 'capturedAmountMinor'> & { refundedMinor?: bigint },
  act: () => Promise<T>,
  isLeft: (result: T) => boolean,
): Promise<T> {
  const step = { ...describeStep(object), step: 'adopt: capture' as const };
  const isReturned = refundedMinor >= (capturedAmountMinor ?? 0n);
  return observed(step, act, (result) => {
    return { outcome: isLeft(result) ? 'person' : isReturned ? 'returned' : 'captured' };
  });
}

/** The same for the transaction that lets the payment of a debit on its way run. */
export async function observeAdoptedDebit<T>(
  object: AdoptedObject,
  act: () => Promise<T>,
  isLeft: (result: T) => boolean,
): Promise<T> {
  const step = { ...describeStep(object), step: 'adopt: debit' as const };
  return observed(step, act, (result) => ({ outcome: isLeft(result) ? 'person' : 'processing' }));
}

/** The debt is that of the payment: a gateway's list may name it otherwise than a question for it does. */
function describeStep({ id, reference, sequence }: AdoptedObject) {
  return { ...{ payment: reference ?? undefined, object: id }, ...(sequence === null ? {} : { sequence }) };
}

/** Adopts one capture for an invoice, with its refunds, as a question for the debt does. It can be repeated. */
export async function adoptCapture(
  tx: Tx,
  gateway: string,
  owed: Owed,
  { refunds, ...capture }: CaptureToAdopt,
): Promise<AdoptedCapture> {
  const { companyId, invoiceId } = owed;
  const object = { gateway, gatewayPaymentId: capture.id };
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  const live = await selectLivePayment(tx, companyId, invoiceId);
  const holder = await selectPaymentOfObject(tx, companyId, object);
  const isBeside = holder === null ? live !== null && hasMoney(live.state) : holder.state === 'failed';
  if (isBeside && capture.refundedMinor >= (capture.capturedAmountMinor ?? 0n)) return { outcome: 'refunded' };
  await adopt(tx, gateway, { ...owed, gatewayPaymentId: null }, capture);
  const payment = await selectPaymentOfObject(tx, companyId, object);
  if (payment !== null && payment.state !== 'captured') return { outcome: endOf(payment.state), payment };
  if (payment === null) {
    if (live === null) throw new RangeError('A capture of an invoice without a payment becomes its payment.');
    return { outcome: 'second', payment: live };
  }
  for (const refund of refunds) {
    await importRefund(tx, gateway, { companyId, invoiceId, id: payment.id, gatewayPaymentId: capture.id }, refund);
  }
  return { outcome: 'captured', payment };
}

/**
 * Writes the payment of a debit that is on its way, with the id that its object carries, or lets the running payment of the invoice have
 * the object. It can be repeated.
 * @returns `processing`, or another state when nothing is written: another payment has taken money, or the invoice is void
 */
export async function adoptRunningDebit(
  tx: Tx,
  gateway: string,
  { companyId, invoiceId }: Owed,
  object: GatewayPaymentObject,
): Promise<PaymentState> {
  const { isVoided } = await lockInvoiceToCharge(tx, companyId, invoiceId);
  const held = { gateway, gatewayPaymentId: object.id };
  const holder = await selectPaymentOfObject(tx, companyId, held);
  if (holder !== null && (holder.state === 'failed' || hasMoney(holder.state))) return holder.state;
  const live = await selectLivePayment(tx, companyId, invoiceId);
  if (isVoided || (live !== null && hasMoney(live.state))) return live?.state ?? 'failed';
  const { id } = holder ?? (await writeRunning(tx, gateway, { companyId, invoiceId }, { live, object }));
  await markProcessing(tx, companyId, id, object.id);
  return 'processing';
}

function hasMoney(state: PaymentState): boolean {
  return state === 'captured' || state === 'needs_review';
}

function endOf(state: PaymentState): 'needs_review' | 'failed' {
  return state === 'failed' ? 'failed' : 'needs_review';
}
