import type { NewAlert } from '../../alerts/alerts.schema.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import type { GatewayEvent } from '../../gateways/gateway/gateway.webhooks.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import { type DisputeSnapshot, hasMovements, refreshDisputes, settleDispute } from '../disputes/disputes.service.ts';
import { alertOnce } from '../payment/alert-once.service.ts';
import type { Payment } from '../payment/payment.ts';
import { importGatewayRefunds } from '../refunds/issue/refunds.service.ts';

/* Records what somebody does at the gateway with money that Paydesk captured, and raises an alert for what only a person can act on. */

type CapturedPayment = Payment & { gatewayPaymentId: string };

/** An `ImportResult`, after disputes were checked for money that they returned. */
export type PaymentImportResult = 'recorded' | 'known' | 'undecided' | 'impossible';

/** Records the refunds that were made at the gateway. @returns as `importGatewayRefunds` @throws GatewayError */
export async function importRefundsAndDisputes(
  db: Db,
  gateway: Gateway,
  payment: CapturedPayment,
): Promise<PaymentImportResult> {
  const first = await importGatewayRefunds(db, gateway, payment);
  if (first !== 'disputed') return first;
  // The gateway event about a dispute that returned the money may arrive later than the one about the refund that followed.
  await refreshDisputes(db, gateway, payment);
  const second = await importGatewayRefunds(db, gateway, payment);
  return second === 'disputed' ? 'impossible' : second;
}

/**
 * Writes a dispute. An alert asks a person to look at a dispute in another currency than its payment, which cannot be counted against it,
 * and at one whose money may belong to another payment.
 * `isOurs`: all payments that the dispute is about are in the books.
 */
export async function settleDisputeOrAlert(
  db: Db,
  payment: Payment,
  snapshot: DisputeSnapshot,
  { isOurs }: { isOurs: boolean },
): Promise<boolean> {
  const { id, currency } = snapshot.found;
  const mismatch = (message: string) => insertOnce(db, payment, { kind: 'dispute_mismatch', message });
  if (!hasMovements(snapshot) || !isOurs)
    return mismatch(
      `The dispute ${id} is about several payments, and the gateway does not say which money belongs to which: check it there.`,
    );
  if (currency !== payment.currency)
    return mismatch(
      `The dispute ${id} is in ${currency} and its payment in ${payment.currency}, so the dispute was not recorded.`,
    );
  return settleDispute(db, payment, snapshot);
}

/** Raises an alert that only a person can act on, once for each payment and kind. @returns whether it is new */
export async function alertGatewayEvent(
  db: Db,
  gatewayEvent: Pick<GatewayEvent, 'kind' | 'type' | 'disputeId'>,
  payment: Payment,
): Promise<boolean> {
  return insertOnce(db, payment, describeAlert(gatewayEvent, payment));
}

async function insertOnce(db: Db, payment: Payment, alert: Pick<NewAlert, 'kind' | 'message'>): Promise<boolean> {
  return transaction(db, (tx) => alertOnce(tx, payment.companyId, { ...alert, payment }));
}

function describeAlert(
  { kind, type, disputeId = null }: Pick<GatewayEvent, 'kind' | 'type' | 'disputeId'>,
  { gateway, state }: Payment,
): Pick<NewAlert, 'kind' | 'message'> {
  switch (kind) {
    case 'dispute':
      return {
        kind: 'disputed_at_gateway',
        message:
          state === 'needs_review' && disputeId !== null
            ? `The customer disputes this payment, which is under review (${type}): answer at the gateway, and resolve the ` +
              `payment. Then POST /operator/disputes with {"gateway": "${gateway}", "gatewayDisputeId": "${disputeId}"} records ` +
              'the dispute.'
            : `The customer disputes this payment (${type}): answer at the gateway.`,
      };
    case 'refund_failed':
      return {
        kind: 'refund_failed_at_gateway',
        message: `A refund failed at the gateway (${type}): check it there.`,
      };
    default:
      return {
        kind: 'refunded_at_gateway',
        message:
          state === 'needs_review'
            ? `Money of this payment, which is under review, was refunded at the gateway (${type}): resolve the payment.`
            : `A refund was made at the gateway that does not match this payment (${type}), so the refund was not recorded.`,
      };
  }
}
