/** What the tests of charges through PayPal share: a service whose accounts are at the stand-in, which the tests can break or stop. */
import { createPayPalGateway } from '../../src/gateways/paypal/paypal.gateway.ts';
import { freePort, keepPort } from '../harness/network/kept-port.ts';
import { startTestService, type TestServiceOptions } from '../harness/service.ts';
import { recordTransitions } from '../invariants/invariants.books.ts';
import { approveSetup } from '../stand-ins/paypal/paypal-server.books.ts';
import type { AccountBehaviour } from '../stand-ins/paypal/paypal-server.state.ts';
import {
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
  type PayPalServer,
  startPayPalServer,
} from '../stand-ins/paypal/paypal-server.ts';
import { PAYPAL_WEBHOOK_ID } from '../stand-ins/paypal/paypal-server.webhooks.ts';
import type { ChargeService, Payable } from './charge.ts';
import { prepareAccountPayable } from './paypal-accounts.ts';

/** Its `sandbox` controls the stand-in. */
export type PayPalChargeService = Omit<ChargeService, 'stop'> & {
  paypal: () => PayPalServer;
  stop: () => Promise<void>;
};

/** Starts a service that has PayPal beside the sandbox; by default without a reconciler in the background. */
export async function startPayPalChargeService(options: TestServiceOptions = {}): Promise<PayPalChargeService> {
  let paypal = await startPayPalServer();
  const { port, url: baseUrl, books } = paypal;
  const access = { clientId: PAYPAL_CLIENT_ID, clientSecret: PAYPAL_CLIENT_SECRET, webhookId: PAYPAL_WEBHOOK_ID };
  const service = await startTestService({
    ...options,
    chooseGateways: (sandbox, { gatewayTimeoutMs: timeoutMs }) => [
      sandbox,
      createPayPalGateway({ ...access, baseUrl, timeoutMs }),
    ],
  });
  await recordTransitions(service.database.owner);
  const { gateways } = service;
  return {
    ...service,
    paypal: () => paypal,
    sandbox: {
      armFault: (fault) => paypal.control.armFault(fault),
      clearFaults: () => paypal.control.clearFaults(),
      endDelays: () => paypal.control.endDelays(),
      readFaults: () => paypal.control.readFaults(),
      readLedger: () => paypal.control.readLedger(),
      forgetIdempotencyKeys: () => paypal.control.forgetIdempotencyKeys(),
    },
    gateway: gateways.of('paypal'),
    dependencies: { db: service.database.db, gateways, limits: service.config.refusedCharges },
    takeGatewayAway: async () => {
      await paypal.close();
      await keepPort(port);
    },
    bringGatewayBack: async () => {
      paypal = await startPayPalServer({ port, books });
      freePort(port);
    },
    hideAtGateway: (id) => {
      const order = books.orders.get(id);
      books.orders.delete(id);
      return () => {
        if (order !== undefined) books.orders.set(id, order);
      };
    },
    stop: async () => {
      await service.stop();
      await paypal.close();
    },
  };
}

/** Creates a company with a saved PayPal account, and an invoice of 48.00 USD to pay with it. */
export async function preparePayPalPayable(
  service: PayPalChargeService,
  { behaviour = 'pays' }: { behaviour?: AccountBehaviour } = {},
): Promise<Payable & { accountId: string }> {
  return prepareAccountPayable(service, { setupToken: approveSetup(service.paypal().books, behaviour) });
}
