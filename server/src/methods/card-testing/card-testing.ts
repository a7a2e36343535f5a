import type { AnyFeature } from '../../platform/feature/feature.ts';
import { removeOldCountedRequests } from './card-testing.worker.queries.ts';

/** Limits on how many card numbers can be tested here. */
export const cardTesting = { removeOld: [removeOldCountedRequests] } satisfies AnyFeature;
