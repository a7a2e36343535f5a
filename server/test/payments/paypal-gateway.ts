/** The PayPal adapter by itself, on a stand-in of its own: for tests of what it says, without the service. */
import { randomUUID } from 'node:crypto';
import { confirmationOf, paymentKeys } from '../../src/gateways/gateway/gateway.contract.ts';
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

/** @returns the order of a captured payment of so much in EUR */
export async function captureThere({ paypal, gateway }: PayPalSides, amountMinor = 500n): Promise<string> {
  const sourceToken = `vault/${addAccount(paypal.books)}`;
  const keys = paymentKeys();
  const { id } = await gateway.createPayment({ ...keys, amountMinor, currency: 'EUR', sourceToken });
  await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
  return id;
}
