import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature/feature.ts';
import type { JobTable } from '../queue/job-table.ts';
import { SCHEDULE_JOBS } from '../queue/schedules/schedules.worker.queries.ts';
import { registerJobRoutes } from './jobs.routes.ts';

/** What is to be done in the background, of all features, and what begins by the clock. */
export const jobs = {
  routes: (server, context: { db: Db; jobTables: readonly JobTable[] }) => registerJobRoutes(server, context),
  jobTables: [SCHEDULE_JOBS],
} satisfies AnyFeature;
