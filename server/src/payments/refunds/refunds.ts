import type { Logger } from 'pino';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { outcomeJobs, readOpenQueue } from '../outcomes/outcomes.worker.queries.ts';
import { startReconciler } from '../outcomes/reconciler.ts';
import { refundEvents } from './issue/refunds.events.ts';
import { REFUND_QUEUE } from './issue/refunds.queries.ts';
import { registerRefundRoutes } from './issue/refunds.routes.ts';
import { REFUNDS } from './reconcile/reconcile-refunds.ts';
import { registerRefundResolveRoutes } from './review/resolve-refund.routes.ts';

/** Refunds of payments. */
export const refunds = {
  routes: (server, { db, gateways }: { db: Db; gateways: Gateways }) => {
    registerRefundRoutes(server, { db, gateways });
    registerRefundResolveRoutes(server, { db, gateways });
  },
  events: refundEvents.declarations,
  journaled: { refund: { table: 'refunds', document: 'row_to_json(refunds)' } },
  workersHeldWithCharges: ({ db, gateways, logger }: { db: Db; gateways: Gateways; logger: Logger }) => [
    startReconciler(REFUNDS, { db, gateways }, logger),
  ],
  jobTables: [outcomeJobs(REFUND_QUEUE)],
  workQueues: (db) => readOpenQueue(db, REFUND_QUEUE),
} satisfies AnyFeature;
