import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerOperatorKeyRoutes } from './operators.routes.ts';
import type { OperatorKeys } from './operators.service.ts';

/** The operator's keys. */
export const operators = {
  routes: (server, { operatorKeys }: { operatorKeys: OperatorKeys }) => registerOperatorKeyRoutes(server, operatorKeys),
} satisfies AnyFeature;
