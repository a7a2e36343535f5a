import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { Credential, KnownCredential } from './webauthn.ts';

/** Keeps the hash of a challenge, for a user or, with null, for whoever logs in. */
export async function insertChallenge(
  db: Queryable,
  { hash, userId, validSeconds }: { hash: Uint8Array; userId: string | null; validSeconds: number },
): Promise<void> {
  await db`
    INSERT INTO passkey_challenges (hash, user_id, expires_at)
    VALUES (${hash}, ${userId}, now() + make_interval(secs => ${validSeconds}))`;
}

/** Uses a challenge up. @returns whether it was still good, and made for this user */
export async function deleteChallenge(db: Queryable, hash: Uint8Array, userId: string | null): Promise<boolean> {
  const rows = await db`
    DELETE FROM passkey_challenges
    WHERE hash = ${hash} AND user_id IS NOT DISTINCT FROM ${userId}::uuid AND expires_at > now()
    RETURNING 1`;
  return rows.length === 1;
}

export type PasskeyRow = {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  backed_up: boolean;
};

function passkeyColumns(db: Queryable) {
  return db`id, name, created_at, last_used_at, backed_up`;
}

/** Saves a passkey of a user. @returns it; null when the credential is registered already */
export async function insertPasskey(
  tx: Tx,
  { id, userId, name }: { id: string; userId: string; name: string },
  { credentialId, publicKey, counter, transports, isBackupEligible, isBackedUp }: Credential,
): Promise<PasskeyRow | null> {
  const [row] = await tx<PasskeyRow[]>`
    INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, backup_eligible, backed_up)
    VALUES (${id}, ${userId}, ${name}, ${credentialId}, ${publicKey}, ${counter}, ${JSON.stringify(transports)}::text::json,
            ${isBackupEligible}, ${isBackedUp})
    ON CONFLICT ON CONSTRAINT passkeys_credential_key DO NOTHING
    RETURNING ${passkeyColumns(tx)}`;
  return row ?? null;
}

/** The passkeys of a user, newest first. */
export async function findPasskeys(db: Queryable, userId: string): Promise<PasskeyRow[]> {
  return db<PasskeyRow[]>`
    SELECT ${passkeyColumns(db)} FROM passkeys WHERE user_id = ${userId} ORDER BY id DESC`;
}

/** The same as a browser is told of them. */
export async function findKnownCredentials(db: Queryable, userId: string): Promise<KnownCredential[]> {
  return db<KnownCredential[]>`
    SELECT credential_id AS "credentialId", transports FROM passkeys WHERE user_id = ${userId} ORDER BY id DESC`;
}

/** Names a passkey of a user. @returns it, with the name before; null when the user has no such passkey */
export async function renamePasskey(
  tx: Tx,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<(PasskeyRow & { nameBefore: string }) | null> {
  const [row] = await tx<(PasskeyRow & { nameBefore: string })[]>`
    WITH before AS (SELECT id, name FROM passkeys WHERE id = ${id} AND user_id = ${userId} FOR UPDATE)
    UPDATE passkeys SET name = ${name} FROM before WHERE passkeys.id = before.id
    RETURNING passkeys.id, passkeys.name, created_at, last_used_at, backed_up, before.name AS "nameBefore"`;
  return row ?? null;
}

/** Removes a passkey of a user. @returns its name; null when the user has no such passkey */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    DELETE FROM passkeys WHERE id = ${id} AND user_id = ${userId} RETURNING name`;
  return row?.name ?? null;
}

/** A registered passkey, and whose it is. */
export type StoredPasskey = Credential & { id: string; userId: string };

/** Finds a passkey by the id that its authenticator gave it. */
export async function findPasskey(db: Queryable, credentialId: Uint8Array): Promise<StoredPasskey | null> {
  const [row] = await db<StoredPasskey[]>`
    SELECT id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey", counter::float8 AS counter,
           transports, backup_eligible AS "isBackupEligible", backed_up AS "isBackedUp"
    FROM passkeys WHERE credential_id = ${credentialId}`;
  return row ?? null;
}

/** Notes that a passkey was used. @returns whether nobody has used it since it was read, and it still exists */
export async function markPasskeyUsed(
  tx: Tx,
  { id, counter: counterBefore }: Pick<StoredPasskey, 'id' | 'counter'>,
  { counter, isBackedUp }: Pick<Credential, 'counter' | 'isBackedUp'>,
): Promise<boolean> {
  const rows = await tx`
    UPDATE passkeys SET counter = ${counter}, backed_up = ${isBackedUp}, last_used_at = now()
    WHERE id = ${id} AND counter = ${counterBefore} RETURNING 1`;
  return rows.length === 1;
}
