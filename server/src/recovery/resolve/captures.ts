import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { lockCases } from '../unallocated/unallocated.operator.queries.ts';
import { selectNewestCase, selectPaymentState } from './resolve.operator.queries.ts';

/** The capture that a person decides about, and who that is. */
export type Asked = { gateway: string; gatewayPaymentId: string; actor: Actor };

/**
 * Waits for others who decide about the capture, and reads what it has become.
 * @param become - reads it; null while nothing was decided
 * @returns that, or else the case that waits for a person
 * @throws ApiError not_found; not_under_review: what the books have is refunded or resolved as every payment is
 */
export async function lockCapture<T>(
  tx: Tx,
  { gateway, gatewayPaymentId }: Asked,
  become: (db: Tx, gateway: string, gatewayPaymentId: string) => Promise<T | null>,
): Promise<{ became: T; waiting: null } | { became: null; waiting: RecoveryCase }> {
  await lockCases(tx, gateway, gatewayPaymentId);
  const became = await become(tx, gateway, gatewayPaymentId);
  if (became !== null) return { became, waiting: null };
  const waiting = await selectNewestCase(tx, gateway, gatewayPaymentId);
  if (waiting === null) throw notFound('payment');
  const inBooks = await selectPaymentState(tx, gateway, gatewayPaymentId);
  if (inBooks !== null && inBooks !== 'failed')
    throw new ApiError('not_under_review', 'This payment is in the books: resolve or refund it by its id.');
  if (waiting.state !== 'person') throw new ApiError('not_under_review', 'No decision about this payment is needed.');
  return { became: null, waiting };
}

/** The error of a payment that the gateway has not captured. */
export function notCaptured(): ApiError {
  return new ApiError('payment_not_captured', 'The gateway has not captured this payment.');
}

/** Runs what asks a gateway. @throws ApiError refund_refused, service_unavailable in place of a GatewayError */
export async function withGatewayAnswers<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === 'rejected')
      throw new ApiError('refund_refused', 'The gateway refused the request.', { cause: error });
    const message = 'The gateway gave no answer. Send the request again: the decision is carried out only once.';
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: error });
  });
}
