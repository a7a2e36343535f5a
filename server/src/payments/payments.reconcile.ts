import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/database.ts';
import { type Gateway, GatewayError, type GatewayPayment } from '../gateways/gateway.ts';
import { confirmAtGateway, createAtGateway, type PaymentDependencies } from './payments.charge.ts';
import {
  type ClaimedPayment,
  claimDuePayments,
  expediteWaiting,
  markSending,
  markUnknown,
  type Payment,
} from './payments.queries.ts';
import { applyOutcome, settleFailed, settleUnresolved } from './payments.settle.ts';

/**
 * When to look again, after each look that brought no outcome. Gateways forget idempotency keys after hours (PayPal 6,
 * Stripe 24), so most looks come early; after the last one a person has to look.
 */
const NEXT_LOOK_SECONDS = [5, 15, 60, 300, 900, 3_600, 10_800, 21_600];
const BATCH_SIZE = 10;
const IDLE_MS = 500;

export type Reconciler = { stop: () => Promise<void> };

/**
 * Finds out, in the background, what became of payments whose request died or whose answer was lost. Any number may run
 * on one database; a payment is its own job, leased to one of them at a time.
 */
export function startReconciler(dependencies: PaymentDependencies, log: FastifyBaseLogger): Reconciler {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const resolved = await reconcileDue(dependencies, log).catch((error) => {
        log.error({ err: error }, 'the reconciler could not read its payments');
        return 0;
      });
      if (resolved < BATCH_SIZE) await sleep(IDLE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Looks once at every payment that is due, up to a batch. @returns how many it looked at */
export async function reconcileDue({ db, gateway }: PaymentDependencies, log: FastifyBaseLogger): Promise<number> {
  const due = await claimDuePayments(db, BATCH_SIZE);
  await Promise.all(
    due.map(async (payment) => {
      try {
        await reconcile(db, gateway, payment);
      } catch (error) {
        log.error(
          { err: error, companyId: payment.companyId, paymentId: payment.id },
          'a payment could not be reconciled',
        );
      }
    }),
  );
  return due.length;
}

async function reconcile(db: Db, gateway: Gateway, payment: ClaimedPayment): Promise<void> {
  try {
    const found = await lookUp(db, gateway, payment);
    const decided = found !== null && (await applyOutcome(db, gateway, payment, found));
    if (payment.reconcileCount > 1) await expediteWaiting(db, gateway.name);
    if (!decided) await lookAgainLater(db, payment);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === 'rejected' && payment.gatewayPaymentId === null) {
      return settleFailed(db, payment, 'rejected', 'rejected_by_gateway');
    }
    await lookAgainLater(db, payment);
  }
}

/**
 * Reads the payment at the gateway; one that was never confirmed is confirmed now, with the key that the first try used.
 * "Not found" is believed by nobody: the request may still be on its way.
 */
async function lookUp(db: Db, gateway: Gateway, payment: Payment): Promise<GatewayPayment | null> {
  const found =
    payment.gatewayPaymentId === null
      ? await createAtGateway(gateway, payment)
      : await gateway.findPayment(payment.gatewayPaymentId);
  if (found === null || found.status !== 'created') return found;
  if (payment.gatewayPaymentId === null && !(await markSending(db, payment.companyId, payment.id, found.id)))
    return null;
  return confirmAtGateway(gateway, payment, found.id);
}

async function lookAgainLater(db: Db, payment: ClaimedPayment): Promise<void> {
  if (payment.isProbe) return;
  const nextLookSeconds = NEXT_LOOK_SECONDS[payment.reconcileCount];
  if (nextLookSeconds === undefined) await settleUnresolved(db, payment);
  else await markUnknown(db, payment.companyId, payment.id, nextLookSeconds);
}
