import { v7 as uuidv7 } from 'uuid';
import { lockInvoiceToCharge } from '../../billing/invoices/invoices.service.ts';
import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import { type Gateway, GatewayError, type GatewayPayment } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { markUnknown } from '../outcomes/outcomes.queries.ts';
import { contradicted } from '../outcomes/review.ts';
import { selectPayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import type { Refund } from '../refunds/issue/refund.ts';
import { insertRefund, REFUND_QUEUE, selectRefund } from '../refunds/issue/refunds.queries.ts';
import { recordRefund } from '../refunds/issue/settle-refund.ts';
import { endOpenRefund } from '../refunds/reconcile/reconcile-refunds.ts';
import { selectReturns } from './resolve-payment.queries.ts';

const REASON = 'The capture was not accepted';
/** When the reconciler first checks a refund whose answer was lost. */
const FIRST_CHECK_SECONDS = 5;

/**
 * Refunds all of the capture of a payment under review, as every other refund is made: an intent, one request with a key that follows from
 * the payment, and the end. It can be repeated.
 * @throws GatewayError without an answer: the reconciler continues the refund, and a repeat asks again; ApiError charges_held,
 * outcome_contradicted when nothing was captured, refund_refused, refund_under_review
 */
export async function returnCapture(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<void> {
  const refund = await openReturn(db, gateway, payment);
  if (refund === null) return;
  const { state } = refund.state === 'needs_review' ? refund : await sendReturn(db, gateway, refund);
  if (state === 'failed') throw new ApiError('refund_refused', 'The gateway refused the refund.');
  if (state === 'needs_review') throw new ApiError('refund_under_review', 'Resolve the refund of this payment first.');
}

async function sendReturn(db: Db, gateway: Gateway, refund: Refund): Promise<Refund> {
  try {
    return await endOpenRefund(db, gateway, refund);
  } catch (error) {
    if (error instanceof GatewayError)
      await markUnknown(db, refund.companyId, REFUND_QUEUE, refund.id, FIRST_CHECK_SECONDS);
    throw error;
  }
}

/** The refund that has no outcome yet, or a new one for what the gateway has not refunded; null when that is nothing. */
async function openReturn(db: Db, gateway: Gateway, payment: Payment): Promise<Refund | null> {
  const found = payment.gatewayPaymentId === null ? null : await gateway.findPayment(payment.gatewayPaymentId);
  if (found?.status !== 'captured') throw contradicted('The gateway has captured nothing of this payment.');
  const leftMinor = await readLeft(gateway, found);
  const { companyId } = payment;
  return transaction(db, async (tx) => {
    await Promise.all([lockInvoiceToCharge(tx, companyId, payment.invoiceId), assertNotHeld(tx)]);
    const { openId, failed } = await selectReturns(tx, companyId, payment.id);
    const { state } = await selectPayment(tx, companyId, payment.id);
    if (openId !== null) return selectRefund(tx, companyId, openId);
    if (leftMinor === 0n || state !== 'needs_review') return null;
    const money = { amountMinor: leftMinor, currency: found.capturedCurrency ?? payment.currency };
    return insertReturn(tx, payment, money, `review-${failed + 1}`);
  });
}

async function insertReturn(
  tx: Tx,
  { companyId, id: paymentId, invoiceId, gateway }: Payment,
  { amountMinor, currency }: { amountMinor: bigint; currency: string },
  idempotencyKey: string,
): Promise<Refund> {
  const id = uuidv7();
  await insertRefund(tx, companyId, {
    ...{ id, paymentId, invoiceId, creditNoteId: null, gateway, amountMinor, creditMinor: 0n, currency },
    ...{ reason: REASON, source: 'operator', idempotencyKey, returnsCapture: true },
  });
  await recordMark(tx, companyId, { mark: id, kind: 'refund', subject: id });
  return recordRefund(tx, { companyId, id }, 'refund.created');
}

/** What the gateway has not refunded of a capture, in minor units. */
export async function readLeft(
  gateway: Gateway,
  { id, capturedAmountMinor, capturedCurrency }: GatewayPayment,
): Promise<bigint> {
  const refunds = await gateway.listRefundsOf(id);
  const ofIt = refunds.filter(({ currency }) => currency === capturedCurrency);
  return ofIt.reduce((left, { amountMinor }) => left - amountMinor, capturedAmountMinor ?? 0n);
}
