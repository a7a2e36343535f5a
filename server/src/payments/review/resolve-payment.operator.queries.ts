import type { Queryable } from '../../platform/database/database.ts';
import { PAYMENT_COLUMNS } from '../payment/payment.queries.ts';
import { type Payment, type PaymentRow, toPayment } from '../payment/payment.ts';

/** Reads the payment with this id, of any company; null when there is none. */
export async function selectPaymentToResolve(db: Queryable, id: string): Promise<Payment | null> {
  const [row] = await db<PaymentRow[]>`SELECT ${db.unsafe(PAYMENT_COLUMNS)} FROM payments WHERE id = ${id}`;
  return row === undefined ? null : toPayment(row);
}
