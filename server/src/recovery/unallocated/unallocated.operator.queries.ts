import type { Queryable, Tx } from '../../platform/database/database.ts';
import { caseColumns } from '../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';

/**
 * A capture that belongs to no invoice here, with its refund. `amountMinor`: what is refunded from here, in minor units; 0 where the
 * gateway had refunded all of it before, and then no refund is begun.
 */
export type UnallocatedCapture = {
  id: string;
  gateway: string;
  gatewayPaymentId: string;
  amountMinor: bigint;
  currency: string;
  refundId: string | null;
  gatewayRefundId: string | null;
};

type Row = Omit<UnallocatedCapture, 'amountMinor'> & { amountMinor: string };

/** Reads the capture of this object; null when none was written, or when a company has got it since. */
export async function selectUnallocated(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<UnallocatedCapture | null> {
  const [row] = await db<Row[]>`
    SELECT id, gateway, gateway_payment_id AS "gatewayPaymentId", amount_minor::text AS "amountMinor", currency, refund_id AS "refundId",
           CASE WHEN refund_id IS NOT NULL THEN gateway_refund_id ELSE (
             SELECT unallocated_refunds.gateway_refund_id FROM unallocated_refunds
             WHERE capture_id = unallocated_captures.id ORDER BY unallocated_refunds.id DESC LIMIT 1
           ) END AS "gatewayRefundId"
    FROM unallocated_captures WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId} AND allocated_at IS NULL`;
  return row === undefined ? null : { ...row, amountMinor: BigInt(row.amountMinor) };
}

/** Writes the capture, which posts it, and the intent to refund what is left of it. @returns false for one that is written already */
export async function insertUnallocated(
  tx: Tx,
  capture: Omit<UnallocatedCapture, 'gatewayRefundId'> & { capturedMinor: bigint },
): Promise<boolean> {
  const { id, gateway, gatewayPaymentId, capturedMinor, amountMinor, currency, refundId } = capture;
  const rows = await tx`
    INSERT INTO unallocated_captures (id, gateway, gateway_payment_id, captured_minor, amount_minor, currency, refund_id)
    VALUES (${id}, ${gateway}, ${gatewayPaymentId}, ${String(capturedMinor)}, ${String(amountMinor)}, ${currency}, ${refundId})
    ON CONFLICT ON CONSTRAINT unallocated_captures_taken DO NOTHING RETURNING 1`;
  return rows.length === 1;
}

/** Writes a refund that the gateway had made of the capture before, which posts it. */
export async function insertEarlierRefund(
  tx: Tx,
  refund: { captureId: string; id: string; gatewayRefundId: string; amountMinor: bigint },
): Promise<void> {
  const { captureId, id, gatewayRefundId, amountMinor } = refund;
  await tx`
    INSERT INTO unallocated_refunds (capture_id, id, gateway_refund_id, amount_minor)
    VALUES (${captureId}, ${id}, ${gatewayRefundId}, ${String(amountMinor)})`;
}

/** A company has got the capture with its refunds: what was posted for nobody is reversed. */
export async function markAllocated(tx: Tx, gateway: string, gatewayPaymentId: string): Promise<void> {
  await tx`
    UPDATE unallocated_captures SET allocated_at = now()
    WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId} AND refund_id IS NULL AND allocated_at IS NULL`;
}

/** Whether a company's payment has the object's capture in the books: it was captured, is under review, or was refunded by a review. */
export async function hasPayment(db: Queryable, gateway: string, gatewayPaymentId: string): Promise<boolean> {
  const rows = await db`
    SELECT FROM payments
    WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId} AND (state <> 'failed' OR EXISTS (
      SELECT FROM refunds WHERE refunds.company_id = payments.company_id AND payment_id = payments.id AND returns_capture))`;
  return rows.length > 0;
}

/** Records the gateway's refund, which posts it. Nothing changes when it is recorded already. */
export async function markRefunded(tx: Tx, id: string, gatewayRefundId: string): Promise<void> {
  await tx`
    UPDATE unallocated_captures SET gateway_refund_id = ${gatewayRefundId}, refunded_at = now()
    WHERE id = ${id} AND refund_id IS NOT NULL AND gateway_refund_id IS NULL`;
}

/**
 * Makes others wait who adopt or refund the payment's object, until the transaction has ended.
 * @returns its cases, the newest last, with the state of the payment, of any company, that has the object; null when the books lack it
 */
export async function lockCases(
  tx: Tx,
  gateway: string,
  gatewayPaymentId: string,
): Promise<(RecoveryCase & { paymentState: string | null })[]> {
  const cases = await tx<(RecoveryCase & { paymentState: string | null })[]>`
    SELECT ${caseColumns(tx)}, (
      SELECT payments.state FROM payments WHERE payments.gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId}
    ) AS "paymentState"
    FROM recovery_cases
    WHERE source = 'gateway' AND kind = 'payment' AND gateway = ${gateway} AND object_id = ${gatewayPaymentId}
    ORDER BY company_id, id FOR UPDATE OF recovery_cases`;
  return cases.toSorted((one, other) => one.foundAt.getTime() - other.foundAt.getTime());
}
