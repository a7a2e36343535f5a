import { randomUUID } from 'node:crypto';
import { addAccount, approveSetup } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import {
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
  startPayPalServer,
} from '../../../test/stand-ins/paypal/paypal-server.ts';
import type { ContractSubject } from '../gateway/gateway.testing.ts';
import { createPayPalGateway } from './paypal.gateway.ts';

/** Makes PayPal's adapter, with its stand-in, for the contract test. */
export async function makeSubject(): Promise<ContractSubject> {
  const paypal = await startPayPalServer();
  const { books } = paypal;
  const email = 'ada@example.com';
  return {
    gateway: createPayPalGateway({
      baseUrl: paypal.url,
      clientId: PAYPAL_CLIENT_ID,
      clientSecret: PAYPAL_CLIENT_SECRET,
    }),
    succeedingSource: async () => `vault/${addAccount(books)}`,
    decliningSource: async () => `vault/${addAccount(books, 'INSTRUMENT_DECLINED')}`,
    declineCode: 'generic_decline',
    remembersDeclines: false,
    accounts: {
      email: /^ada@example\.com$/,
      approve: async () => ({
        setupToken: approveSetup(books, 'pays', email),
        holder: { companyId: randomUUID(), customer: null },
      }),
    },
    async countCaptures(gatewayPaymentId) {
      return books.captures.filter(({ orderId }) => orderId === gatewayPaymentId).length;
    },
    close: paypal.close,
  };
}
