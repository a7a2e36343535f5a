import type { AnyFeature } from '../platform/feature/feature.ts';
import { registerOperatorListRoutes } from './operator-lists.routes.ts';

/** The operator's lists of payments, refunds and credit notes of all companies. */
export const operatorLists = {
  routes: registerOperatorListRoutes,
} satisfies AnyFeature;
