import type { AnyFeature } from '../../platform/feature/feature.ts';
import { removeOldAskedCharges } from './card-testing.worker.queries.ts';

/** The bounds on card numbers that are tried out here. */
export const cardTesting = { removeOld: [removeOldAskedCharges] } satisfies AnyFeature;
