import type { Queryable, Tx } from '../../platform/database/database.ts';

/** A payment or a refund that has no outcome yet, as far as finding it out goes. */
export type OpenJob = {
  companyId: string;
  id: string;
  gateway: string;
  /** How often the reconciler has had its turn. Whoever holds a lease knows by it whether it is still theirs. */
  reconcileCount: number;
};

/** A table whose rows are each their own job, from `created` or `unknown` until their outcome is known. All texts are SQL. */
export type OutcomeQueue<Row extends object, Job extends OpenJob> = {
  table: 'payments' | 'refunds';
  /** Says of a row that it has no outcome yet, as the indexes do. */
  isOpen: string;
  /** When a row was looked at last, as the index has it, and the column that notes a look. */
  lastLook: string;
  lookedAt: string;
  /** What is read of a row, and from where. */
  read: string;
  toJob: (row: Row) => Job;
};

type AnyQueue = Pick<OutcomeQueue<never, never>, 'table' | 'isOpen'>;

/**
 * Open → unknown: the answer to the request was lost. The reconciler looks in this many seconds, or when it planned to if it has had a
 * turn already.
 */
export async function markUnknown(
  db: Queryable,
  companyId: string,
  { table, isOpen }: AnyQueue,
  id: string,
  nextLookSeconds: number,
): Promise<void> {
  await db`
    UPDATE ${db(table)}
    SET state = 'unknown', updated_at = now(),
        reconcile_at = CASE WHEN reconcile_count = 0 THEN now() + make_interval(secs => ${nextLookSeconds}) ELSE reconcile_at END,
        process_id = CASE WHEN reconcile_count > 0 THEN process_id END
    WHERE company_id = ${companyId} AND id = ${id} AND ${db.unsafe(isOpen)}`;
}

/** Open → unknown, with the next look in this many seconds. False when it has ended or its lease went to somebody else. */
export async function postponeLook(
  db: Queryable,
  companyId: string,
  { table, isOpen }: AnyQueue,
  { id, reconcileCount }: OpenJob,
  nextLookSeconds: number,
): Promise<boolean> {
  const rows = await db`
    UPDATE ${db(table)}
    SET state = 'unknown', updated_at = now(), reconcile_at = now() + make_interval(secs => ${nextLookSeconds}), process_id = NULL
    WHERE company_id = ${companyId} AND id = ${id} AND ${db.unsafe(isOpen)} AND reconcile_count = ${reconcileCount}
    RETURNING 1`;
  return rows.length === 1;
}

/**
 * needs_review → unknown, for a transaction that ends it: what settles others settles it then. False when it is not under review any
 * more.
 */
export async function takeFromReview(tx: Tx, companyId: string, { table }: AnyQueue, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE ${tx(table)} SET state = 'unknown', reconcile_at = now(), updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state = 'needs_review'
    RETURNING 1`;
  return rows.length === 1;
}
