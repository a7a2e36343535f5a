/** Reads the gateway events that Stripe sends to its webhook (https://docs.stripe.com/webhooks). */

import Stripe from 'stripe';
import { matches } from '../gateway/gateway.shapes.ts';
import type { GatewayEvent, SignedGatewayEvent } from '../gateway/gateway.webhooks.ts';
import { Event } from './answers/stripe.answers.ts';

/** The greatest age of a signature. */
const TOLERANCE_SECONDS = 300;

const KINDS: Readonly<Record<string, GatewayEvent['kind']>> = {
  'payment_intent.succeeded': 'payment',
  'payment_intent.payment_failed': 'payment',
  'payment_intent.canceled': 'payment',
  'payment_intent.requires_action': 'payment',
  'payment_intent.processing': 'payment',
  'charge.refunded': 'refund',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund_failed',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
  'charge.dispute.closed': 'dispute',
};

/** The state of a payout is read from Stripe, so its events are all alike. */
function kindOf(type: string): GatewayEvent['kind'] {
  return type.startsWith('payout.') ? 'payout' : (KINDS[type] ?? 'other');
}

/** Creates a reader that verifies the signature of each gateway event with the endpoint's secret, `whsec_…`. */
export function createGatewayEventReader(
  webhookSecret: string,
): (gatewayEvent: SignedGatewayEvent) => Promise<GatewayEvent | null> {
  return async ({ body, headers }) => {
    const signature = headers['stripe-signature'];
    if (typeof signature !== 'string') return null;
    let event: unknown;
    try {
      event = Stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS);
    } catch {
      return null;
    }
    if (!matches(Event, event)) return null;
    const { object } = event.data;
    const gatewayPaymentId = object.object === 'payment_intent' ? object.id : object.payment_intent;
    return {
      id: event.id,
      type: event.type,
      kind: kindOf(event.type),
      gatewayPaymentId: gatewayPaymentId ?? null,
      refundReference: object.metadata?.paydesk_refund ?? null,
      disputeId: object.object === 'dispute' ? (object.id ?? null) : null,
    };
  };
}
