import { awaitedGateways } from '../../gateways/gateways.parts.queries.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../platform/background/work-queues.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../platform/calendar/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { PROCESS_ID } from '../../platform/processes/processes.service.ts';
import { PAYMENT_COLUMNS } from '../record/payment.queries.ts';
import { type Payment, type PaymentRow, toPayment } from '../record/payment.ts';

/** A payment that this process looks at. A look out of turn changes nothing about the schedule. */
export type ClaimedPayment = Payment & { outOfTurn: boolean };

/** How long a claimed payment is left alone. Two that look at one at the same time do no harm; they only waste calls. */
const LEASE_SECONDS = 45;
/** While nothing is heard from the gateway, one payment tries it this often. */
const PROBE_SECONDS = 30;

const AWAITED_GATEWAYS = awaitedGateways('payments', "state IN ('created', 'sending', 'unknown')");

/** The gateways at which a payment, of whatever company, is due or waits for its turn. */
export async function selectAwaitedGateways(db: Db): Promise<string[]> {
  const rows = await db<{ gateway: string }[]>`
    WITH RECURSIVE ${db.unsafe(AWAITED_GATEWAYS)}
    SELECT gateway FROM awaited WHERE gateway IS NOT NULL`;
  return rows.map(({ gateway }) => gateway);
}

/**
 * Claims payments, of every company, whose turn it is at this gateway. Two reconcilers never claim the same one; a claim that its
 * process did not live to use runs out. Every time here is the database's; what was looked at in its future is due, since its clock
 * was set back.
 */
export async function claimDuePayments(
  db: Db,
  { gateway, limit }: { gateway: string; limit: number },
): Promise<ClaimedPayment[]> {
  const rows = await db<PaymentRow[]>`
    WITH due AS (
      SELECT company_id, id FROM payments
      WHERE state IN ('created', 'sending', 'unknown') AND gateway = ${gateway} AND reconcile_at <= now()
      ORDER BY reconcile_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), from_the_future AS (
      SELECT company_id, id FROM payments
      WHERE state IN ('created', 'sending', 'unknown') AND gateway = ${gateway}
        AND coalesce(last_reconciled_at, created_at) > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      SELECT * FROM due UNION ALL SELECT * FROM from_the_future LIMIT ${limit}
    )
    UPDATE payments
    SET reconcile_at = now() + make_interval(secs => ${LEASE_SECONDS}), reconcile_count = reconcile_count + 1,
        last_reconciled_at = now(), process_id = ${PROCESS_ID}
    FROM claimed
    WHERE payments.company_id = claimed.company_id AND payments.id = claimed.id
    RETURNING ${db.unsafe(PAYMENT_COLUMNS)}`;
  return rows.map((row) => ({ ...toPayment(row), outOfTurn: false }));
}

/** Claims the gateway's payment that nobody has looked at for longest, unless it was tried within the last half a minute. */
export async function claimProbe(db: Db, gateway: string): Promise<ClaimedPayment[]> {
  return claimOutOfTurn(db, { gateway, limit: 1, onlyWhenQuiet: true });
}

/** The gateway answers: claims its payments, of every company, that wait for a later turn and were not looked at just now. */
export async function claimWaitingPayments(
  db: Db,
  { gateway, limit }: { gateway: string; limit: number },
): Promise<ClaimedPayment[]> {
  return claimOutOfTurn(db, { gateway, limit, onlyWhenQuiet: false });
}

async function claimOutOfTurn(
  db: Db,
  { gateway, limit, onlyWhenQuiet }: { gateway: string; limit: number; onlyWhenQuiet: boolean },
): Promise<ClaimedPayment[]> {
  const rows = await db<PaymentRow[]>`
    WITH waiting AS (
      SELECT company_id, id FROM payments
      WHERE state IN ('created', 'sending', 'unknown') AND gateway = ${gateway}
        AND coalesce(last_reconciled_at, created_at) < now() - make_interval(secs => ${PROBE_SECONDS})
        AND reconcile_at > greatest(now(), last_reconciled_at + make_interval(secs => ${LEASE_SECONDS}))
        AND last_reconciled_at IS NOT NULL
        AND NOT (${onlyWhenQuiet} AND EXISTS (
          SELECT 1 FROM payments
          WHERE state IN ('created', 'sending', 'unknown') AND gateway = ${gateway}
            AND coalesce(last_reconciled_at, created_at) > now() - make_interval(secs => ${PROBE_SECONDS})
            AND last_reconciled_at IS NOT NULL
        ))
      ORDER BY coalesce(last_reconciled_at, created_at) LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE payments SET last_reconciled_at = now()
    FROM waiting
    WHERE payments.company_id = waiting.company_id AND payments.id = waiting.id
    RETURNING ${db.unsafe(PAYMENT_COLUMNS)}`;
  return rows.map((row) => ({ ...toPayment(row), outOfTurn: true }));
}

/**
 * Makes due what dead processes have begun or claimed, of whatever company. One that only stood still goes on, and whatever it writes
 * then depends on the payment's state, its object or `reconcile_count`. @returns how many there were
 */
export async function releasePayments(tx: Tx, processIds: readonly string[]): Promise<number> {
  const released = await tx`
    WITH left_behind AS (
      SELECT company_id, id FROM payments
      WHERE process_id = ANY(string_to_array(${processIds.join()}, ',')::uuid[]) AND process_id IS NOT NULL
        AND state IN ('created', 'sending', 'unknown')
      FOR UPDATE SKIP LOCKED
    )
    UPDATE payments SET reconcile_at = least(reconcile_at, now()), process_id = NULL
    FROM left_behind
    WHERE payments.company_id = left_behind.company_id AND payments.id = left_behind.id`;
  return released.count;
}

export type PaymentBacklog = {
  waiting: number;
  needsReview: number;
  oldestSeconds: number;
  /** Companies whose gateway refused our credentials, or was not configured, within the last quarter of an hour. */
  unauthorizedCompanies: number;
};

/** What is not settled yet, over all companies: for the metrics. An age is never negative, whatever the clock does. */
export async function countBacklog(db: Db): Promise<PaymentBacklog> {
  const [row] = await db<[PaymentBacklog]>`
    SELECT count(*) FILTER (WHERE state <> 'needs_review')::int AS waiting,
           count(*) FILTER (WHERE state = 'needs_review')::int AS "needsReview",
           greatest(0, extract(epoch FROM now() - min(created_at) FILTER (WHERE state <> 'needs_review')))::float AS "oldestSeconds",
           (SELECT count(DISTINCT company_id)::int FROM alerts
            WHERE kind IN ('gateway_unauthorized', 'gateway_not_configured')
              AND created_at > now() - interval '15 minutes') AS "unauthorizedCompanies"
    FROM payments
    WHERE state IN ('created', 'sending', 'unknown', 'needs_review')`;
  return row;
}

/** Payments that the reconciler should look at by now, and those that it has left to a person. */
export async function readPaymentQueue(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    WITH RECURSIVE ${db.unsafe(AWAITED_GATEWAYS)}
    SELECT 'payments' AS name, least(count(*), ${COUNT_LIMIT})::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(reconcile_at)), 0))::float AS "oldestSeconds",
           least(count(*) FILTER (WHERE reconcile_count > 0), ${COUNT_LIMIT})::int AS retries,
           (SELECT count(*)::int FROM (
             SELECT FROM payments WHERE state = 'needs_review' LIMIT ${COUNT_LIMIT}
           ) AS under_review) AS dead
    FROM awaited CROSS JOIN LATERAL (
      SELECT reconcile_at, reconcile_count FROM payments
      WHERE state IN ('created', 'sending', 'unknown') AND payments.gateway = awaited.gateway AND reconcile_at <= now()
      ORDER BY reconcile_at LIMIT ${COUNT_LIMIT}
    ) AS due`;
}
