import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../database/database.ts';
import type { AnyFeature } from '../feature.ts';
import type { Keyring } from '../keys/keys.ts';
import { readWebhookQueue, releaseDeliveries, removeOldDeliveries } from './webhooks.delivery.queries.ts';
import { webhookEvents } from './webhooks.events.ts';
import { registerWebhookRoutes } from './webhooks.routes.ts';
import { createSend } from './webhooks.send.ts';
import { startWebhookWorker } from './webhooks.worker.ts';

type RouteContext = { config: Config; keyring: Keyring; eventTypes: readonly string[] };
type WorkContext = { config: Config; db: Db; keyring: Keyring; logger: Logger };

/** Endpoints that are told of events. */
export const webhooks = {
  routes: (server, { config, keyring, eventTypes }: RouteContext) =>
    registerWebhookRoutes(server, { keyring, allowedHosts: config.webhookAllowedHosts, eventTypes }),
  events: webhookEvents.declarations,
  workers: ({ config, db, keyring, logger }: WorkContext) => [
    startWebhookWorker({ db, keyring, send: createSend({ allowedHosts: config.webhookAllowedHosts }) }, logger),
  ],
  releaseLeases: releaseDeliveries,
  removeOld: [removeOldDeliveries],
  workQueues: readWebhookQueue,
} satisfies AnyFeature;
