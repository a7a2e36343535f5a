import type { Queryable, Tx } from '../../platform/database/database.ts';

/** A payment or a refund that has no outcome yet, as the reconciler sees it. */
export type OpenJob = {
  companyId: string;
  id: string;
  invoiceId: string;
  gateway: string;
  /** How many scheduled checks the reconciler has made. The holder of a lease finds out by it whether the lease is still its own. */
  reconcileCount: number;
};

/** A table whose rows are each a job of their own, from `created` or `unknown` until there is an outcome. All texts are SQL. */
export type OutcomeQueue<Row extends object, Job extends OpenJob> = {
  /** The kind of its jobs in `GET /operator/jobs`, and the name of the queue in the metrics. */
  name: 'payments' | 'refunds' | 'confirmations' | 'debits';
  table: 'payments' | 'refunds';
  /** The state of a row that was checked, and waits for its next check. */
  waitsAs: 'unknown' | 'requires_action' | 'processing';
  /** The condition for a row without an outcome, worded as in the indexes. */
  isOpen: string;
  /** When a row was checked last, worded as in the index, and the column that records a check. */
  lastCheckedAt: string;
  checkedAtColumn: string;
  /** The columns that are read of a row, and their tables. */
  read: string;
  toJob: (row: Row) => Job;
};

type AnyQueue = Pick<OutcomeQueue<never, never>, 'table' | 'waitsAs' | 'isOpen'>;

/**
 * Open → unknown: the answer to the request was lost. The reconciler checks it after this many seconds, or at the planned time if it has
 * made a scheduled check already.
 */
export async function markUnknown(
  db: Queryable,
  companyId: string,
  { table, isOpen }: AnyQueue,
  id: string,
  nextCheckSeconds: number,
): Promise<void> {
  await db`
    UPDATE ${db(table)}
    SET state = 'unknown', updated_at = now(),
        reconcile_at = CASE WHEN reconcile_count = 0 THEN now() + make_interval(secs => ${nextCheckSeconds}) ELSE reconcile_at END,
        process_id = CASE WHEN reconcile_count > 0 THEN process_id END
    WHERE company_id = ${companyId} AND id = ${id} AND ${db.unsafe(isOpen)}`;
}

/** While a gateway gives no answer about a payment whose time to wait has passed, it is asked this often. */
const EXPIRED_CHECK_SECONDS = 60;

/**
 * Plans the next check after this many seconds. Open → unknown, unless it waits for its customer or its bank, which ends at a time. False
 * when it has ended or another process has the lease.
 */
export async function postponeCheck(
  db: Queryable,
  companyId: string,
  { table, waitsAs, isOpen }: AnyQueue,
  { id, reconcileCount }: OpenJob,
  nextCheckSeconds: number,
): Promise<boolean> {
  const rows = await db`
    UPDATE ${db(table)}
    SET state = ${waitsAs}, process_id = NULL,
        updated_at = ${waitsAs === 'unknown' ? db`now()` : db`updated_at`},
        reconcile_at = ${
          waitsAs === 'unknown'
            ? db`now() + make_interval(secs => ${nextCheckSeconds})`
            : db`CASE
                WHEN expires_at > now() THEN least(expires_at, now() + make_interval(secs => ${nextCheckSeconds}))
                ELSE now() + make_interval(secs => ${EXPIRED_CHECK_SECONDS})
              END`
        }
    WHERE company_id = ${companyId} AND id = ${id} AND ${db.unsafe(isOpen)} AND reconcile_count = ${reconcileCount}
    RETURNING 1`;
  return rows.length === 1;
}

/**
 * needs_review → unknown, for a transaction that then ends it by the same functions as everything else. False when it is no longer under
 * review.
 */
export async function takeFromReview(tx: Tx, companyId: string, { table }: AnyQueue, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE ${tx(table)} SET state = 'unknown', reconcile_at = now(), updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state = 'needs_review'
    RETURNING 1`;
  return rows.length === 1;
}
