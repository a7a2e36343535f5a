import type { GatewayMovement, GatewayPayout } from '../../gateways/gateway/gateway.books.ts';
import type { Db } from '../../platform/database/database.ts';
import { deriveId } from '../../platform/derive-id.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';

/** The payments at a gateway that the books have: of a company, or of none. */
const OWNED = `(
  SELECT gateway, gateway_payment_id, company_id, id AS payment_id, invoice_id FROM payments WHERE gateway_payment_id IS NOT NULL
  UNION ALL
  SELECT gateway, gateway_payment_id, '${OPERATOR_SCOPE}'::uuid, NULL, NULL FROM unallocated_captures WHERE allocated_at IS NULL
    AND NOT EXISTS (
      SELECT FROM payments
      WHERE payments.gateway = unallocated_captures.gateway AND payments.gateway_payment_id = unallocated_captures.gateway_payment_id)
)`;

/** Books the fees of movements that are about payments in the books, each once. A fee has the same id in every database. */
export async function insertFees(db: Db, gateway: string, movements: readonly GatewayMovement[]): Promise<void> {
  const fees = movements.filter(({ feeMinor, gatewayPaymentId }) => feeMinor !== 0n && gatewayPaymentId !== null);
  if (fees.length === 0) return;
  const given = fees.map(({ id, gatewayPaymentId, feeMinor, currency, createdAt }) => ({
    ...{ fee_id: deriveId(`fee ${gateway} ${id}`, createdAt), movement_id: id, payment: gatewayPaymentId },
    ...{ amount: String(feeMinor), currency, charged_at: createdAt },
  }));
  await db`
    INSERT INTO gateway_fees (company_id, id, gateway, gateway_movement_id, gateway_payment_id, payment_id, invoice_id, amount_minor,
                              currency, charged_at)
    SELECT company_id, fee_id, ${gateway}, movement_id, payment, payment_id, invoice_id, amount, given.currency, charged_at
    FROM json_to_recordset(${JSON.stringify(given)}::text::json)
           AS given (fee_id uuid, movement_id text, payment text, amount bigint, currency text, charged_at timestamptz)
    JOIN ${db.unsafe(OWNED)} AS owned ON owned.gateway = ${gateway} AND gateway_payment_id = payment
    ON CONFLICT (gateway, gateway_movement_id) DO NOTHING`;
}

/** What these movements, after their fees, come to for payments in the books, and for payouts that have failed. */
export async function sumOfOurs(db: Db, gateway: string, movements: readonly GatewayMovement[]): Promise<bigint> {
  const given = movements.map(({ gatewayPaymentId, returnedPayoutId, netMinor }) => ({
    ...{ payment: gatewayPaymentId, payout: returnedPayoutId, net: String(netMinor) },
  }));
  const [row] = await db<[{ sum: string }]>`
    SELECT coalesce(sum(CASE WHEN owned.gateway IS NOT NULL THEN net ELSE payouts.amount_minor END), 0)::text AS sum
    FROM json_to_recordset(${JSON.stringify(given)}::text::json) AS given (payment text, payout text, net bigint)
    LEFT JOIN ${db.unsafe(OWNED)} AS owned ON owned.gateway = ${gateway} AND gateway_payment_id = payment
    LEFT JOIN gateway_payouts AS payouts ON payouts.gateway = ${gateway} AND gateway_payout_id = payout`;
  return BigInt(row.sum);
}

/** The payouts with these ids of the gateway that are in the books. */
export async function selectKnownPayouts(
  db: Db,
  gateway: string,
  gatewayIds: readonly string[],
): Promise<{ gatewayId: string; state: string }[]> {
  return db<{ gatewayId: string; state: string }[]>`
    SELECT gateway_payout_id AS "gatewayId", state FROM gateway_payouts
    WHERE gateway = ${gateway} AND gateway_payout_id IN (SELECT json_array_elements_text(${JSON.stringify(gatewayIds)}::text::json))`;
}

type NewPayout = Pick<GatewayPayout, 'id' | 'amountMinor' | 'currency' | 'createdAt'> & {
  status: 'paid' | 'failed';
  totalMinor: bigint;
};

/** Books a payout, once. `amountMinor` is what of it comes from payments in the books. */
export async function insertPayout(
  db: Db,
  gateway: string,
  { id, status, totalMinor, amountMinor, currency, createdAt }: NewPayout,
): Promise<void> {
  const payoutId = deriveId(`payout ${gateway} ${id}`, createdAt);
  await db`
    INSERT INTO gateway_payouts (id, gateway, gateway_payout_id, state, total_minor, amount_minor, currency, paid_out_at)
    VALUES (
      ${payoutId}, ${gateway}, ${id}, ${status}, ${String(totalMinor)}, ${String(amountMinor)}, ${currency}, ${createdAt})
    ON CONFLICT (gateway, gateway_payout_id) DO NOTHING`;
}

/** Records that a payout came back. */
export async function markPayoutFailed(db: Db, gateway: string, gatewayPayoutId: string): Promise<void> {
  await db`
    UPDATE gateway_payouts SET state = 'failed'
    WHERE gateway = ${gateway} AND gateway_payout_id = ${gatewayPayoutId} AND state = 'paid'`;
}
