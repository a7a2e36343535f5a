/** The tables of the sandbox gateway's ledger, which has no companies. */
import type { DatabaseSync } from 'node:sqlite';

const schemaVersion = 9n;
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
/** A payment that is `asking` has the status `created`, because SQLite can't change the list of statuses. */
const confirmationColumns = `
  ALTER TABLE cards ADD COLUMN asks TEXT;
  ALTER TABLE cards ADD COLUMN is_set_up INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE payments ADD COLUMN asking INTEGER NOT NULL DEFAULT 0;
`;
/** Of an IBAN nothing is kept but what follows from it. A payment has `ends_at` while it is a debit that is on its way. */
const debitsTables = `
  CREATE TABLE debits (
    token TEXT PRIMARY KEY,
    decline_code TEXT,
    delay_ms INTEGER NOT NULL,
    is_disputed INTEGER NOT NULL CHECK (is_disputed IN (0, 1)),
    detached_at TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT;
  ALTER TABLE payments ADD COLUMN ends_at TEXT;
  CREATE INDEX payments_under_way ON payments (ends_at) WHERE ends_at IS NOT NULL;
  CREATE TABLE disputes (
    id TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL UNIQUE REFERENCES captures (payment_id),
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  ALTER TABLE setups ADD COLUMN method TEXT NOT NULL DEFAULT 'Card';
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
  ${confirmationColumns}
  ${debitsTables}
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
  confirmationColumns,
  debitsTables,
];

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
