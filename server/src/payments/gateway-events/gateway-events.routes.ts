import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { GatewayEventAnswer, GatewayEventBody } from './gateway-events.schema.ts';
import { receiveGatewayEvent } from './gateway-events.ts';

/** The largest are a few kilobytes. */
const BODY_LIMIT_BYTES = 256 * 1024;
/** Several for each of two thousand payments a minute, from one address. */
const REQUESTS_PER_MINUTE = 12_000;

/** What gateways tell by themselves. Each gateway that has a webhook has its own path. */
export function registerGatewayEventRoutes(app: FastifyInstance, dependencies: PaymentDependencies): void {
  registerGatewayEventRoute(app, dependencies, {
    gateway: 'stripe',
    operationId: 'receiveStripeEvent',
    summary: 'Receive an event of Stripe',
    description:
      'For Stripe alone: the address of its webhook endpoint. An event without a right `Stripe-Signature` of the last five minutes is ' +
      'refused, and one that came before has no second effect. 404 where no webhook of Stripe is configured.',
  });
  registerGatewayEventRoute(app, dependencies, {
    gateway: 'paypal',
    operationId: 'receivePaypalEvent',
    summary: 'Receive an event of PayPal',
    description:
      'For PayPal alone: the address of its webhook. PayPal is asked whether it signed the event; one that it did not sign, or that ' +
      'was first sent more than 73 hours ago, is refused, and one that came before has no second effect. 404 where no webhook of PayPal ' +
      'is configured.',
  });
}

function registerGatewayEventRoute(
  app: FastifyInstance,
  dependencies: PaymentDependencies,
  { gateway, operationId, summary, description }: Record<'gateway' | 'operationId' | 'summary' | 'description', string>,
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
    handler: async ({ request: { bodyBytes, headers, log } }) => {
      await receiveGatewayEvent(dependencies, gateway, { body: bodyBytes ?? Buffer.alloc(0), headers }, log);
      return { received: true };
    },
  });
}
