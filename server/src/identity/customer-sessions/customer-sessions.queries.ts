import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import { isOpen } from './customer-sessions.parts.queries.ts';
import type { CustomerSession } from './customer-sessions.schema.ts';

/** What a session needs to know of its company, which can't be disabled until the commit. Null when there is none. */
export async function lockOpenCompany(
  tx: Tx,
  companyId: string,
): Promise<{ externalId: string | null; isDisabled: boolean } | null> {
  const [row] = await tx<{ externalId: string | null; isDisabled: boolean }[]>`
    SELECT external_id AS "externalId", disabled_since IS NOT NULL AS "isDisabled"
    FROM companies WHERE id = ${companyId} FOR SHARE`;
  return row ?? null;
}

export type NewSession = {
  id: string;
  user: { id: string; name?: string; email?: string } | null;
  permission: PermissionSet;
  returnUrl: string | null;
  openedBy: { keyId: string } | { staffId: string; name: string };
  codeHash: Uint8Array;
  codeSeconds: number;
  expiresInSeconds: number;
};

const columns = constantPart(
  (db) => db`
    id, permission, return_url AS "returnUrl", key_name AS key, created_at AS "createdAt", expires_at AS "expiresAt",
    CASE WHEN user_id IS NOT NULL
      THEN jsonb_strip_nulls(jsonb_build_object('id', user_id, 'name', user_name, 'email', user_email))
    END AS user`,
);

/** Inserts a session, which its key does not outlive. Null when the operator key is gone. */
export async function insertSession(
  db: Queryable,
  companyId: string,
  { id, user, permission, returnUrl, openedBy, codeHash, codeSeconds, expiresInSeconds }: NewSession,
): Promise<CustomerSession | null> {
  const [keyId, staff] = 'keyId' in openedBy ? [openedBy.keyId, null] : [null, openedBy];
  const [row] = await db<CustomerSession[]>`
    INSERT INTO customer_sessions (company_id, id, user_id, user_name, user_email, permission, return_url,
      operator_key_id, operator_key_hash, staff_id, key_name, code_hash, code_expires_at, expires_at)
    SELECT ${companyId}, ${id}, ${user?.id ?? null}, ${user?.name ?? null}, ${user?.email ?? null},
           ${JSON.stringify(permission)}::text::jsonb, ${returnUrl},
           keys.id, keys.key_hash, staff.id, coalesce(keys.name, staff.name),
           ${codeHash}, now() + make_interval(secs => ${codeSeconds}),
           date_trunc('second', least(now() + make_interval(secs => ${expiresInSeconds}), keys.expires_at))
    FROM (VALUES (${keyId}::uuid, ${staff?.staffId ?? null}::uuid, ${staff?.name ?? null}::text)) AS staff (key_id, id, name)
    LEFT JOIN operator_keys AS keys ON keys.id = staff.key_id
    WHERE staff.id IS NOT NULL OR (keys.id IS NOT NULL AND coalesce(keys.expires_at > now(), true))
    RETURNING ${columns(db)}`;
  return row ?? null;
}

/** A page of the company's open sessions, newest first. */
export async function selectSessions(
  db: Queryable,
  companyId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: CustomerSession[] }> {
  const [counted, data] = await Promise.all([
    db<[{ total: number }]>`
      SELECT count(*)::int AS total FROM customer_sessions WHERE company_id = ${companyId} AND ${isOpen(db)}`,
    db<CustomerSession[]>`
      SELECT ${columns(db)} FROM customer_sessions WHERE company_id = ${companyId} AND ${isOpen(db)}
      ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: counted[0].total, data: [...data] };
}

/** An open session; null when the company has none with this id. */
export async function selectSession(db: Queryable, companyId: string, id: string): Promise<CustomerSession | null> {
  const [row] = await db<CustomerSession[]>`
    SELECT ${columns(db)} FROM customer_sessions WHERE company_id = ${companyId} AND id = ${id} AND ${isOpen(db)}`;
  return row ?? null;
}

/** Ends an open session. @returns whether it was open */
export async function endSession(db: Queryable, companyId: string, id: string): Promise<boolean> {
  const rows = await db`
    UPDATE customer_sessions SET ended_at = now(), code_hash = NULL
    WHERE company_id = ${companyId} AND id = ${id} AND ${isOpen(db)} RETURNING 1`;
  return rows.length === 1;
}

/** Ends all sessions of a company. */
export async function endSessions(db: Queryable, companyId: string): Promise<void> {
  await db`
    UPDATE customer_sessions SET ended_at = now(), code_hash = NULL
    WHERE company_id = ${companyId} AND ended_at IS NULL AND expires_at > now()`;
}
