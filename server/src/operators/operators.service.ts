import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../database/database.ts';
import type { Principal } from '../http/types.ts';
import { isOperatorKey, replaceOperatorKey } from './operators.queries.ts';

const PREFIX = 'opk_';

/**
 * Makes the operator's key known: the one from the environment, else the one in the data directory, which the first
 * start writes. The database holds its SHA-256 alone; the key has 256 random bits, so a plain hash is enough.
 * @returns the file that holds the key, or null when the environment does
 */
export async function ensureOperatorKey(
  db: Db,
  dataDirectory: string,
  keyFromEnvironment: string | undefined,
): Promise<string | null> {
  const path = join(dataDirectory, 'operator-key');
  if (keyFromEnvironment === undefined && !existsSync(path)) {
    writeFileSync(path, `${PREFIX}${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  }
  const key = keyFromEnvironment ?? readFileSync(path, 'utf8').trim();
  await replaceOperatorKey(db, hashKey(key));
  return keyFromEnvironment === undefined ? path : null;
}

/** Whether a credential has the form of an operator's key; a user's token never has. */
export function looksLikeOperatorKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** The operator, if this is the operator's key, else null. */
export async function authenticateOperator(db: Db, credential: string): Promise<Principal | null> {
  return (await isOperatorKey(db, hashKey(credential))) ? { kind: 'operator' } : null;
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
