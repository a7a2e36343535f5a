import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { adoptIfCaptured } from '../adopt/lost-captures.ts';
import { applyFailure, applyOutcome } from '../charge/gateway-answer.ts';
import { confirmAtGateway, confirmKeyOf, createAtGateway } from '../charge/gateway-object.ts';
import { selectAwaitsRelease } from '../charge/release.queries.ts';
import { cancelObject, findObject, readDebt } from '../debt/debt.ts';
import type { Reconciler } from '../outcomes/reconciler.ts';
import { PAYMENT_QUEUE } from '../payment/payment.queries.ts';
import type { Payment, PaymentRow } from '../payment/payment.ts';
import { settleUnresolved, settleUnsent } from '../settlement/settle-payment.ts';
import { claimProbe, claimWaiting } from './reconcile.worker.queries.ts';

/**
 * How the reconciler finds out the outcome of a payment. Gateways forget idempotency keys after hours, the first after 6, so most
 * checks come early.
 */
export const PAYMENTS: Reconciler<PaymentRow, Payment> = {
  name: 'payment',
  queue: PAYMENT_QUEUE,
  everyMs: 500,
  checkDelaysSeconds: [5, 15, 60, 300, 900, 3_600, 10_800, 21_600],
  findOut,
  applyFailure: (db, gateway, payment, error) => applyFailure(db, gateway, payment, error).catch(refuseOthers),
  settleUnresolved,
  paymentIdOf: ({ id }) => id,
  earlyChecks: { claimProbe, claimWaiting },
};

/**
 * Reads the payment at the gateway. One that was never confirmed is confirmed now, with the key of the first try. For one without an
 * object the debt is asked for first, at other gateways too. "Not found" ends nothing, because the request may still arrive. One whose
 * invoice waits for a release is not confirmed any more, but canceled.
 * @returns false when there is no outcome yet
 */
async function findOut(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<boolean> {
  const awaitsRelease = await selectAwaitsRelease(db, payment.companyId, payment.invoiceId);
  if (payment.gatewayPaymentId === null) {
    if (awaitsRelease) return (await adoptIfCaptured(db, gateway, payment)) || settleUnsent(db, payment, 'not_sent');
    const sent = await createAtGateway(db, gateway, payment, await readDebt(db, payment));
    // Nothing to confirm: the payment is adopted, or its request or another reconciler continues it.
    if (sent === null) return true;
    return confirm(db, gateway, { ...payment, sequence: sent.sequence }, sent);
  }
  const found = await findObject(gateway, payment.id, payment.gatewayPaymentId);
  const seenAtMs = performance.now();
  if (found === null) return false;
  if (found.status === 'created' && awaitsRelease)
    return applyOutcome(db, gateway, payment, await cancelObject(gateway, payment, found.id));
  if (found.status === 'created') return confirm(db, gateway, payment, { id: found.id, seenAtMs });
  return applyOutcome(db, gateway, payment, found);
}

async function confirm(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  seen: { id: string; seenAtMs: number },
): Promise<boolean> {
  const [idempotencyKey] = await Promise.all([confirmKeyOf(db, payment), assertNotHeld(db)]);
  return applyOutcome(db, gateway, payment, await confirmAtGateway(gateway, payment, { ...seen, idempotencyKey }));
}

/** Returns false for an error of the gateway, after which there is no outcome yet. @throws every other error */
function refuseOthers(error: unknown): boolean {
  if (error instanceof GatewayError) return false;
  throw error;
}
