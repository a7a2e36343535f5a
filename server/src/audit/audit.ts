import type { Logger } from 'pino';
import type { Db } from '../platform/database/database.ts';
import type { AnyFeature } from '../platform/feature/feature.ts';
import { startChaining } from './audit.chain.ts';
import { registerAuditRoutes } from './audit.routes.ts';

/** The audit log feature. */
export const audit = {
  routes: registerAuditRoutes,
  workers: ({ db, logger }: { db: Db; logger: Logger }) => [startChaining(db, logger)],
} satisfies AnyFeature;
