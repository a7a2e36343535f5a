/** The SQL statements of the sandbox gateway's ledger, which has no companies. */
import type { DatabaseSync } from 'node:sqlite';
import type { GatewayPaymentStatus } from '../../gateway/gateway.ts';
import { type AccountRow, selectAccounts } from './accounts.queries.ts';
import type { Asks } from './cards.ts';

/** `declineCode` is the outcome of a charge of the card: null if the bank pays. */
export type CardRow = { token: string; brand: string; firstFour: string; lastFour: string; declineCode: string | null };
/** When the bank asks the holder to confirm a charge, and whether the card was saved in the fields, where the bank has asked already. */
export type AskingCardRow = CardRow & { asks: Asks | null; isSetUp: bigint };
/** Of the setup token only its digest is kept: it is a secret. `declineCode` as with a card. */
export type PaymentRow = {
  id: string;
  amountMinor: bigint;
  currency: string;
  sourceToken: string;
  reference: string;
  status: GatewayPaymentStatus;
  /** The code of the last decline. It stays when the payment is canceled. */
  declineCode: string | null;
  /** Null if the request had no debt. */
  debt: string | null;
  sequence: bigint | null;
  /** JSON text. */
  details: string;
};
export type MovementRow = { id: string; paymentId: string; amountMinor: bigint; currency: string };
/** `details` is JSON text. */
export type RefundRow = MovementRow & { reference: string; details: string };
export type IdempotencyKeyRow = { key: string; operation: string; parameters: string; failed: bigint; answer: string };

/** What a payment shows as its status. */
export const SHOWN_STATUS =
  "CASE WHEN asking = 1 THEN 'requires_action' WHEN ends_at IS NOT NULL THEN 'processing' ELSE status END";
const ledgerColumns = `id, amount_minor AS amountMinor, currency, source_token AS sourceToken, reference, ${SHOWN_STATUS} AS status,
  decline_code AS declineCode, debt`;
const paymentColumns = `${ledgerColumns}, sequence, details`;
const movementColumns = `id, payment_id AS paymentId, amount_minor AS amountMinor, currency`;
const cardColumns = `token, brand, first_four AS firstFour, last_four AS lastFour, decline_code AS declineCode`;

/** Runs `work` in a transaction that holds the write lock from its start. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A failed commit or a full disk may already have ended the transaction.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Adds a card under its new token. */
export function insertCard(database: DatabaseSync, card: AskingCardRow): void {
  const { token, brand, firstFour, lastFour, declineCode, asks, isSetUp } = card;
  database
    .prepare(
      'INSERT INTO cards (token, brand, first_four, last_four, decline_code, asks, is_set_up) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(token, brand, firstFour, lastFour, declineCode, asks, isSetUp);
}

/** Returns undefined if no card has this token or the card was detached. */
export function selectCard(database: DatabaseSync, token: string): AskingCardRow | undefined {
  const columns = `${cardColumns}, asks, is_set_up AS isSetUp`;
  const statement = database.prepare(`SELECT ${columns} FROM cards WHERE token = ? AND detached_at IS NULL`);
  return statement.get(token) as AskingCardRow | undefined;
}

/** Marks the card or the account of this token, if there is one, as detached, so that it can't be charged. */
export function detachSource(database: DatabaseSync, token: string): void {
  const now = `strftime('%Y-%m-%dT%H:%M:%fZ')`;
  for (const table of ['cards', 'accounts', 'debits']) {
    database.prepare(`UPDATE ${table} SET detached_at = coalesce(detached_at, ${now}) WHERE token = ?`).run(token);
  }
}

/** Adds a payment. The caller has checked that what it charges exists, in the same transaction. */
export function insertPayment(database: DatabaseSync, payment: PaymentRow): void {
  const { id, amountMinor, currency, sourceToken, reference, status, debt, sequence, details } = payment;
  database
    .prepare(
      `INSERT INTO payments (id, amount_minor, currency, source_token, reference, status, debt, sequence, details)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, amountMinor, currency, sourceToken, reference, status, debt, sequence, details);
}

/** Returns undefined if no payment has this id. */
export function selectPayment(database: DatabaseSync, id: string): PaymentRow | undefined {
  return database.prepare(`SELECT ${paymentColumns} FROM payments WHERE id = ?`).get(id) as PaymentRow | undefined;
}

/** Updates the status, unless the payment is captured or canceled, which is final, or a debit that is on its way. */
export function updatePaymentStatus(
  database: DatabaseSync,
  id: string,
  status: GatewayPaymentStatus,
  declineCode: string | null,
): void {
  const [stored, asking] = status === 'requires_action' ? ['created', 1n] : [status, 0n];
  database
    .prepare(
      `UPDATE payments SET status = ?, asking = ?, decline_code = ?
       WHERE id = ? AND status IN ('created', 'declined') AND ends_at IS NULL`,
    )
    .run(stored, asking, declineCode, id);
}

/** Sends a debit on its way, until this instant. */
export function updateEndsAt(database: DatabaseSync, id: string, endsAt: string): void {
  database
    .prepare(`UPDATE payments SET status = 'created', decline_code = NULL, ends_at = ? WHERE id = ?`)
    .run(endsAt, id);
}

/** Adds the only capture of a payment; the database refuses a second one. */
export function insertCapture(database: DatabaseSync, capture: MovementRow): void {
  database
    .prepare('INSERT INTO captures (id, payment_id, amount_minor, currency) VALUES (?, ?, ?, ?)')
    .run(capture.id, capture.paymentId, capture.amountMinor, capture.currency);
}

/** Returns undefined if the payment was not captured. */
export function selectCapture(database: DatabaseSync, paymentId: string): MovementRow | undefined {
  return database.prepare(`SELECT ${movementColumns} FROM captures WHERE payment_id = ?`).get(paymentId) as
    | MovementRow
    | undefined;
}

/** Adds a refund of a captured payment. The caller has checked the sum, in the same transaction. */
export function insertRefund(database: DatabaseSync, refund: RefundRow): void {
  database
    .prepare(
      'INSERT INTO refunds (id, payment_id, amount_minor, currency, reference, details) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(refund.id, refund.paymentId, refund.amountMinor, refund.currency, refund.reference, refund.details);
}

/** Returns the sum of a payment's refunds, 0n if there are none. */
export function selectRefundedAmount(database: DatabaseSync, paymentId: string): bigint {
  const row = database
    .prepare('SELECT coalesce(sum(amount_minor), 0) AS amountMinor FROM refunds WHERE payment_id = ?')
    .get(paymentId) as { amountMinor: bigint };
  return row.amountMinor;
}

/** Returns undefined if the payment has no refund with this reference. */
export function selectRefund(database: DatabaseSync, paymentId: string, reference: string): MovementRow | undefined {
  return database
    .prepare(`SELECT ${movementColumns} FROM refunds WHERE payment_id = ? AND reference = ?`)
    .get(paymentId, reference) as MovementRow | undefined;
}

/** Returns undefined if the key was not used or was deleted. */
export function selectIdempotencyKey(database: DatabaseSync, key: string): IdempotencyKeyRow | undefined {
  return database
    .prepare('SELECT key, operation, parameters, failed, answer FROM idempotency_keys WHERE key = ?')
    .get(key) as IdempotencyKeyRow | undefined;
}

/** Inserts or replaces the answer of a key. */
export function upsertIdempotencyKey(database: DatabaseSync, row: IdempotencyKeyRow): void {
  database
    .prepare(
      'INSERT OR REPLACE INTO idempotency_keys (key, operation, parameters, failed, answer) VALUES (?, ?, ?, ?, ?)',
    )
    .run(row.key, row.operation, row.parameters, row.failed, row.answer);
}

/** Deletes all keys. */
export function deleteIdempotencyKeys(database: DatabaseSync): void {
  database.exec('DELETE FROM idempotency_keys');
}

export type LedgerRows = {
  cards: CardRow[];
  accounts: AccountRow[];
  payments: Omit<PaymentRow, 'sequence' | 'details'>[];
  captures: MovementRow[];
  refunds: Omit<RefundRow, 'details'>[];
  /** Positive is money that a holder has taken back. */
  disputeMovements?: MovementRow[];
};

/** Selects everything but the idempotency keys, the oldest first. In a transaction, the result is consistent. */
export function selectLedger(database: DatabaseSync): LedgerRows {
  const all = <Row>(sql: string) => database.prepare(sql).all() as Row[];
  return {
    cards: all<CardRow>(`SELECT ${cardColumns} FROM cards ORDER BY rowid`),
    accounts: selectAccounts(database),
    payments: all<LedgerRows['payments'][number]>(`SELECT ${ledgerColumns} FROM payments ORDER BY rowid`),
    captures: all<MovementRow>(`SELECT ${movementColumns} FROM captures ORDER BY rowid`),
    refunds: all<LedgerRows['refunds'][number]>(`SELECT ${movementColumns}, reference FROM refunds ORDER BY rowid`),
    disputeMovements: all<MovementRow>(
      `SELECT id || '_withdrawn' AS id, payment_id AS paymentId, amount_minor AS amountMinor, currency FROM disputes ORDER BY rowid`,
    ),
  };
}
