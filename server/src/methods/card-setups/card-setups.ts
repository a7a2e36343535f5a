import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerCardSetupRoutes } from './card-setups.routes.ts';
import { deleteOldSetups } from './card-setups.worker.queries.ts';
import { registerSandboxFieldRoutes } from './sandbox-fields.routes.ts';

/** Cards that are saved in the fields of a gateway. */
export const cardSetups = {
  routes: (server, dependencies: { db: Db; gateways: Gateways }) => {
    registerCardSetupRoutes(server, dependencies);
    registerSandboxFieldRoutes(server, dependencies.gateways);
  },
  removeOld: [deleteOldSetups],
} satisfies AnyFeature;
