/** The SQL statements of the sandbox gateway's ledger, which has no companies. */
import type { DatabaseSync } from 'node:sqlite';
import type { GatewayPaymentStatus } from '../../gateway/gateway.ts';
import { type AccountRow, selectAccounts } from './accounts.queries.ts';

/** `declineCode` is the outcome of a charge of the card: null if the bank pays. */
export type CardRow = { token: string; brand: string; firstFour: string; lastFour: string; declineCode: string | null };
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

const schemaVersion = 7n;
const accountsTable = `
  CREATE TABLE accounts (
    token TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    setup_digest TEXT NOT NULL UNIQUE,
    decline_code TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT;
`;
/** Payments of older versions have neither `debt` nor `sequence`. */
const debtColumns = `
  ALTER TABLE payments ADD COLUMN debt TEXT;
  ALTER TABLE payments ADD COLUMN sequence INTEGER;
  ALTER TABLE payments ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
  CREATE INDEX payments_of_debt ON payments (debt) WHERE debt IS NOT NULL;
  CREATE INDEX payments_without_debt ON payments (reference) WHERE debt IS NULL;
  ALTER TABLE refunds ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
`;
const detachedColumn = `
  ALTER TABLE cards ADD COLUMN detached_at TEXT;
`;
const listsAndDetachedAccounts = `
  ALTER TABLE accounts ADD COLUMN detached_at TEXT;
  CREATE INDEX payments_by_time ON payments (created_at);
  CREATE INDEX refunds_by_time ON refunds (created_at);
`;
const setupsTables = `
  CREATE TABLE setups (
    id TEXT PRIMARY KEY,
    secret_digest TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('requires_payment_method', 'requires_action', 'succeeded')),
    card TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT;
  CREATE TABLE fingerprint_key (key TEXT NOT NULL) STRICT;
  INSERT INTO fingerprint_key (key) VALUES (hex(randomblob(32)));
`;
const schema = `
  ${accountsTable}
  CREATE TABLE cards (
    token TEXT PRIMARY KEY,
    brand TEXT NOT NULL,
    first_four TEXT NOT NULL CHECK (length(first_four) = 4),
    last_four TEXT NOT NULL CHECK (length(last_four) = 4),
    decline_code TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT;
  CREATE TABLE payments (
    id TEXT PRIMARY KEY,
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    source_token TEXT NOT NULL,
    reference TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('created', 'captured', 'declined', 'canceled')),
    decline_code TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT;
  CREATE TABLE captures (
    id TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL UNIQUE REFERENCES payments,
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT;
  CREATE TABLE refunds (
    id TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL REFERENCES captures (payment_id),
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
    reference TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX refunds_by_payment ON refunds (payment_id);
  CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY,
    operation TEXT NOT NULL,
    parameters TEXT NOT NULL,
    failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
    answer TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT, WITHOUT ROWID;
  ${debtColumns}
  ${detachedColumn}
  ${listsAndDetachedAccounts}
  ${setupsTables}
`;
/** The statements that migrate each version to the next. */
const steps = [
  `ALTER TABLE refunds ADD COLUMN reference TEXT NOT NULL DEFAULT '';`,
  `${accountsTable}
  ALTER TABLE payments ADD COLUMN source_token TEXT NOT NULL DEFAULT '';
  UPDATE payments SET source_token = card_token;
  ALTER TABLE payments DROP COLUMN card_token;`,
  debtColumns,
  detachedColumn,
  listsAndDetachedAccounts,
  setupsTables,
];

const ledgerColumns = `id, amount_minor AS amountMinor, currency, source_token AS sourceToken, reference, status,
  decline_code AS declineCode, debt`;
const paymentColumns = `${ledgerColumns}, sequence, details`;
const movementColumns = `id, payment_id AS paymentId, amount_minor AS amountMinor, currency`;
const cardColumns = `token, brand, first_four AS firstFour, last_four AS lastFour, decline_code AS declineCode`;

/** Makes each commit durable before the answer, and lets readers and one writer work at once, in several processes too. */
export function makeDurable(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
}

/** Whether another process held a lock for too long (SQLITE_BUSY and its extended codes). */
export function isBusy(error: unknown): boolean {
  const errcode = (error as { errcode?: number }).errcode;
  return errcode !== undefined && (errcode & 0xff) === 5;
}

/** Creates the tables in an empty file, and migrates older ones. Throws if a newer version made the file. */
export function ensureSchema(database: DatabaseSync): void {
  const version = database.prepare('PRAGMA user_version').get()?.user_version as bigint;
  if (version > schemaVersion) throw new Error('The ledger of the sandbox gateway was written by a newer version.');
  if (version === 0n) database.exec(schema);
  else for (const step of steps.slice(Number(version) - 1)) database.exec(step);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}

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
export function insertCard(database: DatabaseSync, card: CardRow): void {
  database
    .prepare('INSERT INTO cards (token, brand, first_four, last_four, decline_code) VALUES (?, ?, ?, ?, ?)')
    .run(card.token, card.brand, card.firstFour, card.lastFour, card.declineCode);
}

/** Returns undefined if no card has this token or the card was detached. */
export function selectCard(database: DatabaseSync, token: string): CardRow | undefined {
  const statement = database.prepare(`SELECT ${cardColumns} FROM cards WHERE token = ? AND detached_at IS NULL`);
  return statement.get(token) as CardRow | undefined;
}

/** Marks the card or the account of this token, if there is one, as detached, so that it can't be charged. */
export function detachSource(database: DatabaseSync, token: string): void {
  const now = `strftime('%Y-%m-%dT%H:%M:%fZ')`;
  for (const table of ['cards', 'accounts']) {
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

/** Updates the status, unless the payment is captured or canceled: those are final. */
export function updatePaymentStatus(
  database: DatabaseSync,
  id: string,
  status: GatewayPaymentStatus,
  declineCode: string | null,
): void {
  database
    .prepare(`UPDATE payments SET status = ?, decline_code = ? WHERE id = ? AND status IN ('created', 'declined')`)
    .run(status, declineCode, id);
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
  };
}
