import type { Logger } from 'pino';
import type { Gateways } from '../gateways/gateways.ts';
import type { Config } from '../platform/config/config.ts';
import type { Db } from '../platform/database/database.ts';
import type { AnyFeature } from '../platform/feature/feature.ts';
import { readJobQueue } from '../platform/queue/metrics.worker.queries.ts';
import { registerPaymentRoutes } from './charge/charge.routes.ts';
import { registerGatewayEventRoutes } from './gateway-events/gateway-events.routes.ts';
import { KEPT_EVENT_JOBS, removeOldGatewayEvents } from './gateway-events/gateway-events.worker.queries.ts';
import { startKeptGatewayEvents } from './gateway-events/kept-events.worker.ts';
import { outcomeJobs, readOpenQueue } from './outcomes/outcomes.worker.queries.ts';
import { startReconciler } from './outcomes/reconciler.ts';
import { PAYMENT_MARK } from './payment/journaled.ts';
import { paymentEvents } from './payment/payment.events.ts';
import { CONFIRMATION_QUEUE, DEBIT_QUEUE, PAYMENT_QUEUE } from './payment/payment.queries.ts';
import { addPaymentMetrics } from './reconcile/reconcile.metrics.ts';
import { CONFIRMATIONS } from './reconcile/reconcile-confirmations.ts';
import { DEBITS } from './reconcile/reconcile-debits.ts';
import { PAYMENTS } from './reconcile/reconcile-payments.ts';
import { PAYMENT_DECISION, REFUND_DECISION } from './restore/decisions.ts';
import { registerDisputeResyncRoutes } from './resync/resync-disputes.routes.ts';
import { registerRefundResyncRoutes } from './resync/resync-refunds.routes.ts';
import { registerPaymentResolveRoutes } from './review/resolve-payment.routes.ts';

type RouteContext = {
  config: Config;
  db: Db;
  gateways: Gateways;
  chargesHold: { isHeld: () => boolean; doubt: () => Promise<void> };
};

/** Charges of invoices, and gateway events about them. */
export const payments = {
  routes: (server, { config, db, gateways, chargesHold }: RouteContext) => {
    registerPaymentRoutes(server, { db, gateways }, config.refusedCharges);
    registerGatewayEventRoutes(server, { db, gateways, chargesHold });
    registerPaymentResolveRoutes(server, { db, gateways });
    registerDisputeResyncRoutes(server, { db, gateways });
    registerRefundResyncRoutes(server, { db, gateways });
  },
  events: paymentEvents.declarations,
  journaled: { payment: PAYMENT_MARK, payment_decision: PAYMENT_DECISION, refund_decision: REFUND_DECISION },
  workersHeldWithCharges: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startReconciler(PAYMENTS, { db, gateways }, logger),
    startReconciler(CONFIRMATIONS, { db, gateways }, logger),
    startReconciler(DEBITS, { db, gateways }, logger),
    startKeptGatewayEvents({ db, gateways }, logger),
  ],
  jobTables: [outcomeJobs(PAYMENT_QUEUE), outcomeJobs(CONFIRMATION_QUEUE), outcomeJobs(DEBIT_QUEUE), KEPT_EVENT_JOBS],
  removeOld: [removeOldGatewayEvents],
  workQueues: async (db) =>
    (
      await Promise.all([
        readOpenQueue(db, PAYMENT_QUEUE),
        readOpenQueue(db, CONFIRMATION_QUEUE),
        readOpenQueue(db, DEBIT_QUEUE),
        readJobQueue(db, [KEPT_EVENT_JOBS]),
      ])
    ).flat(),
  metrics: addPaymentMetrics,
} satisfies AnyFeature;
