import type { Queryable, Tx } from '../../../platform/database/database.ts';

/** A capture that belongs to no invoice here, with its refund. `amountMinor`: what is refunded, in minor units. */
export type UnallocatedCapture = {
  id: string;
  gateway: string;
  gatewayPaymentId: string;
  amountMinor: bigint;
  currency: string;
  refundId: string;
  gatewayRefundId: string | null;
};

type Row = Omit<UnallocatedCapture, 'amountMinor'> & { amountMinor: string };

/** Reads the capture of this object; null when none was written. */
export async function selectUnallocated(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<UnallocatedCapture | null> {
  const [row] = await db<Row[]>`
    SELECT id, gateway, gateway_payment_id AS "gatewayPaymentId", amount_minor::text AS "amountMinor", currency,
           refund_id AS "refundId", gateway_refund_id AS "gatewayRefundId"
    FROM unallocated_captures WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId}`;
  return row === undefined ? null : { ...row, amountMinor: BigInt(row.amountMinor) };
}

/** Writes the capture, which posts it, and the intent to refund it. One that is written already stays. */
export async function insertUnallocated(
  tx: Tx,
  capture: Omit<UnallocatedCapture, 'gatewayRefundId'> & { capturedMinor: bigint },
): Promise<void> {
  const { id, gateway, gatewayPaymentId, capturedMinor, amountMinor, currency, refundId } = capture;
  await tx`
    INSERT INTO unallocated_captures (id, gateway, gateway_payment_id, captured_minor, amount_minor, currency, refund_id)
    VALUES (${id}, ${gateway}, ${gatewayPaymentId}, ${String(capturedMinor)}, ${String(amountMinor)}, ${currency}, ${refundId})
    ON CONFLICT ON CONSTRAINT unallocated_captures_taken DO NOTHING`;
}

/** Records the gateway's refund, which posts it. Nothing changes when it is recorded already. */
export async function markRefunded(tx: Tx, id: string, gatewayRefundId: string): Promise<void> {
  await tx`
    UPDATE unallocated_captures SET gateway_refund_id = ${gatewayRefundId}, refunded_at = now()
    WHERE id = ${id} AND gateway_refund_id IS NULL`;
}

/** Makes others wait who adopt or refund the payment's object, until the transaction has ended. */
export async function lockCases(tx: Tx, gateway: string, gatewayPaymentId: string): Promise<void> {
  await tx`
    SELECT FROM recovery_cases
    WHERE source = 'gateway' AND kind = 'payment' AND gateway = ${gateway} AND object_id = ${gatewayPaymentId}
    ORDER BY company_id, id FOR UPDATE`;
}

/** What the last hold decided about the payment's object; null when no hold found it. */
export async function selectCaseState(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
): Promise<'open' | 'done' | 'person' | null> {
  const [row] = await db<{ state: 'open' | 'done' | 'person' }[]>`
    SELECT state FROM recovery_cases
    WHERE source = 'gateway' AND kind = 'payment' AND gateway = ${gateway} AND object_id = ${gatewayPaymentId}
    ORDER BY found_at DESC LIMIT 1`;
  return row?.state ?? null;
}

/** Ends the cases that waited for a person, who has decided to refund. */
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

/** Reads the id that the database was given when it was made. */
export async function selectInstallation(db: Queryable): Promise<string> {
  const [row] = await db<[{ id: string }]>`SELECT id FROM installation`;
  return row.id;
}
