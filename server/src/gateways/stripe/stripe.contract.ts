import { randomUUID } from 'node:crypto';
import { answerInBrowser } from '../../../test/stand-ins/stripe/stripe-server.setups.ts';
import {
  STRIPE_SECRET_KEY,
  type StripeServer,
  startStripeServer,
} from '../../../test/stand-ins/stripe/stripe-server.ts';
import { sourcesOfCards } from '../gateway/gateway.contract.ts';
import type { ContractSubject } from '../gateway/gateway.testing.ts';
import type { CardDetails } from '../gateway/gateway.ts';
import { createStripeGateway } from './stripe.gateway.ts';

const connect = (stripe: StripeServer) => createStripeGateway({ baseUrl: stripe.url, secretKey: STRIPE_SECRET_KEY });

function card(number: string): CardDetails {
  const holder = { companyId: randomUUID(), customer: null };
  return { number, securityCode: '737', expMonth: 12, expYear: 2035, name: 'Ada Lovelace', country: 'GB', holder };
}

/** Makes Stripe's adapter, with its stand-in, for the contract test. */
export async function makeSubject(): Promise<ContractSubject> {
  const stripe = await startStripeServer();
  const gateway = connect(stripe);
  return {
    gateway,
    ...sourcesOfCards(gateway, { succeeding: card('4242424242424242'), declining: card('4000000000000341') }),
    declineCode: 'generic_decline',
    remembersDeclines: true,
    asking: {
      source: async () => (await gateway.tokenizeCard(card('4000002760003184'))).token,
      answer: async ({ action }, outcome) => void answerInBrowser(stripe.books, action?.clientSecret ?? '', outcome),
    },
    async countCaptures(gatewayPaymentId) {
      return stripe.books.captures.filter(({ paymentId }) => paymentId === gatewayPaymentId).length;
    },
    close: stripe.close,
  };
}
