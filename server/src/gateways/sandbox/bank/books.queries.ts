/** The SQL statements that read lists from the sandbox gateway's ledger, which has no companies. */
import type { DatabaseSync } from 'node:sqlite';
import { type PaymentRow, SHOWN_STATUS } from './bank.queries.ts';

/** A page of rows that were created in this time, after the row that the page before ended with. */
export type BookRange = { from: string; to: string; after: { createdAt: string; place: bigint }; limit: number };

/** A refund; `place` is its position in the ledger, `details` is JSON text. */
export type RefundRow = {
  place: bigint;
  id: string;
  gatewayPaymentId: string;
  reference: string;
  amountMinor: bigint;
  currency: string;
  createdAt: string;
  details: string;
};

const refundColumns = `rowid AS place, id, payment_id AS gatewayPaymentId, reference, amount_minor AS amountMinor, currency,
  created_at AS createdAt, details`;

/** Selects the refunds of a payment, the oldest first. */
export function selectRefundsOf(database: DatabaseSync, paymentId: string): RefundRow[] {
  return database
    .prepare(`SELECT ${refundColumns} FROM refunds WHERE payment_id = ? ORDER BY rowid`)
    .all(paymentId) as RefundRow[];
}

/** Selects a page of the refunds, the oldest first. */
export function selectRefunds(database: DatabaseSync, { from, to, after, limit }: BookRange): RefundRow[] {
  return database
    .prepare(
      `SELECT ${refundColumns} FROM refunds
       WHERE created_at >= ? AND created_at < ? AND (created_at, rowid) > (?, ?)
       ORDER BY created_at, rowid LIMIT ?`,
    )
    .all(from, to, after.createdAt, after.place, limit) as RefundRow[];
}

/** A payment with its captured amount, null if there is none, and its refunded amount. */
export type ListedPaymentRow = Pick<
  PaymentRow,
  'id' | 'amountMinor' | 'currency' | 'reference' | 'status' | 'declineCode' | 'debt' | 'sequence' | 'details'
> & {
  place: bigint;
  capturedAmountMinor: bigint | null;
  capturedCurrency: string | null;
  refundedMinor: bigint;
  createdAt: string;
};

const listedPayments = `
  SELECT payments.rowid AS place, payments.id, payments.amount_minor AS amountMinor, payments.currency, reference,
         ${SHOWN_STATUS} AS status, decline_code AS declineCode, debt, sequence, details,
         captures.amount_minor AS capturedAmountMinor, captures.currency AS capturedCurrency,
         (SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE refunds.payment_id = payments.id) AS refundedMinor,
         payments.created_at AS createdAt
  FROM payments LEFT JOIN captures ON captures.payment_id = payments.id`;

/** Selects all payments of the debt, and those without a debt that have one of the references, the oldest first. */
export function selectPaymentsOfDebt(
  database: DatabaseSync,
  { debt, references }: { debt: string; references: readonly string[] },
): ListedPaymentRow[] {
  return database
    .prepare(
      `${listedPayments}
       WHERE payments.rowid IN (
         SELECT rowid FROM payments WHERE debt = ?
         UNION ALL
         SELECT rowid FROM payments WHERE debt IS NULL AND reference IN (SELECT value FROM json_each(?))
       )
       ORDER BY payments.rowid`,
    )
    .all(debt, JSON.stringify(references)) as ListedPaymentRow[];
}

/** Selects a page of the payments, in any state, the oldest first. */
export function selectPayments(database: DatabaseSync, { from, to, after, limit }: BookRange): ListedPaymentRow[] {
  return database
    .prepare(
      `${listedPayments}
       WHERE payments.created_at >= ? AND payments.created_at < ? AND (payments.created_at, payments.rowid) > (?, ?)
       ORDER BY payments.created_at, payments.rowid LIMIT ?`,
    )
    .all(from, to, after.createdAt, after.place, limit) as ListedPaymentRow[];
}

/** Whether a debit has been on its way for as long as it takes. */
export function hasDueDebits(database: DatabaseSync, now: string): boolean {
  return database.prepare('SELECT 1 FROM payments WHERE ends_at <= ? LIMIT 1').get(now) !== undefined;
}

/** Takes the debits of which this is so from their way. @returns their ids */
export function takeDueDebits(database: DatabaseSync, now: string): string[] {
  const rows = database.prepare('UPDATE payments SET ends_at = NULL WHERE ends_at <= ? RETURNING id').all(now);
  return (rows as { id: string }[]).map(({ id }) => id);
}

/** Makes all debits due now. */
export function makeDebitsDue(database: DatabaseSync, now: string): void {
  database.prepare('UPDATE payments SET ends_at = ? WHERE ends_at IS NOT NULL').run(now);
}

/** A dispute about the whole of a payment. */
export type DisputeRow = {
  place: bigint;
  id: string;
  gatewayPaymentId: string;
  amountMinor: bigint;
  currency: string;
  createdAt: string;
};

const disputeColumns = `rowid AS place, id, payment_id AS gatewayPaymentId, amount_minor AS amountMinor, currency,
  created_at AS createdAt`;

/** Adds a dispute about the whole of a captured payment. */
export function insertDispute(
  database: DatabaseSync,
  { id, payment, createdAt }: { id: string; payment: PaymentRow; createdAt: string },
): void {
  database
    .prepare('INSERT INTO disputes (id, payment_id, amount_minor, currency, created_at) VALUES (?, ?, ?, ?, ?)')
    .run(id, payment.id, payment.amountMinor, payment.currency, createdAt);
}

/** Returns undefined if there is no such dispute. */
export function selectDispute(database: DatabaseSync, id: string): DisputeRow | undefined {
  return database.prepare(`SELECT ${disputeColumns} FROM disputes WHERE id = ?`).get(id) as DisputeRow | undefined;
}

/** Selects a page of the disputes, the oldest first. */
export function selectDisputes(database: DatabaseSync, { from, to, after, limit }: BookRange): DisputeRow[] {
  return database
    .prepare(
      `SELECT ${disputeColumns} FROM disputes
       WHERE created_at >= ? AND created_at < ? AND (created_at, rowid) > (?, ?)
       ORDER BY created_at, rowid LIMIT ?`,
    )
    .all(from, to, after.createdAt, after.place, limit) as DisputeRow[];
}
