import type { AnyFeature } from '../platform/feature/feature.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { registerOperatorListRoutes } from './operator-lists.routes.ts';

/** The operator's lists of payments, refunds and credit notes of all companies. */
export const operatorLists = {
  routes: (server, { externalIds }: { externalIds: ExternalIds }) => registerOperatorListRoutes(server, externalIds),
} satisfies AnyFeature;
