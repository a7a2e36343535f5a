import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile } from '../../platform/data-directory.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Principal } from '../../platform/http/route/types.ts';
import { hasOperatorKey, isOperatorKey, replaceOperatorKey } from './operators.public.queries.ts';

const PREFIX = 'opk_';
/** The name in the log of the only operator key. */
const KEY_NAME = 'first';

/**
 * Registers the operator key: the one from the environment, else the one in the data directory, which the first start
 * creates. The database stores only its SHA-256; a plain hash is enough for a key of 256 random bits.
 * @param mayReplace - whether the data directory's key may replace a key that is registered already
 * @returns the file that holds the key, or null when the key is elsewhere
 * @throws Error when that file does not hold a key
 */
export async function ensureOperatorKey(
  db: Db,
  dataDirectory: string,
  keyFromEnvironment: string | undefined,
  mayReplace = true,
): Promise<string | null> {
  if (keyFromEnvironment === undefined && !mayReplace && (await hasOperatorKey(db))) return null;
  const path = join(dataDirectory, 'operator-key');
  const key = keyFromEnvironment ?? readOrMakeKey(path);
  await replaceOperatorKey(db, hashKey(key));
  return keyFromEnvironment === undefined ? path : null;
}

function readOrMakeKey(path: string): string {
  if (!existsSync(path)) createPrivateFile(path, `${PREFIX}${randomBytes(32).toString('base64url')}\n`);
  const key = readFileSync(path, 'utf8').trim();
  if (!looksLikeOperatorKey(key)) throw new Error(`${path} contains no operator key; delete it to get a new one.`);
  return key;
}

/** Whether a credential has the form of an operator key, which a user's token never has. */
export function looksLikeOperatorKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** The operator if the credential is the operator key, else null. */
export async function authenticateOperator(db: Db, credential: string): Promise<Principal | null> {
  return (await isOperatorKey(db, hashKey(credential))) ? { kind: 'operator', keyName: KEY_NAME } : null;
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
