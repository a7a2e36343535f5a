import type { GatewayEvent } from '../../gateways/gateway/gateway.webhooks.ts';
import { constantPart, type Db, type Queryable } from '../../platform/database/database.ts';
import { PROCESS_ID } from '../../platform/processes/processes.service.ts';
import { claimJobs } from '../../platform/queue/claim.parts.queries.ts';
import type { Question } from '../../platform/queue/due/due.ts';
import { COUNTED_FAILURES, type JobTable, movedAhead } from '../../platform/queue/job-table.ts';
import { PAYMENT_COLUMNS } from '../payment/payment.queries.ts';
import { type Payment, type PaymentRow, toPayment } from '../payment/payment.ts';

/** The result of a gateway event: `settled` and `alerted` changed something. */
export type GatewayEventOutcome = 'settled' | 'no_change' | 'alerted' | 'unknown_payment' | 'ignored';

/** `hasOwnRefund`: the gateway event is about a refund that Paydesk requested. */
export type FoundPayment = Payment & { hasOwnRefund: boolean };

/** Gateways repeat for days what was not answered with 200. */
const RETENTION_DAYS = 30;

/**
 * Records that a gateway event arrived. `new`: act on it now. `kept`: charges are held, so it is acted on later. `known`: it was received
 * and processed before. `isHeld`: whether this process knows of a hold; the database's is read here.
 */
export async function insertGatewayEvent(
  db: Db,
  gateway: string,
  { id, type, kind, gatewayPaymentId, refundReference, disputeId = null }: GatewayEvent,
  isHeld: boolean,
): Promise<'new' | 'kept' | 'known'> {
  const [row] = await db<[{ isKept: boolean; isKnown: boolean }]>`
    WITH hold AS (
      SELECT ${isHeld} OR EXISTS (SELECT FROM charges_holds WHERE ended_at IS NULL) AS holds
    ), added AS (
      INSERT INTO gateway_notices (gateway, id, type, gateway_payment_id, kind, refund_reference, dispute_id, act_at)
      SELECT ${gateway}, ${id}, ${type}, ${gatewayPaymentId}, ${kind}, ${refundReference}, ${disputeId}, CASE WHEN holds THEN now() END
      FROM hold
      ON CONFLICT (gateway, id) DO UPDATE
      SET kind = excluded.kind, refund_reference = excluded.refund_reference, dispute_id = excluded.dispute_id,
          act_at = coalesce(gateway_notices.act_at, excluded.act_at)
      WHERE gateway_notices.outcome IS NULL
      RETURNING 1
    )
    SELECT holds AS "isKept", NOT EXISTS (SELECT FROM added) AS "isKnown" FROM hold`;
  if (row.isKnown) return 'known';
  return row.isKept ? 'kept' : 'new';
}

/** How long a claimed event is left to its process, and when to try again one whose gateway gave no answer. */
const LEASE_SECONDS = 60;

/** Gateway events that were kept during a hold, to be acted on after it. */
export const KEPT_EVENT_JOBS: JobTable = {
  kind: 'gateway_events',
  table: 'gateway_notices',
  key: ['gateway', 'id'],
  company: 'NULL::uuid',
  record: "concat(gateway, '/', id)",
  isNamed: "gateway = split_part(failed_record, '/', 1) AND id = substr(failed_record, strpos(failed_record, '/') + 1)",
  attempts: COUNTED_FAILURES,
  ...movedAhead('act_at', 'act_at IS NOT NULL AND outcome IS NULL'),
};

/** Whether a gateway event that was kept may be acted on. */
export const KEPT_EVENTS: Question = {
  name: KEPT_EVENT_JOBS.kind,
  isDue: constantPart(
    (db) => db`(SELECT min(act_at) FROM gateway_notices WHERE act_at IS NOT NULL AND outcome IS NULL) <= now()`,
  ),
};

/** Leaves a gateway event that could not be acted on until its next attempt. */
export async function leaveKeptEvent(db: Db, gateway: string, id: string): Promise<void> {
  await db`UPDATE gateway_notices SET process_id = NULL WHERE gateway = ${gateway} AND id = ${id} AND process_id = ${PROCESS_ID}`;
}

/** Claims gateway events that were kept during a hold, the longest waiting first. */
export async function claimKeptEvents(db: Db, limit: number): Promise<(GatewayEvent & { gateway: string })[]> {
  return db<(GatewayEvent & { gateway: string })[]>`
    WITH ${claimJobs(db, KEPT_EVENT_JOBS, {
      where: db`
          act_at <= now() AND act_at IS NOT NULL AND outcome IS NULL AND NOT EXISTS (SELECT FROM charges_holds WHERE ended_at IS NULL)`,
      first: db`ORDER BY act_at LIMIT ${limit}`,
      set: db`act_at = now() + make_interval(secs => ${LEASE_SECONDS}), process_id = ${PROCESS_ID}`,
    })}
    SELECT gateway, id, type, kind, gateway_payment_id AS "gatewayPaymentId", refund_reference AS "refundReference",
           dispute_id AS "disputeId"
    FROM claimed`;
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
      WHERE received_at < now() - make_interval(days => ${RETENTION_DAYS})
      LIMIT ${limit}
    )
    RETURNING 1`;
  return rows.length;
}

/** Has the gateway's fees and payouts looked at now. False when nothing was paid there yet. */
export async function expediteLook(db: Db, gateway: string): Promise<boolean> {
  const rows = await db`UPDATE gateway_looks SET look_at = now() WHERE gateway = ${gateway} RETURNING 1`;
  return rows.length === 1;
}
