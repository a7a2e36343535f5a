import type { Logger } from 'pino';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { refundEvents } from './issue/refunds.events.ts';
import { registerRefundRoutes } from './issue/refunds.routes.ts';
import { startRefundReconciler } from './reconcile/reconcile.ts';
import { readRefundQueue, releaseRefunds } from './reconcile/reconcile.worker.queries.ts';
import { registerRefundResolveRoutes } from './review/resolve.routes.ts';

/** Refunds of payments. */
export const refunds = {
  routes: (server, { db, gateways }: { db: Db; gateways: Gateways }) => {
    registerRefundRoutes(server, { db, gateways });
    registerRefundResolveRoutes(server, { db, gateways });
  },
  events: refundEvents.declarations,
  workersHeldWithCharges: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startRefundReconciler({ db, gateways }, logger),
  ],
  releaseLeases: releaseRefunds,
  workQueues: readRefundQueue,
} satisfies AnyFeature;
