import type { Queryable, Tx } from '../../platform/database/database.ts';
import { PAYMENT_COLUMNS } from '../payment/payment.queries.ts';
import { type Payment, type PaymentRow, toPayment } from '../payment/payment.ts';

/** Reads the company's payment, in any state, that has this object at the gateway; null when the books lack it. */
export async function selectPaymentOfObject(
  tx: Tx,
  companyId: string,
  { gateway, gatewayPaymentId }: { gateway: string; gatewayPaymentId: string },
): Promise<Payment | null> {
  const [row] = await tx<PaymentRow[]>`
    SELECT ${tx.unsafe(PAYMENT_COLUMNS)} FROM payments
    WHERE company_id = ${companyId} AND gateway = ${gateway} AND gateway_payment_id = ${gatewayPaymentId}`;
  return row === undefined ? null : toPayment(row);
}

/** Whether a payment has this id. */
export async function isPaymentIdTaken(db: Queryable, companyId: string, id: string): Promise<boolean> {
  const rows = await db`SELECT 1 FROM payments WHERE company_id = ${companyId} AND id = ${id}`;
  return rows.length === 1;
}

/** Makes an object the payment's own; an object that it had recorded before is canceled. False when the payment has ended. */
export async function recordObject(
  tx: Tx,
  companyId: string,
  id: string,
  { gatewayPaymentId, sequence }: { gatewayPaymentId: string; sequence: number | null },
): Promise<boolean> {
  const rows = await tx`
    UPDATE payments SET gateway_payment_id = ${gatewayPaymentId}, debt_sequence = ${sequence}, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'sending', 'requires_action', 'unknown')
    RETURNING 1`;
  return rows.length === 1;
}

/** → failed, which is final, because another payment of the same debt counts instead. */
export async function markSuperseded(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE payments
    SET state = 'failed', failure_reason = 'superseded', decline_code = NULL, action = NULL, reconcile_at = NULL, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND state IN ('created', 'sending', 'requires_action', 'unknown')
    RETURNING 1`;
  return rows.length === 1;
}

export type AdoptedPayment = Pick<
  Payment,
  'id' | 'invoiceId' | 'gateway' | 'amountMinor' | 'creditMinor' | 'currency'
> & {
  state: 'captured' | 'needs_review' | 'unknown';
  method: string;
  gatewayPaymentId: string;
  sequence: number | null;
  /** Our card or account that was charged, as the object says; it may have been deleted. */
  sourceId: string | null;
  /** What became credit of the company, of a capture that pays nothing of the invoice. */
  creditedMinor?: bigint;
};

/** Writes a payment that the gateway has captured and the books lack. */
export async function insertAdopted(tx: Tx, companyId: string, payment: AdoptedPayment): Promise<Payment> {
  const [row] = await tx<[PaymentRow]>`
    INSERT INTO payments (company_id, id, invoice_id, card_id, paypal_account_id, method, gateway, gateway_token, amount_minor,
                          credit_minor, currency, state, gateway_payment_id, debt_sequence, is_part, overpaid_minor)
    SELECT ${companyId}, ${payment.id}, ${payment.invoiceId}, cards.id, accounts.id, ${payment.method}, ${payment.gateway},
           coalesce(cards.gateway_token, accounts.gateway_token), ${payment.amountMinor.toString()},
           ${payment.creditMinor.toString()}, ${payment.currency}, ${payment.state}, ${payment.gatewayPaymentId}, ${payment.sequence},
           ${payment.creditedMinor !== undefined}, ${String(payment.creditedMinor ?? 0n)}
    FROM (VALUES (1)) AS one
    LEFT JOIN cards ON cards.company_id = ${companyId} AND cards.id = ${payment.sourceId} AND ${payment.method} = 'Card'
    LEFT JOIN paypal_accounts AS accounts
      ON accounts.company_id = ${companyId} AND accounts.id = ${payment.sourceId} AND ${payment.method} = 'paypal'
    RETURNING ${tx.unsafe(PAYMENT_COLUMNS)}`;
  return toPayment(row);
}
