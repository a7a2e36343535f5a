/** The accounts of the sandbox gateway's book. */
import type { DatabaseSync } from 'node:sqlite';

export type AccountRow = { token: string; email: string; setupDigest: string; declineCode: string | null };

const accountColumns = 'token, email, setup_digest AS setupDigest, decline_code AS declineCode';

/** Adds an account under its new token; the database refuses a second one of a setup token. */
export function insertAccount(database: DatabaseSync, account: AccountRow): void {
  database
    .prepare('INSERT INTO accounts (token, email, setup_digest, decline_code) VALUES (?, ?, ?, ?)')
    .run(account.token, account.email, account.setupDigest, account.declineCode);
}

/** Undefined when no account has this token. */
export function selectAccount(database: DatabaseSync, token: string): AccountRow | undefined {
  return database.prepare(`SELECT ${accountColumns} FROM accounts WHERE token = ?`).get(token) as
    | AccountRow
    | undefined;
}

/** Undefined when no setup token of this digest was swapped yet. */
export function selectAccountOfSetup(database: DatabaseSync, setupDigest: string): AccountRow | undefined {
  return database.prepare(`SELECT ${accountColumns} FROM accounts WHERE setup_digest = ?`).get(setupDigest) as
    | AccountRow
    | undefined;
}

/** All of them, the oldest first. */
export function selectAccounts(database: DatabaseSync): AccountRow[] {
  return database.prepare(`SELECT ${accountColumns} FROM accounts ORDER BY rowid`).all() as AccountRow[];
}
