import { recordAudit } from '../../audit/audit.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import { resyncRefundsOf } from '../gateway-events/gateway-events.ts';
import { readRefunds } from '../refunds/issue/refunds.service.ts';
import type { ResyncedRefunds, ResyncRefundsBody } from './resync-refunds.schema.ts';

/** By then the reconciler, which checks at once, usually knows the outcome of a refund of ours. */
const UNDECIDED_RETRY_SECONDS = 5;
const NO_ANSWER_RETRY_SECONDS = 30;

/**
 * Reads the refunds of a payment from its gateway, as a gateway event about one would cause, for when none arrived. Repeats record
 * nothing twice.
 * @returns all refunds of the payment, the newest first
 * @throws ApiError 400 on gateway, not_found, refund_not_recorded; service_unavailable, also while a refund of ours has no outcome yet
 */
export async function resyncRefunds(
  { db, gateways }: PaymentDependencies,
  { gateway: name, gatewayPaymentId }: ResyncRefundsBody,
  actor: Actor,
): Promise<ResyncedRefunds> {
  const gateway = gateways.configured.find((one) => one.name === name);
  if (gateway === undefined) throw invalidField('gateway', 'must be the name of a gateway that is configured');
  const resynced = await resyncRefundsOf(db, gateway, { type: 'read again', gatewayPaymentId }).catch(explain);
  if (resynced === null) throw notFound('payment of ours at the gateway');
  const { payment, imported } = resynced;
  if (imported === 'undecided') {
    const message =
      'Another refund of this payment has no outcome yet, and both might exceed the payment. Try again later.';
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: UNDECIDED_RETRY_SECONDS });
  }
  if (imported === 'impossible') {
    const message = 'The gateway has a refund that does not match the payment. It was not recorded: see the alerts.';
    throw new ApiError('refund_not_recorded', message);
  }
  const target = { kind: 'payment', id: payment.id, name: '' };
  await recordAudit(db, payment.companyId, {
    audience: 'company',
    actor,
    action: 'payment.refunds_resynced',
    target,
    changes: null,
  });
  return { data: await readRefunds(db, payment.companyId, payment.id) };
}

function explain(error: unknown): never {
  if (!(error instanceof GatewayError)) throw error;
  const options = { retryAfterSeconds: NO_ANSWER_RETRY_SECONDS, cause: error };
  throw new ApiError('service_unavailable', 'The gateway gave no answer about the refunds of this payment.', options);
}
