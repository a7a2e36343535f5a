import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import type { Gateways } from '../gateways/gateways.ts';
import { registerDisputeLookRoutes } from './payments.disputes.routes.ts';
import { removeOldGatewayEvents } from './payments.gateway-events.queries.ts';
import { registerGatewayEventRoutes } from './payments.gateway-events.routes.ts';
import { addPaymentMetrics } from './payments.metrics.ts';
import { readPaymentQueue, releasePayments } from './payments.reconcile.queries.ts';
import { startReconciler } from './payments.reconcile.ts';
import { registerRefundLookRoutes } from './payments.refunds.routes.ts';
import { registerPaymentResolveRoutes } from './payments.resolve.routes.ts';
import { registerPaymentRoutes } from './payments.routes.ts';

/** Charges of invoices, and what gateways tell of them. */
export const payments = {
  routes: (server, { config, db, gateways }: { config: Config; db: Db; gateways: Gateways }) => {
    registerPaymentRoutes(server, { db, gateways }, config.refusedCharges);
    registerGatewayEventRoutes(server, { db, gateways });
    registerPaymentResolveRoutes(server, { db, gateways });
    registerDisputeLookRoutes(server, { db, gateways });
    registerRefundLookRoutes(server, { db, gateways });
  },
  workersHeldWithCharges: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startReconciler({ db, gateways }, logger),
  ],
  releaseLeases: releasePayments,
  removeOld: [removeOldGatewayEvents],
  workQueues: readPaymentQueue,
  metrics: addPaymentMetrics,
} satisfies AnyFeature;
