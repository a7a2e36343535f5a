import type { Queryable } from '../../platform/database/database.ts';

/** The gateway has heard of our refund: whoever waits to find out about it looks now. False when it has ended. */
export async function expediteRefundCheck(db: Queryable, companyId: string, refundId: string | null): Promise<boolean> {
  const rows = await db`
    UPDATE refunds SET reconcile_at = least(reconcile_at, now())
    WHERE company_id = ${companyId} AND id::text = ${refundId} AND state = 'unknown'
    RETURNING 1`;
  return rows.length === 1;
}
