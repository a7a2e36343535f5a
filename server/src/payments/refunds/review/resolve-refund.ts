import { recordAudit } from '../../../audit/audit.service.ts';
import { recordMark } from '../../../continuity/journal/journal.service.ts';
import type { Gateway, GatewayBookPage, GatewayRefundObject } from '../../../gateways/gateway/gateway.ts';
import { type Db, violatedConstraint } from '../../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/http/route/actor.ts';
import { askGatewayOrOperator, contradicted, endReview, refuseOtherOutcome } from '../../outcomes/review.ts';
import { describeRefund, type Refund } from '../issue/refund.ts';
import { endRefund, REFUND_QUEUE, selectRefund } from '../issue/refunds.queries.ts';
import type { RefundAnswer } from '../issue/refunds.schema.ts';
import type { RefundDependencies } from '../issue/refunds.service.ts';
import { recordRefund, succeedRefund } from '../issue/settle-refund.ts';
import { type DatedRefund, selectRefundToResolve } from './resolve-refund.operator.queries.ts';
import type { ResolveRefundBody } from './resolve-refund.schema.ts';

/** The difference allowed between the gateway's clock and the database's. */
const CLOCK_TOLERANCE_MS = 3_600_000;
/** The most pages of the gateway's refunds that are read. */
const MAX_PAGES = 100;

/**
 * Ends a refund under review with the outcome that the operator states, unless the gateway contradicts it.
 * @throws ApiError 400; not_found, not_under_review, outcome_contradicted, refund_under_review where another amount was refunded,
 * service_unavailable
 */
export async function resolveRefund(
  { db, gateways }: RefundDependencies,
  refundId: string,
  body: ResolveRefundBody,
  actor: Actor,
): Promise<RefundAnswer> {
  const refund = await selectRefundToResolve(db, refundId);
  if (refund === null) throw notFound('refund');
  if (refund.state === 'needs_review') {
    const gatewayRefundId = await askGatewayOrOperator(
      db,
      { ...refund, name: 'refund' },
      () => ask(gateways.of(refund.gateway), refund, body),
      () => (body.outcome === 'failed' ? null : requireId(body.gatewayRefundId)),
    );
    await settle(db, refund, gatewayRefundId, actor);
  }
  const ended = await selectRefund(db, refund.companyId, refundId);
  refuseOtherOutcome('refund', ended.state, body.outcome);
  return describeRefund(ended);
}

/** @param gatewayRefundId - null: it has failed */
async function settle(db: Db, refund: Refund, gatewayRefundId: string | null, actor: Actor): Promise<void> {
  const { companyId, id } = refund;
  try {
    await endReview(db, REFUND_QUEUE, refund, async (tx) => {
      const after = { status: gatewayRefundId === null ? 'Failed' : 'Succeeded', gatewayRefundId };
      const changes = { before: { status: 'NeedsReview' }, after };
      const target = { kind: 'refund', id, name: '' };
      await recordAudit(tx, companyId, { audience: 'company', actor, action: 'refund.resolved', target, changes });
      await recordMark(tx, companyId, { kind: 'refund_decision', subject: id });
      if (gatewayRefundId !== null) {
        await succeedRefund(tx, refund, gatewayRefundId);
        return;
      }
      await endRefund(tx, companyId, id, { state: 'failed', gatewayRefundId: null });
      await recordRefund(tx, refund, 'refund.failed');
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'refunds_gateway_object_taken') throw error;
    throw contradicted('This refund of the gateway is another one of ours.');
  }
}

/** @returns the gateway's id of the refund; null when there is none, as the operator states @throws GatewayError */
async function ask(
  gateway: Gateway,
  refund: DatedRefund,
  { outcome, gatewayRefundId }: ResolveRefundBody,
): Promise<string | null> {
  const found = await gateway.findRefund(refund.gatewayPaymentId ?? '', refund.id);
  if (outcome === 'failed') {
    if (found !== null) throw contradicted('The gateway has refunded money.');
    return null;
  }
  if (found === null) return findByHand(gateway, refund, gatewayRefundId);
  if (gatewayRefundId !== undefined && gatewayRefundId !== found.id) {
    throw contradicted('The gateway has this refund under another id.');
  }
  const isExact = found.amountMinor === refund.amountMinor && found.currency === refund.currency;
  if (isExact || gatewayRefundId === found.id) return found.id;
  const message = 'The gateway refunded another amount. To accept it, send the id of its refund as gatewayRefundId.';
  throw new ApiError('refund_under_review', message);
}

function requireId(gatewayRefundId: string | undefined): string {
  if (gatewayRefundId === undefined)
    throw invalidField('gatewayRefundId', 'is required, because the gateway cannot be asked');
  return gatewayRefundId;
}

/** Finds a refund in the gateway's books that Paydesk did not make. */
async function findByHand(gateway: Gateway, refund: DatedRefund, gatewayRefundId: string | undefined): Promise<string> {
  if (gatewayRefundId === undefined) throw contradicted('The gateway has no such refund.');
  const { gatewayPaymentId, amountMinor, currency, createdAt, readAt } = refund;
  const [from, to] = [createdAt.getTime() - CLOCK_TOLERANCE_MS, readAt.getTime() + CLOCK_TOLERANCE_MS];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const request = { from: new Date(from), to: new Date(to), cursor };
    const page: GatewayBookPage<GatewayRefundObject> = await gateway.listRefunds(request);
    const found = page.entries.find(({ id, status }) => id === gatewayRefundId && status === 'succeeded');
    if (found !== undefined) {
      const isIt = found.gatewayPaymentId === gatewayPaymentId && found.amountMinor === amountMinor;
      if (isIt && found.currency === currency) return found.id;
      throw contradicted('This refund at the gateway is for another payment or amount.');
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  throw contradicted('The gateway has no such refund.');
}
