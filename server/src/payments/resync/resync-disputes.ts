import { recordAudit } from '../../audit/audit.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { type Json, type JsonList, withData } from '../../platform/http/schema/json.ts';
import type { PaymentDependencies } from '../charge/charge.ts';
import type { Dispute } from '../disputes/disputes.schema.ts';
import { readDispute } from '../disputes/disputes.service.ts';
import { resyncDisputedPayments } from '../gateway-events/gateway-events.ts';
import type { ResyncDisputeBody, ResyncedDisputes } from './resync-disputes.schema.ts';

/**
 * Reads a dispute from its gateway, as a gateway event about it would cause, for when none arrived. Repeats change nothing.
 * @returns `{data}`, the dispute of each payment that it is about, as JSON text
 * @throws ApiError 400 on gateway, not_found, dispute_not_recorded, service_unavailable
 */
export async function resyncDispute(
  { db, gateways }: PaymentDependencies,
  { gateway: name, gatewayDisputeId }: ResyncDisputeBody,
  actor: Actor,
): Promise<Json<typeof ResyncedDisputes>> {
  const gateway = gateways.configured.find((one) => one.name === name);
  if (gateway?.findDispute === undefined)
    throw invalidField('gateway', 'must be the name of a gateway that is configured');
  const hint = { type: 'read again', gatewayPaymentId: null, disputeId: gatewayDisputeId };
  const { payments } = await resyncDisputedPayments(db, gateway, hint).catch(explain);
  if (payments.length === 0) throw notFound('dispute about a payment of ours at the gateway');
  const disputes: Json<typeof Dispute>[] = [];
  for (const { companyId, id: paymentId } of payments) {
    const dispute = await readDispute(db, companyId, { gateway: name, gatewayDisputeId, paymentId });
    disputes.push(dispute ?? refuseUnrecorded());
    const target = { kind: 'payment', id: paymentId, name: '' };
    await recordAudit(db, companyId, {
      audience: 'company',
      actor,
      action: 'payment.dispute_resynced',
      target,
      changes: null,
    });
  }
  return withData({}, `[${disputes.join()}]` as JsonList<typeof ResyncedDisputes>);
}

function refuseUnrecorded(): never {
  throw new ApiError(
    'dispute_not_recorded',
    'The dispute does not match its payments and was not recorded: see the alerts.',
  );
}

function explain(error: unknown): never {
  if (!(error instanceof GatewayError)) throw error;
  if (error.kind === 'rejected') throw notFound('dispute about a payment of ours at the gateway');
  const options = { retryAfterSeconds: 30, cause: error };
  throw new ApiError('service_unavailable', 'The gateway gave no answer about this dispute.', options);
}
