import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import type { ConfiguredGateway } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { adoptIfCaptured } from '../adopt/lost-captures.ts';
import { applyAnswer, applyError } from '../charge/gateway-answer.ts';
import { confirmAtGateway, confirmKeyOf, createAtGateway, type RecordedObject } from '../charge/gateway-object.ts';
import { type ChargeOutcome, outcomeOf } from '../charge/outcome.ts';
import { selectAwaitsRelease } from '../charge/release.queries.ts';
import { cancelObject, findObject, readDebt } from '../debt/debt.ts';
import type { Finding, Reconciler } from '../outcomes/reconciler.ts';
import { PAYMENT_QUEUE } from '../payment/payment.queries.ts';
import type { Payment, PaymentRow } from '../payment/payment.ts';
import { settleUnsent, writeUnresolved } from '../settlement/settle-payment.ts';
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
  findOut: async (db, gateway, payment) => findingOf(await reconcilePayment(db, gateway, payment)),
  applyError: async (db, gateway, payment, error) => findingOf(await applyError(db, gateway, payment, error)),
  writeUnresolved,
  paymentIdOf: ({ id }) => id,
  earlyChecks: { claimProbe, claimWaiting },
};

/**
 * Reads the payment at the gateway. One that was never confirmed is confirmed now, with the key of the first try. For one without an
 * object the debt is asked for first, at other gateways too. "Not found" ends nothing, because the request may still arrive. One whose
 * invoice waits for a release is not confirmed any more, but canceled.
 * @throws GatewayError; ApiError charges_held
 */
async function reconcilePayment(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<ChargeOutcome> {
  const awaitsRelease = await selectAwaitsRelease(db, payment.companyId, payment.invoiceId);
  if (payment.gatewayPaymentId === null) {
    if (awaitsRelease) return endUnsent(db, gateway, payment);
    const created = await createAtGateway(db, gateway, payment, { debt: await readDebt(db, payment) });
    return created.kind === 'recorded' ? confirm(db, gateway, payment, created.object) : created;
  }
  const found = await findObject(gateway, payment.id, payment.gatewayPaymentId);
  const seenAtMs = performance.now();
  if (found === null) return { kind: 'unknown' };
  if (found.status === 'created' && awaitsRelease)
    return applyAnswer(db, gateway, payment, await cancelObject(gateway, payment, found.id));
  if (found.status === 'created') {
    const confirmKey = await confirmKeyOf(db, payment);
    return confirm(db, gateway, payment, { id: found.id, confirmKey, seenAtMs });
  }
  return applyAnswer(db, gateway, payment, found);
}

async function endUnsent(db: Db, gateway: ConfiguredGateway, payment: Payment): Promise<ChargeOutcome> {
  const adopted = await adoptIfCaptured(db, gateway, payment);
  return adopted ?? outcomeOf(await settleUnsent(db, payment, 'not_sent'), 'unknown');
}

async function confirm(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  object: RecordedObject,
): Promise<ChargeOutcome> {
  await assertNotHeld(db);
  return applyAnswer(db, gateway, payment, await confirmAtGateway(db, gateway, payment, object));
}

function findingOf({ kind }: ChargeOutcome): Finding {
  return kind === 'unknown' ? 'undecided' : 'decided';
}
