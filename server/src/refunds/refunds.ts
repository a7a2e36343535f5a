import type { Logger } from 'pino';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import type { Gateways } from '../gateways/gateways.ts';
import { refundEvents } from './refunds.events.ts';
import { readRefundQueue, releaseRefunds } from './refunds.reconcile.queries.ts';
import { startRefundReconciler } from './refunds.reconcile.ts';
import { registerRefundResolveRoutes } from './refunds.resolve.routes.ts';
import { registerRefundRoutes } from './refunds.routes.ts';

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
