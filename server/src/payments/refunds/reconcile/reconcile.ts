import type { FastifyBaseLogger } from 'fastify';
import { type Gateway, GatewayError, type GatewayRefund } from '../../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../../gateways/gateways.outages.ts';
import { repeatRounds, type Worker } from '../../../platform/background/background.ts';
import type { Db } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import type { Refund } from '../issue/refund.ts';
import type { RefundDependencies } from '../issue/refunds.service.ts';
import { findMade, sendRefund } from '../issue/send.ts';
import { settleRefunded, settleRefused, settleUnresolved } from '../issue/settle.ts';
import { claimDueRefunds, postponeRefund, selectAwaitedGateways } from './reconcile.worker.queries.ts';

/**
 * When to look: first after the request itself, then again after each look that brought no outcome; after the last one a person has to
 * look. About ten hours.
 */
const NEXT_LOOK_SECONDS = [5, 15, 60, 300, 900, 1_800, ...Array<number>(9).fill(3_600)];
const BATCH_SIZE = 10;
const IDLE_MS = 1_000;

/**
 * Finds out, in the background, what became of refunds whose request died or whose answer was lost. Any number may run on one
 * database; a refund is its own job, leased to one of them at a time. Each gateway has rounds of its own: one that hangs holds up its
 * own refunds and no others.
 */
export function startRefundReconciler(dependencies: RefundDependencies, log: FastifyBaseLogger): Worker {
  return repeatRounds({
    find: () => selectAwaitedGateways(dependencies.db),
    work: async (gateway, signal) => {
      let lookedAt: number;
      do lookedAt = await reconcileRefundsAt(dependencies, log, gateway);
      while (lookedAt === BATCH_SIZE && !signal.aborted);
    },
    logFailure: (error) => log.error({ err: error }, 'the reconciler could not read its refunds'),
    everyMs: IDLE_MS,
  });
}

/** Looks once at the refunds whose turn it is at a gateway, up to a batch. @returns how many had their turn */
export async function reconcileRefundsAt(
  { db, gateways }: RefundDependencies,
  log: FastifyBaseLogger,
  gateway: string,
): Promise<number> {
  const due = await claimDueRefunds(db, { gateway, limit: BATCH_SIZE });
  await Promise.all(due.map((refund) => reconcile(db, gateways.of(refund.gateway), refund, log)));
  return due.length;
}

/** One look. It never rejects. */
async function reconcile(db: Db, gateway: Gateway, refund: Refund, log: FastifyBaseLogger): Promise<void> {
  try {
    failpoint('before_refund_look');
    const found = await findOut(db, gateway, refund);
    if (found === 'refused') await settleRefused(db, refund);
    else await settleRefunded(db, refund, found);
  } catch (error) {
    const { companyId, id: refundId } = refund;
    if (error instanceof GatewayError) await tellOutage(db, refund, error, log).catch(() => undefined);
    else log.error({ err: error, companyId, refundId }, 'a refund could not be reconciled');
    await lookAgainLater(db, refund).catch(() => undefined);
  }
}

async function tellOutage(
  db: Db,
  { companyId, id: refundId, paymentId, gateway }: Refund,
  { kind }: GatewayError,
  log: FastifyBaseLogger,
): Promise<void> {
  const outage = await alertOutage(db, { companyId, id: paymentId, gateway }, kind);
  if (outage !== null) log.error({ companyId, refundId }, outage);
}

/**
 * Looks for the refund before it is sent again, because gateways forget keys. What it does not find, it sends with the key that the
 * first try used, which covers what may still be on its way.
 * @throws GatewayError while there is no outcome
 */
async function findOut(db: Db, gateway: Gateway, refund: Refund): Promise<GatewayRefund | 'refused'> {
  const askedAtMs = performance.now();
  const find = () => findMade(gateway, refund);
  const found = await find();
  failpoint('after_refund_look');
  if (found !== null) return found;
  try {
    return await sendRefund(db, gateway, refund, askedAtMs);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'rejected') throw error;
    // An earlier request may have arrived in the meantime, and left no room for this one.
    return (await find()) ?? 'refused';
  }
}

/** After the last look a person has to. What this process no longer holds the lease of is left alone. */
async function lookAgainLater(db: Db, refund: Refund): Promise<void> {
  const nextLookSeconds = NEXT_LOOK_SECONDS[refund.reconcileCount];
  const isStillOurs = await postponeRefund(db, refund.companyId, refund, nextLookSeconds ?? 0);
  if (nextLookSeconds === undefined && isStillOurs) await settleUnresolved(db, refund);
}
