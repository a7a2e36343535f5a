import type { Tx } from '../../../platform/database/database.ts';

/**
 * needs_review → unknown, for a transaction that ends the refund: what settles others settles it then. False when it is not under
 * review any more.
 */
export async function takeFromReview(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE refunds SET state = 'unknown', reconcile_at = now(), updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state = 'needs_review'
    RETURNING 1`;
  return rows.length === 1;
}
