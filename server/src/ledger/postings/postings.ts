import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerPostingsRoutes } from './postings.routes.ts';

/** What a void, a credit note or a refund would post, before somebody does it. */
export const postingsOfActions = {
  routes: (server, { db }: { db: Db }) => registerPostingsRoutes(server, db),
} satisfies AnyFeature;
