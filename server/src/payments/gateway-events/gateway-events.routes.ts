import type { FastifyInstance } from 'fastify';
import type { GatewayWebhook } from '../../gateways/gateway/gateway.entry.ts';
import { GATEWAYS } from '../../gateways/gateways.ts';
import { route } from '../../platform/http/route/route.ts';
import type { PaymentDependencies } from '../charge/charge.ts';

import { GatewayEventAnswer, GatewayEventBody } from './gateway-events.schema.ts';
import { receiveGatewayEvent } from './gateway-events.ts';

/** The largest gateway events have a few kilobytes. */
const BODY_LIMIT_BYTES = 256 * 1024;
/** Enough for several gateway events for each of two thousand payments a minute, from one address. */
const REQUESTS_PER_MINUTE = 12_000;

type Dependencies = PaymentDependencies & { chargesHold: { isHeld: () => boolean; doubt: () => Promise<void> } };

/** Registers a path for the gateway events of each gateway that has a webhook. */
export function registerGatewayEventRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  for (const { name, webhook } of GATEWAYS) {
    if (webhook !== undefined) registerGatewayEventRoute(app, dependencies, name, webhook);
  }
}

function registerGatewayEventRoute(
  app: FastifyInstance,
  dependencies: Dependencies,
  gateway: string,
  { operationId, summary, description }: GatewayWebhook,
): void {
  route(app, {
    method: 'POST',
    url: `/gateways/${gateway}/webhooks`,
    operationId,
    tag: 'Gateways',
    summary,
    description,
    access: 'public',
    body: GatewayEventBody,
    keepsBodyBytes: true,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    response: { 200: GatewayEventAnswer },
    errors: ['not_found'],
    audit: { unrecorded: 'A gateway reports its own actions, which are recorded in payments, refunds and disputes.' },
    handler: async ({ request: { bodyBytes, headers, log } }) => {
      await receiveGatewayEvent(dependencies, gateway, { body: bodyBytes ?? Buffer.alloc(0), headers }, log);
      return { received: true };
    },
  });
}
