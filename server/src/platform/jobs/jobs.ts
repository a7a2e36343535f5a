import type { AnyFeature } from '../feature/feature.ts';
import { readJobQueues } from './jobs.operator.queries.ts';
import { registerJobRoutes } from './jobs.routes.ts';

/** What is done at fixed times. */
export const jobs = {
  routes: registerJobRoutes,
  workQueues: readJobQueues,
} satisfies AnyFeature;
