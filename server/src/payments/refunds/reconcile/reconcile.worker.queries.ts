import { awaitedGateways } from '../../../gateways/gateways.parts.queries.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../../platform/background/work-queues.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../../platform/calendar/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/database/database.ts';
import { PROCESS_ID } from '../../../platform/processes/processes.service.ts';
import { type Refund, type RefundRow, toRefund } from '../issue/refund.ts';
import { REFUND_COLUMNS } from '../issue/refunds.queries.ts';

/** How long a claimed refund is left alone. Two that look at one at the same time do no harm; they only waste calls. */
const LEASE_SECONDS = 45;

const AWAITED_GATEWAYS = awaitedGateways('refunds', "state IN ('created', 'unknown')");

/** The gateways at which a refund, of whatever company, is due or waits for its turn. */
export async function selectAwaitedGateways(db: Db): Promise<string[]> {
  const rows = await db<{ gateway: string }[]>`
    WITH RECURSIVE ${db.unsafe(AWAITED_GATEWAYS)}
    SELECT gateway FROM awaited WHERE gateway IS NOT NULL`;
  return rows.map(({ gateway }) => gateway);
}

/**
 * Claims refunds, of every company, whose turn it is at this gateway. Two reconcilers never claim the same one; a claim of one that
 * died runs out. What was looked at in the future is due, since the database's clock was set back.
 */
export async function claimDueRefunds(
  db: Db,
  { gateway, limit }: { gateway: string; limit: number },
): Promise<Refund[]> {
  const rows = await db<RefundRow[]>`
    WITH due AS (
      SELECT company_id, id FROM refunds
      WHERE state IN ('created', 'unknown') AND gateway = ${gateway} AND reconcile_at <= now()
      ORDER BY reconcile_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), from_the_future AS (
      SELECT company_id, id FROM refunds
      WHERE state IN ('created', 'unknown') AND gateway = ${gateway}
        AND updated_at > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      SELECT * FROM due UNION ALL SELECT * FROM from_the_future LIMIT ${limit}
    )
    UPDATE refunds
    SET reconcile_at = now() + make_interval(secs => ${LEASE_SECONDS}), reconcile_count = refunds.reconcile_count + 1,
        updated_at = now(), process_id = ${PROCESS_ID}
    FROM claimed, payments
    WHERE refunds.company_id = claimed.company_id AND refunds.id = claimed.id
      AND payments.company_id = refunds.company_id AND payments.id = refunds.payment_id
    RETURNING ${db.unsafe(REFUND_COLUMNS)}`;
  return rows.map(toRefund);
}

/** → unknown, with the next look in this many seconds. False when the refund has ended or its lease went to somebody else. */
export async function postponeRefund(
  db: Queryable,
  companyId: string,
  { id, reconcileCount }: Refund,
  nextLookSeconds: number,
): Promise<boolean> {
  const rows = await db`
    UPDATE refunds
    SET state = 'unknown', updated_at = now(), reconcile_at = now() + make_interval(secs => ${nextLookSeconds}), process_id = NULL
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'unknown') AND reconcile_count = ${reconcileCount}
    RETURNING 1`;
  return rows.length === 1;
}

/**
 * Makes due what dead processes have begun or claimed, of whatever company. One that only stood still goes on, and whatever it writes
 * then depends on the refund's state or `reconcile_count`. @returns how many there were
 */
export async function releaseRefunds(tx: Tx, processIds: readonly string[]): Promise<number> {
  const released = await tx`
    WITH left_behind AS (
      SELECT company_id, id FROM refunds
      WHERE process_id = ANY(string_to_array(${processIds.join()}, ',')::uuid[]) AND process_id IS NOT NULL
        AND state IN ('created', 'unknown')
      FOR UPDATE SKIP LOCKED
    )
    UPDATE refunds SET reconcile_at = least(reconcile_at, now()), process_id = NULL
    FROM left_behind
    WHERE refunds.company_id = left_behind.company_id AND refunds.id = left_behind.id`;
  return released.count;
}

/** Refunds that the reconciler should look at by now, and those that it has left to a person. */
export async function readRefundQueue(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    WITH RECURSIVE ${db.unsafe(AWAITED_GATEWAYS)}
    SELECT 'refunds' AS name, least(count(*), ${COUNT_LIMIT})::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(reconcile_at)), 0))::float AS "oldestSeconds",
           least(count(*) FILTER (WHERE reconcile_count > 0), ${COUNT_LIMIT})::int AS retries,
           (SELECT count(*)::int FROM (
             SELECT FROM refunds WHERE state = 'needs_review' LIMIT ${COUNT_LIMIT}
           ) AS under_review) AS dead
    FROM awaited CROSS JOIN LATERAL (
      SELECT reconcile_at, reconcile_count FROM refunds
      WHERE state IN ('created', 'unknown') AND refunds.gateway = awaited.gateway AND reconcile_at <= now()
      ORDER BY reconcile_at LIMIT ${COUNT_LIMIT}
    ) AS due`;
}
