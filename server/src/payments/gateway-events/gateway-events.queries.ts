import type { Queryable } from '../../platform/database/database.ts';

/** Makes the reconciler check our refund now, since the gateway has received it. False when the refund has ended. */
export async function expediteRefundCheck(db: Queryable, companyId: string, refundId: string | null): Promise<boolean> {
  const rows = await db`
    UPDATE refunds SET reconcile_at = least(reconcile_at, now())
    WHERE company_id = ${companyId} AND id::text = ${refundId} AND state = 'unknown'
    RETURNING 1`;
  return rows.length === 1;
}
