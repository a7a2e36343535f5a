/** The SQL statements for the accounts in the sandbox gateway's ledger. */
import type { DatabaseSync } from 'node:sqlite';

export type AccountRow = { token: string; email: string; setupDigest: string; declineCode: string | null };

const accountColumns = 'token, email, setup_digest AS setupDigest, decline_code AS declineCode';

/** Adds an account under its new token. The database rejects a second one for a setup token. */
export function insertAccount(database: DatabaseSync, account: AccountRow): void {
  database
    .prepare('INSERT INTO accounts (token, email, setup_digest, decline_code) VALUES (?, ?, ?, ?)')
    .run(account.token, account.email, account.setupDigest, account.declineCode);
}

/** Returns undefined if no account has this token or the account was detached. */
export function selectAccount(database: DatabaseSync, token: string): AccountRow | undefined {
  const statement = database.prepare(`SELECT ${accountColumns} FROM accounts WHERE token = ? AND detached_at IS NULL`);
  return statement.get(token) as AccountRow | undefined;
}

/** Returns undefined if no setup token with this digest was exchanged yet. */
export function selectAccountOfSetup(database: DatabaseSync, setupDigest: string): AccountRow | undefined {
  return database.prepare(`SELECT ${accountColumns} FROM accounts WHERE setup_digest = ?`).get(setupDigest) as
    | AccountRow
    | undefined;
}

/** Makes a detached account chargeable again. */
export function attachAccount(database: DatabaseSync, token: string): void {
  database.prepare('UPDATE accounts SET detached_at = NULL WHERE token = ?').run(token);
}

/** Selects all accounts, the oldest first. */
export function selectAccounts(database: DatabaseSync): AccountRow[] {
  return database.prepare(`SELECT ${accountColumns} FROM accounts ORDER BY rowid`).all() as AccountRow[];
}

/** How debits end, `delayMs` after they began: `declineCode` is null if they settle. `isDisputed`: then they are taken back. */
export type DebitRow = { token: string; declineCode: string | null; delayMs: bigint; isDisputed: bigint };

/** Adds an account under its new token. */
export function insertDebit(database: DatabaseSync, { token, declineCode, delayMs, isDisputed }: DebitRow): void {
  database
    .prepare('INSERT INTO debits (token, decline_code, delay_ms, is_disputed) VALUES (?, ?, ?, ?)')
    .run(token, declineCode, delayMs, isDisputed);
}

/** Returns undefined if no account has this token. `isDetached`: it can't be charged any more. */
export function selectDebit(database: DatabaseSync, token: string): (DebitRow & { isDetached: bigint }) | undefined {
  const statement = database.prepare(
    `SELECT token, decline_code AS declineCode, delay_ms AS delayMs, is_disputed AS isDisputed, detached_at IS NOT NULL AS isDetached
     FROM debits WHERE token = ?`,
  );
  return statement.get(token) as (DebitRow & { isDetached: bigint }) | undefined;
}
