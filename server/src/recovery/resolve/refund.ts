import { recordAudit } from '../../audit/audit.service.ts';
import { selectInstallation } from '../../continuity/journal/journal.service.ts';
import type { Gateway, GatewayRefund } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { type Actor, SYSTEM } from '../../platform/http/route/actor.ts';
import { formatAmount } from '../../platform/money/money.ts';
import {
  lockCases,
  markRefunded,
  selectUnallocated,
  type UnallocatedCapture,
} from '../unallocated/unallocated.operator.queries.ts';
import { bookUnallocated } from '../unallocated/unallocated.ts';
import { type Asked, lockCapture, notCaptured, withGatewayAnswers } from './captures.ts';
import { endCases, selectLastEarlierRefund } from './resolve.operator.queries.ts';

const REASON = 'The company or the invoice of this payment is not in the database.';

/** A refund of a capture that no invoice gets. */
type Refund = { gateway: string; gatewayPaymentId: string; gatewayRefundId: string; amount: string; currency: string };

/**
 * Refunds a capture that a recovery has left to a person, and that no invoice here gets: first it is booked to the account `unallocated`,
 * and the refund, with its intent, reverses that. It can be repeated: the capture is refunded once. Of one that the gateway has refunded in
 * full, only the books get both.
 * @throws ApiError not_found, not_under_review, payment_not_captured, refund_refused, service_unavailable
 */
export async function refundCapture(
  { db, gateways }: { db: Db; gateways: Gateways },
  { actor = SYSTEM, ...capture }: Omit<Asked, 'actor'> & { actor?: Actor },
): Promise<Refund> {
  const gateway = gateways.of(capture.gateway);
  const asked = { ...capture, actor };
  return withGatewayAnswers(
    (async () => {
      const capture = await open(db, gateway, asked);
      const { gatewayRefundId, amountMinor } = await refund(db, gateway, capture);
      const { gatewayPaymentId, currency } = capture;
      const amount = formatAmount(amountMinor, currency);
      return { gateway: gateway.name, gatewayPaymentId, gatewayRefundId, amount, currency };
    })(),
  );
}

/** Books the capture with the intent to refund it, before the gateway receives anything. */
async function open(db: Db, gateway: Gateway, asked: Asked): Promise<UnallocatedCapture> {
  const { gatewayPaymentId, actor } = asked;
  const { became } = await transaction(db, (tx) => lockCapture(tx, asked, selectUnallocated));
  if (became !== null) return became;
  const found = await gateway.findPayment(gatewayPaymentId);
  if (found?.status !== 'captured') throw notCaptured();
  const { capturedAmountMinor, capturedCurrency } = found;
  const refunds = await gateway.listRefundsOf(gatewayPaymentId);
  return transaction(db, async (tx) => {
    const { became } = await lockCapture(tx, asked, selectUnallocated);
    if (became !== null) return became;
    await bookUnallocated(tx, gateway.name, { id: gatewayPaymentId, capturedAmountMinor, capturedCurrency, refunds });
    const opened = await selectUnallocated(tx, gateway.name, gatewayPaymentId);
    if (opened === null) throw new RangeError('A capture that belongs to no company must be in the books.');
    const { amountMinor, currency } = opened;
    const after = { gateway: gateway.name, gatewayPaymentId, amount: formatAmount(amountMinor, currency), currency };
    const entry = { actor, action: 'recovery_refund.created', target: null };
    await recordAudit(tx, null, { audience: 'operator', ...entry, changes: { before: {}, after } });
    return opened;
  });
}

/** Refunds what is left of the capture, unless that was done before. @throws GatewayError */
async function refund(
  db: Db,
  gateway: Gateway,
  capture: UnallocatedCapture,
): Promise<{ gatewayRefundId: string; amountMinor: bigint }> {
  const { amountMinor, gatewayRefundId, refundId } = capture;
  if (gatewayRefundId !== null) return { gatewayRefundId, amountMinor };
  if (refundId !== null) {
    const made = await send(db, gateway, { ...capture, refundId });
    await transaction(db, async (tx) => {
      // In the order in which adopting locks them.
      await lockCases(tx, gateway.name, capture.gatewayPaymentId);
      await markRefunded(tx, capture.id, made.id);
      await end(tx, capture, made.id);
    });
    return { gatewayRefundId: made.id, amountMinor };
  }
  const last = await selectLastEarlierRefund(db, capture.id);
  if (last === null) throw new RangeError('A capture without a remainder must have a refund.');
  await transaction(db, (tx) => end(tx, capture, last.gatewayRefundId));
  return last;
}

/** Asks the gateway for the refund, unless it has made it: its answer may have been lost. @throws GatewayError */
async function send(
  db: Db,
  gateway: Gateway,
  { gatewayPaymentId, amountMinor, refundId }: UnallocatedCapture & { refundId: string },
): Promise<GatewayRefund> {
  const made = await gateway.findRefund(gatewayPaymentId, refundId);
  if (made !== null) return made;
  return gateway.refundPayment({
    idempotencyKey: `${refundId}-refund`,
    gatewayPaymentId,
    amountMinor,
    reference: refundId,
    details: { installation: await selectInstallation(db), reason: REASON },
    isRecovery: true,
  });
}

async function end(tx: Tx, { gateway, gatewayPaymentId }: UnallocatedCapture, gatewayRefundId: string): Promise<void> {
  await endCases(tx, gateway, gatewayPaymentId, `Refunded with ${gatewayRefundId}.`);
}
