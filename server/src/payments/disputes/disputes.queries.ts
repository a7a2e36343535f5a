import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { disputeJson } from './disputes.parts.queries.ts';
import type { Dispute } from './disputes.schema.ts';

export type DisputeRow = {
  id: string;
  state: string;
  amountMinor: string;
  withdrawnMinor: string;
  reason: string;
  /** The Dispute of the API, as JSON text. */
  json: Json<typeof Dispute>;
};

/** Reads the payment's dispute with this id at the gateway, or null. */
export async function selectDispute(
  db: Queryable,
  companyId: string,
  { gateway, gatewayDisputeId, paymentId }: { gateway: string; gatewayDisputeId: string; paymentId: string },
): Promise<DisputeRow | null> {
  const [row] = await db<DisputeRow[]>`
    SELECT id, state, amount_minor::text AS "amountMinor", withdrawn_minor::text AS "withdrawnMinor", reason,
           ${disputeJson(db)}::text AS json
    FROM disputes
    WHERE company_id = ${companyId} AND gateway = ${gateway} AND gateway_dispute_id = ${gatewayDisputeId}
      AND payment_id = ${paymentId}`;
  return row ?? null;
}

export type DisputeUpdate = {
  id: string;
  state: string;
  amountMinor: bigint;
  reason: string;
  checkNumber: string;
};

export type NewDispute = DisputeUpdate & {
  paymentId: string;
  invoiceId: string;
  gateway: string;
  gatewayDisputeId: string;
  currency: string;
  openedAt: Date;
};

/** Writes a dispute that is new in the books. */
export async function insertDispute(tx: Tx, companyId: string, dispute: NewDispute): Promise<void> {
  const { id, paymentId, invoiceId, gateway, gatewayDisputeId, state, amountMinor, currency, reason } = dispute;
  await tx`
    INSERT INTO disputes (company_id, id, payment_id, invoice_id, gateway, gateway_dispute_id, state, amount_minor, currency, reason,
                          look, opened_at)
    VALUES (${companyId}, ${id}, ${paymentId}, ${invoiceId}, ${gateway}, ${gatewayDisputeId}, ${state}, ${amountMinor.toString()},
            ${currency}, ${reason}, ${dispute.checkNumber}, ${dispute.openedAt})`;
}

/** Overwrites what earlier checks saw, but not what later checks saw. */
export async function updateDispute(tx: Tx, companyId: string, dispute: DisputeUpdate): Promise<void> {
  const { id, state, amountMinor, reason, checkNumber } = dispute;
  await tx`
    UPDATE disputes SET state = ${state}, amount_minor = ${amountMinor.toString()}, reason = ${reason}, look = ${checkNumber}
    WHERE company_id = ${companyId} AND id = ${id} AND look < ${checkNumber}`;
}

export type NewMovement = {
  id: string;
  disputeId: string;
  kind: 'withdrawn' | 'reinstated';
  amountMinor: bigint;
  gatewayMovementId: string;
};

/** Writes that money of the dispute moved. A movement that is written already counts once. */
export async function insertMovement(tx: Tx, companyId: string, movement: NewMovement): Promise<void> {
  const { id, disputeId, kind, amountMinor, gatewayMovementId } = movement;
  await tx`
    INSERT INTO dispute_movements (company_id, id, dispute_id, kind, amount_minor, gateway_movement_id)
    VALUES (${companyId}, ${id}, ${disputeId}, ${kind}, ${amountMinor.toString()}, ${gatewayMovementId})
    ON CONFLICT (company_id, dispute_id, gateway_movement_id) DO NOTHING`;
}

/** Records when the dispute changed last. */
export async function touchDispute(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`UPDATE disputes SET updated_at = now() WHERE company_id = ${companyId} AND id = ${id}`;
}

/** Reads the gateway's ids of the payment's disputes. */
export async function selectDisputesOfPayment(
  db: Queryable,
  companyId: string,
  paymentId: string,
): Promise<{ gatewayDisputeId: string }[]> {
  return db<{ gatewayDisputeId: string }[]>`
    SELECT gateway_dispute_id AS "gatewayDisputeId" FROM disputes
    WHERE company_id = ${companyId} AND payment_id = ${paymentId}`;
}
