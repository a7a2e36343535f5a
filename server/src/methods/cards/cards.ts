import type { Logger } from 'pino';
import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import { prepareDetaching } from '../../gateways/detach/detach.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { cardEvents } from './cards.events.ts';
import { registerCardRoutes } from './cards.routes.ts';

type RouteContext = {
  config: Config;
  db: Db;
  gateways: Gateways;
  keyring: Keyring;
  chargesHold: ChargesHold;
  logger: Logger;
};

/** Cards as payment methods. */
export const cards = {
  routes: (server, context: RouteContext) => {
    const { config, db, gateways, keyring } = context;
    const detach = prepareDetaching(context);
    registerCardRoutes(server, { db, gateway: gateways.chosen, keyring, limits: config.refusedCharges, detach });
  },
  events: cardEvents.declarations,
} satisfies AnyFeature;
