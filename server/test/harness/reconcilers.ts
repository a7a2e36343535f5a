/** Drives the reconcilers by hand: what a process does by itself in the background, once, at all gateways. */
import type { FastifyBaseLogger } from 'fastify';
import type { PaymentDependencies } from '../../src/payments/charge/charge.ts';
import { reconcileDueAt } from '../../src/payments/reconcile/reconcile.ts';
import { selectAwaitedGateways } from '../../src/payments/reconcile/reconcile.worker.queries.ts';
import type { RefundDependencies } from '../../src/payments/refunds/issue/refunds.service.ts';
import { reconcileRefundsAt } from '../../src/payments/refunds/reconcile/reconcile.ts';
import { selectAwaitedGateways as selectRefundGateways } from '../../src/payments/refunds/reconcile/reconcile.worker.queries.ts';

/** Looks once at the payments whose turn it is, up to a batch at each gateway. @returns how many had their turn */
export async function reconcileDue(dependencies: PaymentDependencies, log: FastifyBaseLogger): Promise<number> {
  const gateways = await selectAwaitedGateways(dependencies.db);
  return sum(await Promise.all(gateways.map((gateway) => reconcileDueAt(dependencies, log, { gateway }))));
}

/** Looks once at the refunds whose turn it is, up to a batch at each gateway. @returns how many had their turn */
export async function reconcileRefunds(dependencies: RefundDependencies, log: FastifyBaseLogger): Promise<number> {
  const gateways = await selectRefundGateways(dependencies.db);
  return sum(await Promise.all(gateways.map((gateway) => reconcileRefundsAt(dependencies, log, gateway))));
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
