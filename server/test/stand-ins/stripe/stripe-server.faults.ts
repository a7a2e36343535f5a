/** The answers of Stripe, or of a server in front of it, when it fails. */
import type { FaultWords } from '../gateway-faults.ts';
import { StripeError } from './stripe-server.objects.ts';

/** They have the ids and shapes of a payment. */
export const STRIPE_FAULT_WORDS: FaultWords = {
  rateLimited: refusal(429, 'invalid_request_error', 'rate_limit'),
  unauthorized: refusal(401, 'invalid_request_error'),
  forbidden: refusal(403, 'invalid_request_error'),
  serverError: refusal(500, 'api_error'),
  unparsable: '{"id":"pi_',
  wrongShape: { id: null, object: 'payment_intent', status: 'succeeded', amount_received: '1' },
};

/** Builds an error in the form that Stripe sends. */
export function refusal(status: number, type: string, code?: string): { status: number; body: object } {
  return { status, body: new StripeError(status, { type, ...(code ? { code } : {}) }).body };
}
