/** Reads the gateway events that PayPal sends to its webhook (https://developer.paypal.com/api/rest/webhooks/). */

import { parseJson } from '../gateway/gateway.connection.ts';
import { matches } from '../gateway/gateway.shapes.ts';
import { GatewayError } from '../gateway/gateway.ts';
import type { GatewayEvent, SignedGatewayEvent } from '../gateway/gateway.webhooks.ts';
import * as answers from './answers/answers.ts';
import type { AskPayPal } from './answers/connection.ts';
import { readRefundCustomId } from './answers/names.ts';
import { findOrderOfCapture, orderOfCapture } from './paypal.books.ts';

/**
 * PayPal sends an event up to 25 times in three days until it is accepted, and a repeat keeps the time of the first attempt. The event's
 * id is stored for longer than that, so each event takes effect once.
 */
const MAX_AGE_MS = 73 * 3_600_000;
const MAX_CLOCK_SKEW_MS = 300_000;

/** The headers of a transmission, with their form. */
const HEADERS = {
  auth_algo: ['paypal-auth-algo', /^[a-zA-Z0-9]{1,100}$/],
  cert_url: ['paypal-cert-url', /^https:\/\/[a-z0-9.-]{1,100}\.paypal\.com\/[\w./-]{1,300}$/],
  transmission_id: ['paypal-transmission-id', /^[\w-]{1,50}$/],
  transmission_sig: ['paypal-transmission-sig', /^[\w+/=-]{1,500}$/],
  transmission_time: ['paypal-transmission-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/],
} as const;

const KINDS: Readonly<Record<string, GatewayEvent['kind']>> = {
  'PAYMENT.CAPTURE.COMPLETED': 'payment',
  'PAYMENT.CAPTURE.DECLINED': 'payment',
  'PAYMENT.CAPTURE.DENIED': 'payment',
  'PAYMENT.CAPTURE.PENDING': 'payment',
  'PAYMENT.CAPTURE.REFUNDED': 'refund',
  'PAYMENT.CAPTURE.REVERSED': 'refund',
  'PAYMENT.REFUND.FAILED': 'refund_failed',
};

/**
 * Creates a reader that asks PayPal to verify each gateway event, after all checks that do not need PayPal. The reader rejects with a
 * `GatewayError` if PayPal can't be asked.
 */
export function createGatewayEventReader(
  begin: () => AskPayPal,
  webhookId: string,
): (gatewayEvent: SignedGatewayEvent) => Promise<GatewayEvent | null> {
  return async ({ body, headers }) => {
    const transmission = readTransmission(headers);
    if (transmission === null) return null;
    const event = parseJson(body);
    if (!matches(answers.Event, event)) return null;
    const ask = begin();
    if (!(await isVerified(ask, { ...transmission, webhook_id: webhookId }, body))) return null;

    const { id, event_type: type } = event;
    const resource = matches(answers.Related, event.resource) ? event.resource : {};
    const kind = KINDS[type] ?? (type.startsWith('CUSTOMER.DISPUTE.') ? 'dispute' : 'other');
    const isAboutRefund = kind === 'refund' || kind === 'refund_failed';
    return {
      id,
      type,
      kind,
      gatewayPaymentId: kind === 'other' ? null : await findOrder(ask, kind, resource),
      refundReference: isAboutRefund ? readRefundCustomId(resource.custom_id ?? '').reference : null,
      disputeId: kind === 'dispute' ? (resource.dispute_id ?? null) : null,
    };
  };
}

/** Reads the headers; null if one is missing or invalid, or if the time is too far from now. */
function readTransmission(headers: SignedGatewayEvent['headers']): Record<string, string> | null {
  const transmission: Record<string, string> = {};
  for (const [field, [header, pattern]] of Object.entries(HEADERS)) {
    const value = headers[header];
    if (typeof value !== 'string' || !pattern.test(value)) return null;
    transmission[field] = value;
  }
  const ageMs = Date.now() - Date.parse(transmission.transmission_time ?? '');
  return ageMs <= MAX_AGE_MS && ageMs >= -MAX_CLOCK_SKEW_MS ? transmission : null;
}

/** The signature covers the exact bytes, so the request contains the body unchanged. */
async function isVerified(ask: AskPayPal, transmission: Record<string, string>, body: Buffer): Promise<boolean> {
  const request = `${JSON.stringify(transmission).slice(0, -1)},"webhook_event":${body.toString()}}`;
  try {
    const verdict = await ask(({ post }) => post('/v1/notifications/verify-webhook-signature', request));
    return answers.read(answers.Verdict, verdict).verification_status === 'SUCCESS';
  } catch (error) {
    // The event is invalid in a way that PayPal finds before it checks the signature.
    if (error instanceof GatewayError && error.kind === 'rejected') return false;
    throw error;
  }
}

/** Finds the order: a capture names its order, but a refund and a dispute name only the capture. */
async function findOrder(
  ask: AskPayPal,
  kind: GatewayEvent['kind'],
  resource: answers.Related,
): Promise<string | null> {
  if (kind === 'payment') return orderOfCapture(resource);
  const disputed = resource.disputed_transactions?.[0]?.seller_transaction_id ?? null;
  const captureId = kind === 'dispute' ? disputed : answers.idOfLink(resource, 'captures');
  return captureId === null ? orderOfCapture(resource) : findOrderOfCapture(ask, captureId);
}
