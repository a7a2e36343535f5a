import type { Logger } from 'pino';
import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import { prepareDetaching } from '../../gateways/detach/detach.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { paypalAccountEvents } from './paypal-accounts.events.ts';
import { registerPaypalAccountRoutes } from './paypal-accounts.routes.ts';

type RouteContext = { config: Config; db: Db; gateways: Gateways; chargesHold: ChargesHold; logger: Logger };

/** PayPal accounts as payment methods. */
export const paypalAccounts = {
  routes: (server, context: RouteContext) => {
    const { config, db, gateways } = context;
    const detach = prepareDetaching(context);
    registerPaypalAccountRoutes(server, { db, gateway: gateways.accounts, limits: config.refusedCharges, detach });
  },
  events: paypalAccountEvents.declarations,
} satisfies AnyFeature;
