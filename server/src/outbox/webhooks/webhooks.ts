import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { bodyWriter } from './delivery/body.ts';
import { DELIVERY_JOBS, readWebhookQueue, removeOldDeliveries } from './delivery/delivery.worker.queries.ts';
import { startWebhookWorker } from './delivery/delivery.worker.ts';
import { webhookEvents } from './endpoints/endpoints.events.ts';
import { registerWebhookRoutes } from './endpoints/endpoints.routes.ts';
import { createSend } from './sending/send.ts';

type RouteContext = { config: Config; keyring: Keyring; eventTypes: readonly string[] };
type WorkContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  logger: Logger;
  chargesHold: { isDatabaseSuspect: () => boolean };
  externalIds: ExternalIds;
  eventData: readonly TSchema[];
};

/** The webhooks feature: endpoints, deliveries and replays. */
export const webhooks = {
  routes: (server, { config, keyring, eventTypes }: RouteContext) =>
    registerWebhookRoutes(server, { keyring, allowedHosts: config.webhookAllowedHosts, eventTypes }),
  events: webhookEvents.declarations,
  workers: ({ config, db, keyring, logger, chargesHold, externalIds, eventData }: WorkContext) => [
    startWebhookWorker(
      {
        ...{ db, keyring, send: createSend({ allowedHosts: config.webhookAllowedHosts }), chargesHold },
        writeBodies: bodyWriter(externalIds, eventData),
      },
      logger,
    ),
  ],
  jobTables: [DELIVERY_JOBS],
  removeOld: [removeOldDeliveries],
  workQueues: readWebhookQueue,
} satisfies AnyFeature;
