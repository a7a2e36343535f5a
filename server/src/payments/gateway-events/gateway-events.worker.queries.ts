import type { GatewayEvent } from '../../gateways/gateway/gateway.ts';
import type { Db, Queryable } from '../../platform/database/database.ts';
import { PAYMENT_COLUMNS } from '../record/payment.queries.ts';
import { type Payment, type PaymentRow, toPayment } from '../record/payment.ts';

/** The result of a gateway event: `settled` and `alerted` changed something. */
export type GatewayEventOutcome = 'settled' | 'no_change' | 'alerted' | 'unknown_payment' | 'ignored';

/** `hasOwnRefund`: the gateway event is about a refund that Paydesk requested. */
export type FoundPayment = Payment & { hasOwnRefund: boolean };

/** Gateways repeat for days what was not answered with 200. */
const KEPT_DAYS = 30;

/** Records that a gateway event arrived. False when it was received and processed before. */
export async function insertGatewayEvent(
  db: Db,
  gateway: string,
  { id, type, gatewayPaymentId }: GatewayEvent,
): Promise<boolean> {
  const [row] = await db<{ isNew: boolean }[]>`
    WITH added AS (
      INSERT INTO gateway_notices (gateway, id, type, gateway_payment_id)
      VALUES (${gateway}, ${id}, ${type}, ${gatewayPaymentId})
      ON CONFLICT DO NOTHING
      RETURNING 1
    )
    SELECT EXISTS (SELECT 1 FROM added)
      OR NOT EXISTS (SELECT 1 FROM gateway_notices WHERE gateway = ${gateway} AND id = ${id} AND outcome IS NOT NULL) AS "isNew"`;
  return row?.isNew ?? false;
}

/** Records that a gateway event is processed, so that a repeat has no effect. An earlier result stays. */
export async function endGatewayEvent(
  db: Queryable,
  gateway: string,
  id: string,
  outcome: GatewayEventOutcome,
): Promise<void> {
  await db`
    UPDATE gateway_notices SET outcome = ${outcome} WHERE gateway = ${gateway} AND id = ${id} AND outcome IS NULL`;
}

/** Reads the payment, of any company, that has this object at the gateway; null when no payment has it. */
export async function selectAffectedPayment(
  db: Queryable,
  gateway: string,
  gatewayPaymentId: string,
  refundReference: string | null,
): Promise<FoundPayment | null> {
  const [row] = await db<(PaymentRow & { hasOwnRefund: boolean })[]>`
    SELECT ${db.unsafe(PAYMENT_COLUMNS)},
           EXISTS (
             SELECT 1 FROM refunds
             WHERE refunds.company_id = payments.company_id AND refunds.payment_id = payments.id
               AND refunds.id::text = ${refundReference}::text
           ) AS "hasOwnRefund"
    FROM payments
    WHERE gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId}`;
  return row === undefined ? null : { ...toPayment(row), hasOwnRefund: row.hasOwnRefund };
}

/** Deletes gateway events that are older than any repeat, up to a limit. @returns how many */
export async function removeOldGatewayEvents(db: Db, limit: number): Promise<number> {
  const rows = await db`
    DELETE FROM gateway_notices
    WHERE (gateway, id) IN (
      SELECT gateway, id FROM gateway_notices
      WHERE received_at < now() - make_interval(days => ${KEPT_DAYS})
      LIMIT ${limit}
    )
    RETURNING 1`;
  return rows.length;
}
