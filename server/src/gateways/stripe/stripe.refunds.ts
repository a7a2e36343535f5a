import type Stripe from 'stripe';
import type { GatewayPaymentRefund, GatewayRefund } from '../gateway/gateway.ts';
import * as answers from './answers/stripe.answers.ts';
import { type AskStripe, StripeRefusal } from './answers/stripe.connection.ts';
import { refuseOtherIds } from './answers/stripe.ids.ts';

const pageSize = 100;

/** Implements `Gateway.findRefund`. */
export async function findRefund(
  ask: AskStripe,
  gatewayPaymentId: string,
  reference: string,
): Promise<GatewayRefund | null> {
  for await (const refund of refundsOf(ask, gatewayPaymentId)) {
    if (refund.metadata?.paydesk_refund === reference) return answers.readRefund(refund);
  }
  return null;
}

/** Implements `Gateway.listRefundsOf`. */
export async function listRefundsOf(ask: AskStripe, gatewayPaymentId: string): Promise<GatewayPaymentRefund[]> {
  const found: GatewayPaymentRefund[] = [];
  try {
    for await (const refund of refundsOf(ask, gatewayPaymentId)) {
      const entry = answers.readRefundObject(refund);
      if (entry?.status === 'succeeded') found.unshift(entry);
    }
  } catch (error) {
    if (!(error instanceof StripeRefusal) || error.code !== 'resource_missing') throw error;
  }
  return found;
}

/** Returns how much of a payment is refunded or being refunded. @throws GatewayError */
export async function sumRefundsOf(ask: AskStripe, gatewayPaymentId: string): Promise<bigint> {
  const refunds = await listRefundsOf(ask, gatewayPaymentId);
  return refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** Yields the newest first. */
async function* refundsOf(ask: AskStripe, gatewayPaymentId: string): AsyncGenerator<Stripe.Refund> {
  refuseOtherIds(gatewayPaymentId);
  let after: string | undefined;
  do {
    const query = { payment_intent: gatewayPaymentId, limit: pageSize, ...(after ? { starting_after: after } : {}) };
    const page = await ask((stripe, options) => stripe.refunds.list(query, options));
    if (!Array.isArray(page.data)) throw answers.unreadable();
    yield* page.data;
    after = answers.readLastId(page);
  } while (after !== undefined);
}
