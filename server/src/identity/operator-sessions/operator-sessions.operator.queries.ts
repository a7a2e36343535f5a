import type { Tx } from '../../platform/database/database.ts';
import type { RefreshTokenHashes } from '../sessions/refresh-tokens.ts';
import { isOpen } from './operator-sessions.parts.queries.ts';

/** Who opens a view: an operator key, perhaps in a session of the console, or one of the staff. */
export type Opener = { keyId: string; sessionId: string | null } | { staffId: string; name: string; sessionId: string };

export type NewView = RefreshTokenHashes & { opener: Opener; lifetimeSeconds: number };

/** Inserts the view of a company, which its key does not outlive. @returns how long it lasts; null when the operator key is gone */
export async function insertView(
  tx: Tx,
  companyId: string,
  { opener, sessionId, familyHash, tokenHash, lifetimeSeconds }: NewView,
): Promise<{ secondsLeft: number } | null> {
  const [keyId, staff] = 'keyId' in opener ? [opener.keyId, null] : [null, opener];
  const [row] = await tx<{ secondsLeft: number }[]>`
    INSERT INTO operator_sessions (id, viewed_company_id, operator_key_id, operator_key_hash, staff_id, opener_name, opened_in,
      family_hash, refresh_hash, expires_at)
    SELECT ${sessionId}, ${companyId}, keys.id, keys.key_hash, staff.id, coalesce(keys.name, staff.name), ${opener.sessionId},
           ${familyHash}, ${tokenHash}, least(now() + make_interval(secs => ${lifetimeSeconds}), keys.expires_at)
    FROM (VALUES (${keyId}::uuid, ${staff?.staffId ?? null}::uuid, ${staff?.name ?? null}::text)) AS staff (key_id, id, name)
    LEFT JOIN operator_keys AS keys ON keys.id = staff.key_id
    WHERE staff.id IS NOT NULL OR (keys.id IS NOT NULL AND coalesce(keys.expires_at > now(), true))
    RETURNING greatest(1, round(extract(epoch FROM expires_at - now())))::int AS "secondsLeft"`;
  return row ?? null;
}

/** Ends the open views of a company that an operator key or one of the staff has opened. @returns their ids */
export async function endViews(tx: Tx, companyId: string, openerId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    UPDATE operator_sessions SET ended_at = now()
    WHERE viewed_company_id = ${companyId} AND coalesce(operator_key_id, staff_id) = ${openerId} AND ${isOpen(tx)}
    RETURNING id`;
  return rows.map(({ id }) => id);
}
