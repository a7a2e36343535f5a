import type { Queryable, Tx } from '../../platform/database/database.ts';
import { PAYMENT_COLUMNS } from '../record/payment.queries.ts';
import { type Payment, type PaymentRow, toPayment } from '../record/payment.ts';

/** The payment of this id, of whatever company; null when there is none. */
export async function selectPaymentToResolve(db: Queryable, id: string): Promise<Payment | null> {
  const [row] = await db<PaymentRow[]>`SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments WHERE id = ${id}`;
  return row === undefined ? null : toPayment(row);
}

/**
 * needs_review → unknown, for a transaction that ends the payment: what settles others settles it then. False when it is not under
 * review any more.
 */
export async function takeFromReview(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE payments SET state = 'unknown', reconcile_at = now(), updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state = 'needs_review'
    RETURNING 1`;
  return rows.length === 1;
}
