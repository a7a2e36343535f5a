import type { Gateways } from '../../gateways/gateways.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { DetachDeleted, ReleaseSource } from '../saved/saved.service.ts';
import { paypalAccountEvents } from './paypal-accounts.events.ts';
import { registerPaypalAccountRoutes } from './paypal-accounts.routes.ts';

type RouteContext = {
  config: Config;
  db: Db;
  gateways: Gateways;
  detachDeleted: DetachDeleted;
  releaseSource: ReleaseSource;
};

/** PayPal accounts as payment methods. */
export const paypalAccounts = {
  routes: (server, { config, db, gateways, detachDeleted: detach, releaseSource: release }: RouteContext) =>
    registerPaypalAccountRoutes(server, {
      db,
      gateway: gateways.accounts,
      limits: config.refusedCharges,
      detach,
      release,
    }),
  events: paypalAccountEvents.declarations,
} satisfies AnyFeature;
