import type { FastifyBaseLogger } from 'fastify';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import { repeatRounds, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { applyFailure, applyOutcome } from '../charge/outcome.ts';
import { confirmAtGateway, confirmKeyOf, createAtGateway } from '../charge/send.ts';
import { readDebt } from '../record/debt.ts';
import { postponeLook } from '../record/payment.queries.ts';
import type { Payment } from '../record/payment.ts';
import { settleUnresolved } from '../record/settle.ts';
import {
  type ClaimedPayment,
  claimDuePayments,
  claimProbe,
  claimWaitingPayments,
  selectAwaitedGateways,
} from './reconcile.worker.queries.ts';

/**
 * When to look again, after each look that brought no outcome. Gateways forget idempotency keys after hours (PayPal 6,
 * Stripe 24), so most looks come early; after the last one a person has to look.
 */
const NEXT_LOOK_SECONDS = [5, 15, 60, 300, 900, 3_600, 10_800, 21_600];
const BATCH_SIZE = 10;
const IDLE_MS = 500;

/**
 * Finds out, in the background, what became of payments whose request died or whose answer was lost. Any number may run on
 * one database; a payment is its own job, leased to one of them at a time. Each gateway has rounds of its own: one that hangs holds up
 * its own payments and no others.
 */
export function startReconciler(dependencies: PaymentDependencies, log: FastifyBaseLogger): Worker {
  return repeatRounds({
    find: () => selectAwaitedGateways(dependencies.db),
    work: async (gateway, signal) => {
      let lookedAt: number;
      do lookedAt = await reconcileDueAt(dependencies, log, { gateway, signal });
      while (lookedAt === BATCH_SIZE && !signal.aborted);
    },
    logFailure: (error) => log.error({ err: error }, 'the reconciler could not read its payments'),
    everyMs: IDLE_MS,
  });
}

/**
 * Looks once at the payments whose turn it is at a gateway, up to a batch; when there are none, at one that waits for it, now and then.
 * As soon as the gateway answers, everything that waits for it is looked at: it may have been away.
 * @returns how many had their turn
 */
export async function reconcileDueAt(
  { db, gateways }: PaymentDependencies,
  log: FastifyBaseLogger,
  { gateway, signal }: { gateway: string; signal?: AbortSignal },
): Promise<number> {
  const batch = { gateway, limit: BATCH_SIZE };
  const lookAtAll = async (payments: ClaimedPayment[]) => {
    const looks = payments.map((payment) => reconcile(db, gateways.of(payment.gateway), payment, log));
    return (await Promise.all(looks)).includes(true);
  };
  const due = await claimDuePayments(db, batch);
  let answers = await lookAtAll(due.length > 0 ? due : await claimProbe(db, gateway));
  while (answers && !signal?.aborted) answers = await lookAtAll(await claimWaitingPayments(db, batch));
  return due.length;
}

/** One look. It never rejects. @returns whether the gateway answered */
async function reconcile(db: Db, gateway: Gateway, payment: ClaimedPayment, log: FastifyBaseLogger): Promise<boolean> {
  const { companyId, id: paymentId } = payment;
  try {
    const { answered, decided } = await look(db, gateway, payment, log);
    if (!decided) await lookAgainLater(db, payment);
    return answered;
  } catch (error) {
    log.error({ err: error, companyId, paymentId }, 'a payment could not be reconciled');
    await lookAgainLater(db, payment).catch(() => undefined);
    return false;
  }
}

async function look(
  db: Db,
  gateway: Gateway,
  payment: Payment,
  log: FastifyBaseLogger,
): Promise<{ answered: boolean; decided: boolean }> {
  try {
    return { answered: true, decided: await findOut(db, gateway, payment) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const outage = await alertOutage(db, payment, error.kind);
    if (outage !== null) log.error({ companyId: payment.companyId, paymentId: payment.id }, outage);
    const hasAnswered = error.kind === 'rejected' || error.kind === 'conflict';
    return { answered: hasAnswered, decided: await applyFailure(db, gateway, payment, error).catch(refuseOthers) };
  }
}

/**
 * Reads the payment at the gateway; one that was never confirmed is confirmed now, with the key that the first try used. Of one without an
 * object the debt is asked for first.
 * "Not found" is believed by nobody: the request may still be on its way.
 * @returns false when there is no outcome yet
 */
async function findOut(db: Db, gateway: Gateway, payment: Payment): Promise<boolean> {
  if (payment.gatewayPaymentId === null) {
    const sent = await createAtGateway(db, gateway, payment, await readDebt(db, payment));
    // Nothing to confirm: it is adopted, or the request itself, or another reconciler, is at it.
    if (sent === null) return true;
    return confirm(db, gateway, { ...payment, sequence: sent.sequence }, sent);
  }
  const found = await gateway.findPayment(payment.gatewayPaymentId);
  const seenAtMs = performance.now();
  if (found === null) return false;
  if (found.status === 'created') return confirm(db, gateway, payment, { id: found.id, seenAtMs });
  return applyOutcome(db, gateway, payment, found);
}

async function confirm(
  db: Db,
  gateway: Gateway,
  payment: Payment,
  seen: { id: string; seenAtMs: number },
): Promise<boolean> {
  const idempotencyKey = await confirmKeyOf(db, payment);
  return applyOutcome(db, gateway, payment, await confirmAtGateway(gateway, payment, { ...seen, idempotencyKey }));
}

/** The gateway gave no answer to the question that a failure leads to. */
function refuseOthers(error: unknown): boolean {
  if (error instanceof GatewayError) return false;
  throw error;
}

/** After the last look a person has to. What this process no longer holds the lease of is left alone. */
async function lookAgainLater(db: Db, payment: ClaimedPayment): Promise<void> {
  if (payment.outOfTurn) return;
  const nextLookSeconds = NEXT_LOOK_SECONDS[payment.reconcileCount];
  if (nextLookSeconds === undefined) await settleUnresolved(db, payment);
  else await postponeLook(db, payment.companyId, payment, nextLookSeconds);
}
