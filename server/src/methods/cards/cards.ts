import type { Gateways } from '../../gateways/gateways.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import type { DetachDeleted, ReleaseSource } from '../saved/saved.service.ts';
import { cardEvents } from './cards.events.ts';
import { registerCardRoutes } from './cards.routes.ts';

type RouteContext = {
  config: Config;
  db: Db;
  gateways: Gateways;
  keyring: Keyring;
  detachDeleted: DetachDeleted;
  releaseSource: ReleaseSource;
};

/** Cards as payment methods. */
export const cards = {
  routes: (server, { config, db, gateways, keyring, detachDeleted: detach, releaseSource: release }: RouteContext) =>
    registerCardRoutes(
      server,
      { db, gateways, keyring, limits: config.refusedCharges, detach, release },
      config.rawCardNumbers,
    ),
  events: cardEvents.declarations,
} satisfies AnyFeature;
