/** The SQL statements that read lists from the sandbox gateway's ledger, which has no companies. */
import type { DatabaseSync } from 'node:sqlite';
import type { PaymentRow } from './bank.queries.ts';

/** `place` is its position in the ledger. */
export type BookRow = {
  place: bigint;
  paymentId: string;
  reference: string;
  amountMinor: bigint;
  currency: string;
  createdAt: string;
};
export type BookRange = { from: string; to: string; after: bigint; limit: number };

/** Selects the captured payments of this time, after a position in the ledger. */
export function selectCaptures(
  database: DatabaseSync,
  { from, to, after, limit }: BookRange,
): (BookRow & { debt: string | null; details: string })[] {
  return database
    .prepare(
      `SELECT payments.rowid AS place, payments.id AS paymentId, reference, captures.amount_minor AS amountMinor, captures.currency,
              payments.created_at AS createdAt, debt, details
       FROM payments JOIN captures ON captures.payment_id = payments.id
       WHERE payments.rowid > ? AND payments.created_at >= ? AND payments.created_at < ?
       ORDER BY payments.rowid LIMIT ?`,
    )
    .all(after, from, to, limit) as (BookRow & { debt: string | null; details: string })[];
}

const refundColumns = `rowid AS place, id, payment_id AS paymentId, reference, amount_minor AS amountMinor, currency,
  created_at AS createdAt`;

/** Selects the refunds of a payment, the oldest first. */
export function selectRefundsOf(
  database: DatabaseSync,
  paymentId: string,
): (BookRow & { id: string; details: string })[] {
  return database
    .prepare(`SELECT ${refundColumns}, details FROM refunds WHERE payment_id = ? ORDER BY rowid`)
    .all(paymentId) as (BookRow & { id: string; details: string })[];
}

/** Selects the refunds of this time, after a position in the ledger. */
export function selectRefunds(
  database: DatabaseSync,
  { from, to, after, limit }: BookRange,
): (BookRow & { id: string })[] {
  return database
    .prepare(
      `SELECT ${refundColumns}
       FROM refunds
       WHERE rowid > ? AND created_at >= ? AND created_at < ?
       ORDER BY rowid LIMIT ?`,
    )
    .all(after, from, to, limit) as (BookRow & { id: string })[];
}

/** A payment with its captured amount, null if there is none, and its refunded amount. */
export type DebtPaymentRow = Pick<
  PaymentRow,
  'id' | 'reference' | 'status' | 'declineCode' | 'sequence' | 'details'
> & {
  capturedAmountMinor: bigint | null;
  capturedCurrency: string | null;
  refundedMinor: bigint;
  createdAt: string;
};

/** Selects all payments of the debt, and those without a debt that have one of the references, the oldest first. */
export function selectPaymentsOfDebt(
  database: DatabaseSync,
  { debt, references }: { debt: string; references: readonly string[] },
): DebtPaymentRow[] {
  return database
    .prepare(
      `SELECT payments.id, reference, status, decline_code AS declineCode, sequence, details,
              captures.amount_minor AS capturedAmountMinor, captures.currency AS capturedCurrency,
              (SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE refunds.payment_id = payments.id) AS refundedMinor,
              payments.created_at AS createdAt
       FROM payments LEFT JOIN captures ON captures.payment_id = payments.id
       WHERE payments.rowid IN (
         SELECT rowid FROM payments WHERE debt = ?
         UNION ALL
         SELECT rowid FROM payments WHERE debt IS NULL AND reference IN (SELECT value FROM json_each(?))
       )
       ORDER BY payments.rowid`,
    )
    .all(debt, JSON.stringify(references)) as DebtPaymentRow[];
}
