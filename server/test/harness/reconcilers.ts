/** Runs the reconcilers once at all gateways, which a process does in the background. */
import type { FastifyBaseLogger } from 'fastify';
import type { PaymentDependencies } from '../../src/payments/charge/charge.ts';
import type { OpenJob } from '../../src/payments/outcomes/outcomes.queries.ts';
import { selectGatewaysWithOpenJobs } from '../../src/payments/outcomes/outcomes.worker.queries.ts';
import { type Reconciler, reconcileAt } from '../../src/payments/outcomes/reconciler.ts';
import { CONFIRMATIONS } from '../../src/payments/reconcile/reconcile-confirmations.ts';
import { DEBITS } from '../../src/payments/reconcile/reconcile-debits.ts';
import { PAYMENTS } from '../../src/payments/reconcile/reconcile-payments.ts';
import type { RefundDependencies } from '../../src/payments/refunds/issue/refunds.service.ts';
import { REFUNDS } from '../../src/payments/refunds/reconcile/reconcile-refunds.ts';

/** Checks once the payments that are due, up to a batch at each gateway. @returns how many were due */
export function reconcileDue(dependencies: PaymentDependencies, log: FastifyBaseLogger): Promise<number> {
  return reconcileAll(PAYMENTS, dependencies, log);
}

/** Looks once at the payments that wait for their customer and are due, up to a batch at each gateway. @returns how many were due */
export function lookAtConfirmations(dependencies: PaymentDependencies, log: FastifyBaseLogger): Promise<number> {
  return reconcileAll(CONFIRMATIONS, dependencies, log);
}

/** Looks once at the debits that are on their way and are due, up to a batch at each gateway. @returns how many were due */
export function lookAtDebits(dependencies: PaymentDependencies, log: FastifyBaseLogger): Promise<number> {
  return reconcileAll(DEBITS, dependencies, log);
}

/** Checks once the refunds that are due, up to a batch at each gateway. @returns how many were due */
export function reconcileRefunds(dependencies: RefundDependencies, log: FastifyBaseLogger): Promise<number> {
  return reconcileAll(REFUNDS, dependencies, log);
}

async function reconcileAll<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  dependencies: PaymentDependencies,
  log: FastifyBaseLogger,
): Promise<number> {
  const gateways = await selectGatewaysWithOpenJobs(dependencies.db, reconciler.queue);
  const counts = await Promise.all(gateways.map((gateway) => reconcileAt(reconciler, dependencies, log, { gateway })));
  return counts.reduce((total, count) => total + count, 0);
}
