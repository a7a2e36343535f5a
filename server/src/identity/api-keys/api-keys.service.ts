import { v7 as uuidv7 } from 'uuid';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { Config } from '../../platform/config/config.ts';
import { afterCommit, type Db, type Queryable, type Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { ApiKeyPrincipal } from '../../platform/http/route/types.ts';
import { parseInstant } from '../../platform/http/schema/instants.ts';
import { commonPermissions, type PermissionSet } from '../../platform/permissions.ts';
import { readPermission, refuseBeyond } from '../roles/roles.service.ts';
import { roleOf } from '../roles/stored-role.ts';
import { type Checked, type RecentChecks, rememberChecks } from '../secrets/recent-checks.ts';
import { hashSecret } from '../secrets/secrets.ts';
import { createAddressTest } from './addresses.ts';
import { findApiKey } from './api-keys.public.queries.ts';
import {
  countApiKeys,
  deleteApiKey,
  deleteApiKeysOf,
  insertApiKey,
  noteUse,
  selectApiKey,
  selectApiKeys,
} from './api-keys.queries.ts';
import type { ApiKey, ApiKeyBody, ApiKeyList, ApiKeyQuery, NewApiKey } from './api-keys.schema.ts';
import { makeKey, readKey } from './key-text.ts';

const MAX_API_KEYS = 10_000;
const MAX_REMEMBERED_KEYS = 20_000;

/** The API keys that are used, as this process knows them. */
export type ApiKeys = RecentChecks<ApiKeyPrincipal>;

/** What this installation demands of the creators of keys. */
type UserSettings = Pick<Config, 'requireVerifiedEmail'>;

/** Remembers the API keys that are used, each for a second. */
export function rememberApiKeys(db: Db, settings: UserSettings): ApiKeys {
  return rememberChecks((credential) => checkApiKey(db, settings, credential), MAX_REMEMBERED_KEYS);
}

/** Whose key the credential is, with what the key and its creator may both do. Notes its use, to the minute. */
async function checkApiKey(
  db: Db,
  { requireVerifiedEmail }: UserSettings,
  credential: string,
): Promise<Checked<ApiKeyPrincipal> | null> {
  const secret = readKey(credential);
  const found = secret && (await findApiKey(db, hashSecret('api_key', secret)));
  if (found === null) return null;
  const { id, companyId, name, permission, allowedIps, expiresAt, userId, isCompanyDisabled, isUseOld } = found;
  // A database that only reads still knows its keys.
  if (isUseOld) await noteUse(db, companyId, id).catch(() => undefined);
  const principal: ApiKeyPrincipal = {
    kind: 'api_key',
    keyId: id,
    name,
    userId,
    companyId,
    permissions: commonPermissions(permission, roleOf(found).permission),
    isCompanyDisabled,
    lacksVerifiedEmail: requireVerifiedEmail && !found.isEmailVerified,
    mayCallFrom: createAddressTest(allowedIps),
  };
  return { principal, expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY };
}

/** A page of the company's keys, newest first. */
export async function listApiKeys(
  db: Queryable,
  companyId: string,
  { page, per_page: perPage }: ApiKeyQuery,
): Promise<ApiKeyList> {
  const keys = await selectApiKeys(db, companyId, { limit: perPage, offset: (page - 1) * perPage });
  return { page, per_page: perPage, ...keys };
}

/** Creates a key, which only this answer has. @throws ApiError 400, permission_not_held, forbidden, limit_reached */
export async function createApiKey(
  tx: Tx,
  companyId: string,
  { userId, permissions }: { userId: string; permissions: PermissionSet },
  { name, expires_at: until, allowed_ips: allowedIps = [], ...body }: ApiKeyBody,
): Promise<NewApiKey> {
  const permission = readPermission(body.permission);
  refuseBeyond(permissions, permission);
  const expiresAt = until == null ? null : parseInstant(until);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw invalidField('expires_at', 'must be in the future');
  // Serializes parallel creates, so that each counts the other's key.
  await lockCompany(tx, companyId);
  if ((await countApiKeys(tx, companyId)) >= MAX_API_KEYS) {
    throw new ApiError(
      'limit_reached',
      `A company can have at most ${MAX_API_KEYS} API keys. Delete keys that nobody uses.`,
    );
  }
  const { key, prefix, secret } = makeKey();
  const keyHash = hashSecret('api_key', secret);
  const stored = { id: uuidv7(), keyHash, name, prefix, permission, allowedIps, expiresAt, createdBy: userId };
  const made = await insertApiKey(tx, companyId, stored);
  if (made === null) throw new ApiError('forbidden', 'You are no longer a member of the company.');
  return { ...made, key };
}

/** A key; null when the company has none with this id. */
export async function findKey(db: Queryable, companyId: string, id: string): Promise<ApiKey | null> {
  return selectApiKey(db, companyId, id);
}

/** Deletes a key, which this process refuses from the commit on. @throws ApiError not_found */
export async function removeApiKey(tx: Tx, companyId: string, id: string, apiKeys: ApiKeys): Promise<void> {
  if (!(await deleteApiKey(tx, companyId, id))) throw notFound('API key');
  afterCommit(tx, async () => apiKeys.forget(({ keyId }) => keyId === id));
}

/** Deletes the keys that a user has created, in the transaction in which they leave the company. */
export async function removeApiKeysOf(tx: Tx, companyId: string, userId: string): Promise<void> {
  await deleteApiKeysOf(tx, companyId, userId);
}
