import type { Gateways } from '../../gateways/gateways.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { DescribeCustomer, DetachDeleted, ReleaseSource } from '../saved/saved.service.ts';
import { cardEvents } from './cards.events.ts';
import { registerCardRoutes } from './cards.routes.ts';

type RouteContext = {
  config: Config;
  db: Db;
  gateways: Gateways;
  keyring: Keyring;
  detachDeleted: DetachDeleted;
  releaseSource: ReleaseSource;
  describeCustomer: DescribeCustomer;
};

/** Cards as payment methods. */
export const cards = {
  routes: (server, { config, db, gateways, keyring, ...context }: RouteContext) => {
    const { detachDeleted: detach, releaseSource: release, describeCustomer: describe } = context;
    registerCardRoutes(
      server,
      { db, gateways, keyring, limits: config.refusedCharges, detach, release, describe },
      config.rawCardNumbers,
    );
  },
  events: cardEvents.declarations,
} satisfies AnyFeature;
