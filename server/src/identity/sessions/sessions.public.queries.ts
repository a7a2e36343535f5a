import { CLOCK_TOLERANCE_SECONDS } from '../../platform/calendar/clock.ts';
import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { StaffRole } from '../../platform/operator-roles.ts';
import { storedRole } from '../roles/roles.parts.queries.ts';
import type { StoredRole } from '../roles/stored-role.ts';
import { lacksSecondFactor, profileColumns } from '../users/users.parts.queries.ts';
import type { ProfiledUser } from '../users/users.public.queries.ts';
import type { RefreshTokenHashes } from './refresh-tokens.ts';
import type { UsedFrom } from './used-from.ts';

/** How long the predecessor of a refresh token still gets that token: its answer may be lost. */
const GRACE_SECONDS = 10;
/** Of the sessions that a user is shown. */
const MAX_LISTED = 1_000;

export type Session = StoredRole & {
  sessionId: string;
  userId: string;
  name: string;
  companyId: string | null;
  isEmailVerified: boolean;
  isCompanyDisabled: boolean;
  lacksSecondFactor: boolean;
  staffRole: StaffRole | null;
};

/** The session if it is neither revoked nor expired and its user is not disabled, else null. */
export async function findSession(db: Queryable, sessionId: string): Promise<Session | null> {
  const [row] = await db<Session[]>`
    SELECT sessions.id AS "sessionId", users.id AS "userId", users.company_id AS "companyId", ${storedRole(db)},
           users.first_name || ' ' || users.last_name AS name, users.email_verified_at IS NOT NULL AS "isEmailVerified",
           companies.disabled_since IS NOT NULL AS "isCompanyDisabled", users.staff_role AS "staffRole",
           NOT sessions.by_provider AND ${lacksSecondFactor(db)} AS "lacksSecondFactor"
    FROM sessions JOIN users ON users.id = sessions.user_id LEFT JOIN companies ON companies.id = users.company_id
    WHERE sessions.id = ${sessionId} AND sessions.revoked_at IS NULL AND sessions.expires_at > now()
      AND users.disabled_at IS NULL`;
  return row ?? null;
}

/** SQL for whether the row of `sessions` and its row of `users` may still be used. */
const isOpen = constantPart(
  (db) => db`(
    users.id = sessions.user_id AND users.disabled_at IS NULL AND sessions.revoked_at IS NULL AND sessions.expires_at > now())`,
);

/** SQL for the whole seconds until the session ends, if it is not used meanwhile. */
const secondsLeft = constantPart(
  (db) => db`greatest(1, floor(extract(epoch FROM sessions.expires_at - now())))::int AS "secondsLeft"`,
);

export type RefreshedSession = { user: ProfiledUser; secondsLeft: number };
type RefreshedRow = ProfiledUser & { secondsLeft: number };

/** What replaces a refresh token that is used. */
export type Rotation = { successorHash: Buffer; salt: Buffer; idleSeconds: number } & UsedFrom;

/** Uses up the session's current refresh token and extends the session. Null when the token is not the current one. */
export async function rotateRefreshToken(
  db: Queryable,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
  { successorHash, salt, idleSeconds, ip, userAgent }: Rotation,
): Promise<RefreshedSession | null> {
  const [row] = await db<RefreshedRow[]>`
    UPDATE sessions
    SET refresh_hash = ${successorHash}, previous_hash = refresh_hash, successor_salt = ${salt}, refreshed_at = now(),
        expires_at = least(now() + make_interval(secs => ${idleSeconds}), ends_at), ip = ${ip}, user_agent = ${userAgent}
    FROM users LEFT JOIN companies ON companies.id = users.company_id
    WHERE sessions.id = ${sessionId} AND family_hash = ${familyHash} AND refresh_hash = ${tokenHash} AND ${isOpen(db)}
    RETURNING ${profileColumns(db)}, ${secondsLeft(db)}`;
  return row === undefined ? null : toRefreshed(row);
}

/**
 * Finds the successor of a refresh token that was just used. Null when the token is not the immediate predecessor, or was used more
 * than ten seconds ago.
 */
export async function findSuccessor(
  db: Queryable,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
): Promise<(RefreshedSession & { salt: Buffer }) | null> {
  const [row] = await db<(RefreshedRow & { salt: Buffer })[]>`
    SELECT ${profileColumns(db)}, ${secondsLeft(db)}, successor_salt AS salt
    FROM sessions JOIN users ON users.id = sessions.user_id LEFT JOIN companies ON companies.id = users.company_id
    WHERE sessions.id = ${sessionId} AND family_hash = ${familyHash} AND previous_hash = ${tokenHash} AND ${isOpen(db)}
      AND refreshed_at BETWEEN now() - make_interval(secs => ${GRACE_SECONDS})
                           AND now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})`;
  if (row === undefined) return null;
  const { salt, ...refreshed } = row;
  return { ...toRefreshed(refreshed), salt };
}

function toRefreshed({ secondsLeft: seconds, ...user }: RefreshedRow): RefreshedSession {
  return { user, secondsLeft: seconds };
}

/**
 * Ends an open session because one of its used refresh tokens came again. Only who has held a token of the session knows its family.
 * @returns whose session it ended; null when it ended none
 */
export async function endReusedSession(
  tx: Tx,
  { sessionId, familyHash, tokenHash }: RefreshTokenHashes,
): Promise<{ userId: string; companyId: string | null } | null> {
  const [row] = await tx<{ userId: string; companyId: string | null }[]>`
    UPDATE sessions SET revoked_at = now(), expires_at = now() FROM users
    WHERE sessions.id = ${sessionId} AND family_hash = ${familyHash} AND refresh_hash <> ${tokenHash}
      AND ${isOpen(tx)}
    RETURNING users.id AS "userId", users.company_id AS "companyId"`;
  return row ?? null;
}

type Owner = { userId: string; companyId: string | null; name: string };

/** Ends the open session whose refresh tokens have this family. @returns whose it was; null when it was not open */
export async function endSessionOfFamily(
  tx: Tx,
  { sessionId, familyHash }: Pick<RefreshTokenHashes, 'sessionId' | 'familyHash'>,
): Promise<Owner | null> {
  const [row] = await tx<Owner[]>`
    UPDATE sessions SET revoked_at = now(), expires_at = now() FROM users
    WHERE sessions.id = ${sessionId} AND family_hash = ${familyHash} AND users.id = sessions.user_id
      AND revoked_at IS NULL AND expires_at > now()
    RETURNING users.id AS "userId", users.company_id AS "companyId", first_name || ' ' || last_name AS name`;
  return row ?? null;
}

export type ListedSession = {
  id: string;
  created_at: Date;
  last_used_at: Date;
  ip: string;
  user_agent: string;
};

/** The open sessions of a user, newest first. */
export async function findSessionsOfUser(db: Queryable, userId: string): Promise<ListedSession[]> {
  return db<ListedSession[]>`
    SELECT id, created_at, coalesce(refreshed_at, created_at) AS last_used_at, ip, user_agent
    FROM sessions WHERE user_id = ${userId} AND revoked_at IS NULL AND expires_at > now()
    ORDER BY id DESC LIMIT ${MAX_LISTED}`;
}

/** Ends one session of a user. @returns whether it was open */
export async function endSession(db: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const rows = await db`
    UPDATE sessions SET revoked_at = now(), expires_at = now()
    WHERE id = ${sessionId} AND user_id = ${userId} AND revoked_at IS NULL AND expires_at > now()
    RETURNING 1`;
  return rows.length === 1;
}

/**
 * Ends all sessions of a user but one, or all of them, and logins that wait for a second factor.
 * @returns the ids of the sessions that were open
 */
export async function endSessionsOfUser(db: Queryable, userId: string, exceptId: string | null): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    WITH unfinished AS (
      DELETE FROM second_factor_tokens
      WHERE hash = ANY(ARRAY(SELECT hash FROM second_factor_tokens WHERE user_id = ${userId} ORDER BY hash FOR UPDATE))
    ), open AS (
      SELECT id FROM sessions
      WHERE user_id = ${userId} AND id IS DISTINCT FROM ${exceptId}::uuid AND revoked_at IS NULL AND expires_at > now()
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE sessions SET revoked_at = now(), expires_at = now() FROM open WHERE sessions.id = open.id
    RETURNING sessions.id`;
  return rows.map(({ id }) => id);
}
