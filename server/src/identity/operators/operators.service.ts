import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { createPrivateFile } from '../../platform/data-directory.ts';
import { afterCommit, type Db, type Queryable, type Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { OperatorPrincipal } from '../../platform/http/route/types.ts';
import { parseInstant } from '../../platform/http/schema/instants.ts';
import { type Checked, type RecentChecks, rememberChecks } from '../secrets/recent-checks.ts';
import { createSecret } from '../secrets/secrets.ts';
import { countKeys, deleteKey, insertKey, lockKeys, selectKey, selectKeys } from './operators.operator.queries.ts';
import { findKey, hasFirstKey, noteUse, replaceFirstKey, type StoredKey } from './operators.public.queries.ts';
import type {
  NewOperatorKey,
  OperatorKey,
  OperatorKeyBody,
  OperatorKeyList,
  OperatorKeyQuery,
} from './operators.schema.ts';

const PREFIX = 'opk_';
/** How much of a key lists show: enough to recognize it, and too little to guess the rest. */
const PREFIX_LENGTH = PREFIX.length + 8;
/** The name of the first key. */
export const FIRST_KEY_NAME = 'first';
const MAX_KEYS = 1_000;
const MAX_REMEMBERED_KEYS = 1_000;

/** The operator's keys as this process knows them. */
export type OperatorKeys = RecentChecks<OperatorPrincipal>;

/**
 * Registers the first operator key: the one from the environment, else the one in the data directory, which the first start
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
  if (keyFromEnvironment === undefined && !mayReplace && (await hasFirstKey(db))) return null;
  const path = join(dataDirectory, 'operator-key');
  const key = keyFromEnvironment ?? readOrMakeKey(path);
  await replaceFirstKey(db, describeKey(key, FIRST_KEY_NAME));
  return keyFromEnvironment === undefined ? path : null;
}

function readOrMakeKey(path: string): string {
  if (!existsSync(path)) createPrivateFile(path, `${makeKey()}\n`);
  const key = readFileSync(path, 'utf8').trim();
  if (!looksLikeOperatorKey(key)) throw new Error(`${path} contains no operator key; delete it to get a new one.`);
  return key;
}

function makeKey(): string {
  return `${PREFIX}${createSecret().toString('base64url')}`;
}

function describeKey(key: string, name: string): StoredKey {
  return { id: uuidv7(), keyHash: hashOperatorKey(key), name, prefix: key.slice(0, PREFIX_LENGTH) };
}

/** What the database keeps of an operator key. */
export function hashOperatorKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Whether a credential has the form of an operator key, which a user's token never has. */
export function looksLikeOperatorKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** Remembers the operator's keys that are used, each for a second. */
export function rememberOperatorKeys(db: Db): OperatorKeys {
  return rememberChecks((credential) => checkOperatorKey(db, credential), MAX_REMEMBERED_KEYS);
}

/** Whose key the credential is; null when it is no operator key, or has expired. Notes its use, to the minute. */
export async function checkOperatorKey(db: Db, credential: string): Promise<Checked<OperatorPrincipal> | null> {
  const found = await findKey(db, hashOperatorKey(credential));
  if (found === null) return null;
  const { id, name, role, expiresAt, isUseOld } = found;
  // A database that only reads still knows its keys.
  if (isUseOld) await noteUse(db, id).catch(() => undefined);
  return {
    principal: { kind: 'operator', keyId: id, keyName: name, role, sessionId: null },
    expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

/** A page of the operator's keys. */
export async function listOperatorKeys(db: Queryable, { page, perPage }: OperatorKeyQuery): Promise<OperatorKeyList> {
  return { page, perPage, ...(await selectKeys(db, { limit: perPage, offset: (page - 1) * perPage })) };
}

/** Creates an operator key, which only this answer has. @throws ApiError 400, limit_reached */
export async function createOperatorKey(
  tx: Tx,
  { name, role, expiresAt: until }: OperatorKeyBody,
): Promise<NewOperatorKey> {
  const expiresAt = until == null ? null : parseInstant(until);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) throw invalidField('expiresAt', 'must be in the future');
  await lockKeys(tx);
  if ((await countKeys(tx)) >= MAX_KEYS) {
    throw new ApiError(
      'limit_reached',
      `There can be at most ${MAX_KEYS} operator keys. Delete keys that nobody uses.`,
    );
  }
  const key = makeKey();
  return { ...(await insertKey(tx, { ...describeKey(key, name), role, expiresAt })), key };
}

/** An operator key; null when there is none. */
export async function findOperatorKey(db: Queryable, id: string): Promise<OperatorKey | null> {
  return selectKey(db, id);
}

/** Deletes an operator key, which this process refuses from the commit on. @throws ApiError not_found, first_key */
export async function deleteOperatorKey(tx: Tx, id: string, operatorKeys: OperatorKeys): Promise<void> {
  const found = await selectKey(tx, id);
  if (found === null) throw notFound('key');
  if (found.isFirst) {
    throw new ApiError(
      'first_key',
      'This is the key of OPERATOR_KEY or the data directory. To replace it, restart Paydesk with another key.',
    );
  }
  await deleteKey(tx, id);
  afterCommit(tx, async () => operatorKeys.forget(({ keyId }) => keyId === id));
}
