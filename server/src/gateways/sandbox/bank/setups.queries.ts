/** The SQL statements for the setups in the sandbox gateway's ledger. */
import type { DatabaseSync } from 'node:sqlite';
import type { ConfirmedCard, SetupMethod, SetupStatus } from '../../gateway/gateway.cards.ts';
import type { ConfirmedDebitOnTheWire } from './bank.schema.ts';

/** `card` is as it is sent. */
export type SetupRow = {
  id: string;
  method: SetupMethod;
  status: SetupStatus;
  card: ConfirmedCard | ConfirmedDebitOnTheWire | null;
};
type StoredSetup = Omit<SetupRow, 'card'> & { card: string | null };

const columns = 'id, method, status, card';

/** Adds a setup that waits for a card or an account. Of its client secret only a digest is kept. */
export function insertSetup(
  database: DatabaseSync,
  { id, digest, method }: { id: string; digest: string; method: SetupMethod },
): void {
  database
    .prepare(`INSERT INTO setups (id, secret_digest, method, status) VALUES (?, ?, ?, 'requires_payment_method')`)
    .run(id, digest, method);
}

/** Returns undefined if there is no setup with this id. */
export function selectSetup(database: DatabaseSync, id: string): SetupRow | undefined {
  return read(database.prepare(`SELECT ${columns} FROM setups WHERE id = ?`).get(id) as StoredSetup | undefined);
}

/** Returns undefined if no setup has a client secret with this digest. */
export function selectSetupOfSecret(database: DatabaseSync, digest: string): SetupRow | undefined {
  const statement = database.prepare(`SELECT ${columns} FROM setups WHERE secret_digest = ?`);
  return read(statement.get(digest) as StoredSetup | undefined);
}

function read(row: StoredSetup | undefined): SetupRow | undefined {
  return row && { ...row, card: row.card === null ? null : (JSON.parse(row.card) as SetupRow['card']) };
}

/** Writes the status of a setup, and its card. */
export function updateSetup(database: DatabaseSync, { id, status, card }: Omit<SetupRow, 'method'>): void {
  const text = card === null ? null : JSON.stringify(card);
  database.prepare('UPDATE setups SET status = ?, card = ? WHERE id = ?').run(status, text, id);
}

/** Returns the key of the ledger's fingerprints. */
export function selectFingerprintKey(database: DatabaseSync): string {
  return (database.prepare('SELECT key FROM fingerprint_key').get() as { key: string }).key;
}
