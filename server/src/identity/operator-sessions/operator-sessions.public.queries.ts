import { CLOCK_TOLERANCE_SECONDS } from '../../platform/calendar/clock.ts';
import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { OperatorPrincipal, ViewPrincipal } from '../../platform/http/route/types.ts';
import type { OperatorRole } from '../../platform/operator-roles.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';
import type { RefreshTokenHashes } from '../sessions/refresh-tokens.ts';
import { isOpen } from './operator-sessions.parts.queries.ts';

/** A session whose token or refresh token has come. `companyId` is that of a view, and null for the console. */
export type FoundSession = {
  sessionId: string;
  companyId: string | null;
  opener: { kind: 'operator_key' | 'staff'; id: string; name: string };
  openedIn: string | null;
  /** What the operator key may do; null for a session that one of the staff has opened. */
  role: OperatorRole | null;
  secondsLeft: number;
};

type FoundRow = Omit<FoundSession, 'opener'> & { keyId: string | null; staffId: string | null; openerName: string };

/** The columns of a FoundRow. */
const columns = constantPart(
  (db) => db`
    operator_sessions.id AS "sessionId", viewed_company_id AS "companyId", operator_key_id AS "keyId", staff_id AS "staffId",
    opener_name AS "openerName", opened_in AS "openedIn",
    (SELECT role FROM operator_keys WHERE operator_keys.id = operator_key_id) AS role,
    greatest(1, round(extract(epoch FROM operator_sessions.expires_at - now())))::int AS "secondsLeft"`,
);

function toFound({ keyId, staffId, openerName: name, ...session }: FoundRow): FoundSession {
  const opener = staffId === null ? { kind: 'operator_key' as const, id: keyId ?? '', name } : ofStaff(staffId, name);
  return { ...session, opener };
}

function ofStaff(id: string, name: string): FoundSession['opener'] {
  return { kind: 'staff', id, name };
}

/** What a kind of session is: that of an operator key in the console, or the view of a company. */
export type OperatorSessionKind = 'console' | 'view';

const ofKind = (db: Queryable, kind: OperatorSessionKind) => db`(viewed_company_id IS NULL) = ${kind === 'console'}`;

async function findSession(db: Queryable, id: string, kind: OperatorSessionKind): Promise<FoundSession | null> {
  const [row] = await db<FoundRow[]>`
    SELECT ${columns(db)} FROM operator_sessions WHERE id = ${id} AND ${ofKind(db, kind)} AND ${isOpen(db)}`;
  return row === undefined ? null : toFound(row);
}

/** The operator key in the console whose open session has this id; else null. */
export async function findConsoleSession(db: Queryable, id: string): Promise<OperatorPrincipal | null> {
  const found = await findSession(db, id, 'console');
  if (found === null || found.role === null) return null;
  const { opener, role, sessionId } = found;
  return { kind: 'operator', keyId: opener.id, keyName: opener.name, role, sessionId };
}

/** The open view with this id; else null. It may read what a member may who may read everything. */
export async function findView(db: Queryable, id: string): Promise<ViewPrincipal | null> {
  const found = await findSession(db, id, 'view');
  if (found === null || found.companyId === null) return null;
  const { companyId, opener: openedBy, openedIn, sessionId } = found;
  const { permission: permissions } = SYSTEM_ROLES.Viewer;
  return { kind: 'view', sessionId, companyId, permissions, openedBy, openedIn };
}

/** The session of an operator key in the console, as it begins. */
export type NewConsoleSession = RefreshTokenHashes & { keyHash: Uint8Array; lifetimeSeconds: number };

/** Inserts the session of an operator key, which it does not outlive. Null when the key is gone. */
export async function insertConsoleSession(
  tx: Tx,
  { sessionId, familyHash, tokenHash, keyHash, lifetimeSeconds }: NewConsoleSession,
  keyId: string,
): Promise<FoundSession | null> {
  const [row] = await tx<FoundRow[]>`
    INSERT INTO operator_sessions (id, operator_key_id, operator_key_hash, opener_name, family_hash, refresh_hash, expires_at)
    SELECT ${sessionId}, id, key_hash, name, ${familyHash}, ${tokenHash},
           least(now() + make_interval(secs => ${lifetimeSeconds}), expires_at)
    FROM operator_keys
    WHERE id = ${keyId} AND key_hash = ${keyHash} AND (expires_at IS NULL OR expires_at > now())
    RETURNING ${columns(tx)}`;
  return row === undefined ? null : toFound(row);
}

/** How long the predecessor of a refresh token still gets that token: its answer may be lost. */
const GRACE_SECONDS = 10;

/** Uses up the current refresh token. Null when the token is not the current one of an open session of this kind. */
export async function rotateRefreshToken(
  db: Queryable,
  kind: OperatorSessionKind,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
  { successorHash, salt }: { successorHash: Uint8Array; salt: Uint8Array },
): Promise<FoundSession | null> {
  const [row] = await db<FoundRow[]>`
    UPDATE operator_sessions
    SET refresh_hash = ${successorHash}, previous_hash = refresh_hash, successor_salt = ${salt}, refreshed_at = now()
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND refresh_hash = ${tokenHash} AND ${ofKind(db, kind)}
      AND ${isOpen(db)}
    RETURNING ${columns(db)}`;
  return row === undefined ? null : toFound(row);
}

/** Finds the successor of a refresh token that was just used; null when the token is another one, or was used earlier. */
export async function findSuccessor(
  db: Queryable,
  kind: OperatorSessionKind,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
): Promise<{ session: FoundSession; salt: Uint8Array } | null> {
  const [row] = await db<(FoundRow & { salt: Uint8Array })[]>`
    SELECT ${columns(db)}, successor_salt AS salt FROM operator_sessions
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND previous_hash = ${tokenHash} AND ${ofKind(db, kind)}
      AND ${isOpen(db)}
      AND refreshed_at BETWEEN now() - make_interval(secs => ${GRACE_SECONDS})
                           AND now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`;
  if (row === undefined) return null;
  const { salt, ...session } = row;
  return { session: toFound(session), salt };
}

/** Ends an open session by any of its refresh tokens but the current one. Null when it ends none. */
export async function endReusedSession(
  tx: Tx,
  kind: OperatorSessionKind,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
): Promise<FoundSession | null> {
  const [row] = await tx<FoundRow[]>`
    UPDATE operator_sessions SET ended_at = now()
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND refresh_hash <> ${tokenHash} AND ${ofKind(tx, kind)}
      AND ${isOpen(tx)}
    RETURNING ${columns(tx)}`;
  return row === undefined ? null : toFound(row);
}

/** Ends an open session by any of its refresh tokens. Null when it ends none. */
export async function endSessionOfFamily(
  tx: Tx,
  kind: OperatorSessionKind,
  { sessionId, familyHash }: RefreshTokenHashes,
): Promise<FoundSession | null> {
  const [row] = await tx<FoundRow[]>`
    UPDATE operator_sessions SET ended_at = now()
    WHERE id = ${sessionId} AND family_hash = ${familyHash} AND ${ofKind(tx, kind)} AND ${isOpen(tx)}
    RETURNING ${columns(tx)}`;
  return row === undefined ? null : toFound(row);
}
