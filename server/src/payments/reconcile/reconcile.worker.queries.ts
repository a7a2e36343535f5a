import type { Db } from '../../platform/database/database.ts';
import { claimJobs } from '../../platform/queue/claim.parts.queries.ts';
import { LEASE_SECONDS } from '../outcomes/outcomes.worker.queries.ts';
import { PAYMENT_COLUMNS } from '../payment/payment.queries.ts';
import { type Payment, type PaymentRow, toPayment } from '../payment/payment.ts';

/** While a gateway gives no answer, one payment is tried there this often. */
const PROBE_SECONDS = 30;

/** Claims the payment of the gateway whose last check is the oldest, unless any was checked there within `PROBE_SECONDS`. */
export async function claimProbe(db: Db, gateway: string): Promise<Payment[]> {
  return claimEarly(db, { gateway, limit: 1, onlyWhenQuiet: true });
}

/** Claims payments of a gateway that answers, of every company, that wait for a later check and were not checked just now. */
export async function claimWaiting(db: Db, { gateway, limit }: { gateway: string; limit: number }): Promise<Payment[]> {
  return claimEarly(db, { gateway, limit, onlyWhenQuiet: false });
}

async function claimEarly(
  db: Db,
  { gateway, limit, onlyWhenQuiet }: { gateway: string; limit: number; onlyWhenQuiet: boolean },
): Promise<Payment[]> {
  const rows = await db<PaymentRow[]>`
    WITH ${claimJobs(
      db,
      { table: 'payments', key: ['company_id', 'id'] },
      {
        where: db`
          state IN ('created', 'sending', 'unknown') AND gateway = ${gateway}
          AND coalesce(last_reconciled_at, created_at) < now() - make_interval(secs => ${PROBE_SECONDS})
          AND reconcile_at > greatest(now(), last_reconciled_at + make_interval(secs => ${LEASE_SECONDS}))
          AND last_reconciled_at IS NOT NULL
          AND NOT (${onlyWhenQuiet} AND EXISTS (
            SELECT 1 FROM payments
            WHERE state IN ('created', 'sending', 'unknown') AND gateway = ${gateway}
              AND coalesce(last_reconciled_at, created_at) > now() - make_interval(secs => ${PROBE_SECONDS})
              AND last_reconciled_at IS NOT NULL
          ))`,
        first: db`ORDER BY coalesce(last_reconciled_at, created_at) LIMIT ${limit}`,
        set: db`last_reconciled_at = now()`,
        as: 'payments',
      },
    )}
    SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments`;
  return rows.map(toPayment);
}

export type PaymentBacklog = {
  waiting: number;
  needsReview: number;
  oldestSeconds: number;
  /** Companies for whose payments the gateway refused our credentials, or was not configured, within the last quarter of an hour. */
  unauthorizedCompanies: number;
};

/** Counts what is not settled, over all companies, for the metrics. An age is never negative, even after the clock was set back. */
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
