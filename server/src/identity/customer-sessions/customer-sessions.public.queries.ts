import { CLOCK_TOLERANCE_SECONDS } from '../../platform/calendar/clock.ts';
import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { CustomerSessionPrincipal } from '../../platform/http/route/types.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import type { RefreshTokenHashes } from '../sessions/refresh-tokens.ts';
import { isOpen } from './customer-sessions.parts.queries.ts';

/** A session whose token, code or refresh token has come. */
export type FoundSession = {
  sessionId: string;
  companyId: string;
  customerId: string | null;
  name: string;
  permissions: PermissionSet;
  openedById: string;
  openedByName: string;
};

/** The columns of a FoundSession. */
const columns = constantPart(
  (db) => db`
    customer_sessions.id AS "sessionId", customer_sessions.company_id AS "companyId", user_id AS "customerId",
    coalesce(user_name, '') AS name, permission AS permissions, coalesce(operator_key_id, staff_id) AS "openedById",
    key_name AS "openedByName"`,
);

/** The open session with this id; else null. */
export async function findCustomerSession(db: Queryable, sessionId: string): Promise<CustomerSessionPrincipal | null> {
  const [row] = await db<FoundSession[]>`
    SELECT ${columns(db)} FROM customer_sessions WHERE id = ${sessionId} AND ${isOpen(db)}`;
  return row === undefined ? null : toPrincipal(row);
}

/** The session as a caller. */
export function toPrincipal({ openedById, openedByName, ...session }: FoundSession): CustomerSessionPrincipal {
  return { kind: 'customer_session', ...session, openedBy: { id: openedById, name: openedByName } };
}

/** How long the predecessor of a refresh token still gets that token: its answer may be lost. */
const GRACE_SECONDS = 10;

/** A session with what its next tokens need. */
export type RefreshedSession = {
  session: FoundSession;
  companyExternalId: string | null;
  returnUrl: string | null;
  secondsLeft: number;
};

type RefreshedRow = FoundSession & Omit<RefreshedSession, 'session'>;

/** The columns of a RefreshedRow. */
const refreshedColumns = constantPart(
  (db) => db`
    ${columns(db)}, return_url AS "returnUrl",
    (SELECT external_id FROM companies WHERE companies.id = customer_sessions.company_id) AS "companyExternalId",
    greatest(1, floor(extract(epoch FROM expires_at - now())))::int AS "secondsLeft"`,
);

function toRefreshed({ companyExternalId, returnUrl, secondsLeft, ...session }: RefreshedRow): RefreshedSession {
  return { session, companyExternalId, returnUrl, secondsLeft };
}

type FirstTokens = Omit<RefreshTokenHashes, 'sessionId'>;

/** Uses up the code of a link, and gives its session the first refresh token. Null when the code does not work. */
export async function useCode(
  db: Queryable,
  codeHash: Uint8Array,
  { familyHash, tokenHash }: FirstTokens,
): Promise<RefreshedSession | null> {
  const [row] = await db<RefreshedRow[]>`
    UPDATE customer_sessions SET code_hash = NULL, family_hash = ${familyHash}, refresh_hash = ${tokenHash}
    WHERE code_hash = ${codeHash} AND code_expires_at > now() AND ${isOpen(db)}
    RETURNING ${refreshedColumns(db)}`;
  return row === undefined ? null : toRefreshed(row);
}

/** Uses up the current refresh token. Null when the token is not the current one. */
export async function rotateRefreshToken(
  db: Queryable,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
  { successorHash, salt }: { successorHash: Uint8Array; salt: Uint8Array },
): Promise<RefreshedSession | null> {
  const [row] = await db<RefreshedRow[]>`
    UPDATE customer_sessions
    SET refresh_hash = ${successorHash}, previous_hash = refresh_hash, successor_salt = ${salt}, refreshed_at = now()
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND refresh_hash = ${tokenHash} AND ${isOpen(db)}
    RETURNING ${refreshedColumns(db)}`;
  return row === undefined ? null : toRefreshed(row);
}

/** Finds the successor of a refresh token that was just used; null when the token is another one, or was used earlier. */
export async function findSuccessor(
  db: Queryable,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
): Promise<(RefreshedSession & { salt: Uint8Array }) | null> {
  const [row] = await db<(RefreshedRow & { salt: Uint8Array })[]>`
    SELECT ${refreshedColumns(db)}, successor_salt AS salt FROM customer_sessions
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND previous_hash = ${tokenHash} AND ${isOpen(db)}
      AND refreshed_at BETWEEN now() - make_interval(secs => ${GRACE_SECONDS})
                           AND now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`;
  if (row === undefined) return null;
  const { salt, ...refreshed } = row;
  return { ...toRefreshed(refreshed), salt };
}

/** Ends an open session by any of its refresh tokens but the current one. Null when it ends none. */
export async function endReusedSession(
  tx: Tx,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
): Promise<FoundSession | null> {
  const [row] = await tx<FoundSession[]>`
    UPDATE customer_sessions SET ended_at = now()
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND refresh_hash <> ${tokenHash} AND ${isOpen(tx)}
    RETURNING ${columns(tx)}`;
  return row ?? null;
}

/** Finds an open session by any of its refresh tokens; null when there is none. */
export async function findSessionOfFamily(
  tx: Tx,
  { sessionId, familyHash }: RefreshTokenHashes,
): Promise<FoundSession | null> {
  const [row] = await tx<FoundSession[]>`
    SELECT ${columns(tx)} FROM customer_sessions
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND ${isOpen(tx)} FOR UPDATE`;
  return row ?? null;
}
