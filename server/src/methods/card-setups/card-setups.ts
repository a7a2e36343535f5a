import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { DescribeCustomer } from '../saved/saved.service.ts';
import { registerCardSetupRoutes } from './card-setups.routes.ts';
import { deleteOldSetups } from './card-setups.worker.queries.ts';
import { registerSandboxFieldRoutes } from './sandbox-fields.routes.ts';

/** Cards that are saved in the fields of a gateway. */
export const cardSetups = {
  routes: (
    server,
    { db, gateways, describeCustomer: describe }: { db: Db; gateways: Gateways; describeCustomer: DescribeCustomer },
  ) => {
    registerCardSetupRoutes(server, { db, gateways, describe });
    registerSandboxFieldRoutes(server, gateways);
  },
  removeOld: [deleteOldSetups],
} satisfies AnyFeature;
