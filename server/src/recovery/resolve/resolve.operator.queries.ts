import type { Queryable, Tx } from '../../platform/database/database.ts';
import { caseColumns } from '../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';

/** Reads a case, of any company; null when there is none. */
export async function selectCase(db: Queryable, id: string): Promise<RecoveryCase | null> {
  const [row] = await db<RecoveryCase[]>`SELECT ${caseColumns(db)} FROM recovery_cases WHERE id = ${id}`;
  return row ?? null;
}

/** Reads the case of the payment's object that the last hold has found; null when no hold found it. */
export async function selectNewestCase(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<RecoveryCase | null> {
  const [row] = await db<RecoveryCase[]>`
    SELECT ${caseColumns(db)} FROM recovery_cases
    WHERE source = 'gateway' AND kind = 'payment' AND gateway = ${gateway} AND object_id = ${gatewayPaymentId}
    ORDER BY found_at DESC LIMIT 1`;
  return row ?? null;
}

/** Ends the cases of a payment's object that waited for a person. */
export async function endCases(tx: Tx, gateway: string, gatewayPaymentId: string, note: string): Promise<void> {
  await tx`
    UPDATE recovery_cases SET state = 'done', note = ${note}, content = NULL, decided_at = now()
    WHERE source = 'gateway' AND kind = 'payment' AND gateway = ${gateway} AND object_id = ${gatewayPaymentId} AND state = 'person'`;
}

/** Reads the state of the payment, of any company, that has this object; null when the books lack it. */
export async function selectPaymentState(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<string | null> {
  const [row] = await db<{ state: string }[]>`
    SELECT state FROM payments WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId}`;
  return row?.state ?? null;
}

/** A capture that became credit of a company as a whole. `creditedMinor`: in minor units, as the database stores them. */
export type AcceptedCapture = {
  gateway: string;
  gatewayPaymentId: string;
  companyId: string;
  paymentId: string;
  invoiceId: string;
  creditedMinor: string;
  currency: string;
};

/** Reads the payment, of any company, that has this object and became credit as a whole; null when there is none. */
export async function selectAccepted(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<AcceptedCapture | null> {
  const [row] = await db<AcceptedCapture[]>`
    SELECT gateway, gateway_payment_id AS "gatewayPaymentId", company_id AS "companyId", id AS "paymentId",
           invoice_id AS "invoiceId", overpaid_minor::text AS "creditedMinor", currency
    FROM payments WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId} AND is_part AND overpaid_minor > 0`;
  return row ?? null;
}

/** Reads the last refund that the gateway had made of an unallocated capture before. */
export async function selectLastEarlierRefund(
  db: Queryable,
  captureId: string,
): Promise<{ gatewayRefundId: string; amountMinor: bigint } | null> {
  const [row] = await db<{ gatewayRefundId: string; amountMinor: string }[]>`
    SELECT gateway_refund_id AS "gatewayRefundId", amount_minor::text AS "amountMinor" FROM unallocated_refunds
    WHERE capture_id = ${captureId} ORDER BY id DESC LIMIT 1`;
  return row === undefined ? null : { ...row, amountMinor: BigInt(row.amountMinor) };
}
