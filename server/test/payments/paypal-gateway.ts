/** The PayPal adapter on its own stand-in, for tests of the adapter without the service. */
import { randomUUID } from 'node:crypto';
import { confirmationOf, paymentKeys } from '../../src/gateways/gateway/gateway.testing.ts';
import type { Gateway } from '../../src/gateways/gateway/gateway.ts';
import { createPayPalGateway } from '../../src/gateways/paypal/paypal.gateway.ts';
import { addAccount } from '../stand-ins/paypal/paypal-server.books.ts';
import {
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
  type PayPalServer,
  startPayPalServer,
} from '../stand-ins/paypal/paypal-server.ts';

export const PAYPAL_CREDENTIALS = { clientId: PAYPAL_CLIENT_ID, clientSecret: PAYPAL_CLIENT_SECRET };

export type PayPalSides = { paypal: PayPalServer; gateway: Gateway };

export async function startPayPalSides(options: { webhookId?: string } = {}): Promise<PayPalSides> {
  const paypal = await startPayPalServer();
  return { paypal, gateway: createPayPalGateway({ ...PAYPAL_CREDENTIALS, ...options, baseUrl: paypal.url }) };
}

/** Captures a payment of this amount in EUR at the stand-in. @returns its order */
export async function captureThere({ paypal, gateway }: PayPalSides, amountMinor = 500n): Promise<string> {
  const sourceToken = `vault/${addAccount(paypal.books)}`;
  const keys = paymentKeys();
  const { id } = await gateway.createPayment({ ...keys, amountMinor, currency: 'EUR', sourceToken });
  await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
  return id;
}
