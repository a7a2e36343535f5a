/** What the tests of charges through Stripe share: a service whose cards are at the stand-in, which the tests can break or stop. */
import { createStripeGateway } from '../../src/gateways/stripe/stripe.gateway.ts';
import { freePort, keepPort } from '../harness/network/kept-port.ts';
import { startTestService, type TestServiceOptions } from '../harness/service.ts';
import { recordTransitions } from '../invariants/invariants.books.ts';
import {
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripeServer,
} from '../stand-ins/stripe/stripe-server.ts';
import type { ChargeService } from './charge.ts';

/** A card that can be attached to a customer, but is declined when it is charged. */
export const STRIPE_DECLINED_CARD = '4000000000000341';

/** Its `sandbox` controls the stand-in. */
export type StripeChargeService = Omit<ChargeService, 'stop'> & {
  stripe: () => StripeServer;
  stop: () => Promise<void>;
};

/** The environment of another process that works beside the service, on its database and with its stand-in. */
export function stripeEnvironment(service: StripeChargeService): Record<string, string> {
  return {
    DATABASE_URL: service.database.url,
    // The data directory has the keys that encrypt the cards and tokens of the service.
    DATA_DIR: service.config.dataDirectory,
    OPERATOR_KEY: service.operatorKey,
    GATEWAY: 'stripe',
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: service.stripe().url,
  };
}

/** Starts a service that saves cards at a stand-in for Stripe; by default without a reconciler in the background. */
export async function startStripeChargeService(options: TestServiceOptions = {}): Promise<StripeChargeService> {
  let stripe = await startStripeServer();
  const { port, url, books } = stripe;
  const service = await startTestService({
    ...options,
    chooseGateways: (sandbox, { gatewayTimeoutMs: timeoutMs }) => [
      createStripeGateway({
        baseUrl: url,
        secretKey: STRIPE_SECRET_KEY,
        webhookSecret: STRIPE_WEBHOOK_SECRET,
        timeoutMs,
      }),
      sandbox,
    ],
  });
  await recordTransitions(service.database.owner);
  const { gateways } = service;
  return {
    ...service,
    stripe: () => stripe,
    sandbox: {
      armFault: (fault) => stripe.control.armFault(fault),
      clearFaults: () => stripe.control.clearFaults(),
      endDelays: () => stripe.control.endDelays(),
      readFaults: () => stripe.control.readFaults(),
      readLedger: () => stripe.control.readLedger(),
      forgetIdempotencyKeys: () => stripe.control.forgetIdempotencyKeys(),
    },
    gateway: gateways.chosen,
    dependencies: { db: service.database.db, gateways, limits: service.config.refusedCharges },
    takeGatewayAway: async () => {
      await stripe.close();
      await keepPort(port);
    },
    bringGatewayBack: async () => {
      stripe = await startStripeServer({ port, books });
      freePort(port);
    },
    hideAtGateway: (id) => {
      const intent = books.intents.get(id);
      books.intents.delete(id);
      return () => {
        if (intent !== undefined) books.intents.set(id, intent);
      };
    },
    stop: async () => {
      await service.stop();
      await stripe.close();
    },
  };
}
