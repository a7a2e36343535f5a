/** What Stripe, or something in front of it, says when it fails. */
import type { FaultWords } from '../gateway-faults.ts';
import { StripeError } from './stripe-server.objects.ts';

/** With the ids and shapes of a payment. */
export const STRIPE_FAULT_WORDS: FaultWords = {
  rateLimited: refusal(429, 'invalid_request_error', 'rate_limit'),
  unauthorized: refusal(401, 'invalid_request_error'),
  forbidden: refusal(403, 'invalid_request_error'),
  serverError: refusal(500, 'api_error'),
  unparsable: '{"id":"pi_',
  wrongShape: { id: null, object: 'payment_intent', status: 'succeeded', amount_received: '1' },
};

/** What Stripe answers in place of what was asked for. */
export function refusal(status: number, type: string, code?: string): { status: number; body: object } {
  return { status, body: new StripeError(status, { type, ...(code ? { code } : {}) }).body };
}
