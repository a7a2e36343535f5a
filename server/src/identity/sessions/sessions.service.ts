import { v7 as uuidv7 } from 'uuid';
import { type NewAuditEntry, recordAudit, recordAudits } from '../../audit/audit.service.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { UserPrincipal } from '../../platform/http/route/types.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { roleOf } from '../roles/stored-role.ts';
import { createSecret } from '../secrets/secrets.ts';
import type { ProfiledUser } from '../users/users.public.queries.ts';
import { describeUser } from '../users/users.service.ts';
import { signAccessToken, type TokenSettings } from './access-tokens.ts';
import type { TokenAuthentication } from './authentication.ts';
import {
  createRefreshToken,
  hashRefreshToken,
  type RefreshToken,
  type RefreshTokenHashes,
  readRefreshToken,
  succeed,
  writeRefreshToken,
} from './refresh-tokens.ts';
import type { CookieForm } from './session-cookie.ts';
import {
  endReusedSession,
  endSession,
  endSessionOfFamily,
  endSessionsOfUser,
  findSessionsOfUser,
  findSuccessor,
  rotateRefreshToken,
} from './sessions.public.queries.ts';
import type { AuthAnswer, RefreshAnswer, SessionList } from './sessions.schema.ts';
import type { UsedFrom } from './used-from.ts';

export type SessionSettings = TokenSettings &
  Pick<Config, 'accessTokenLifetimeSeconds' | 'sessionIdleSeconds' | 'sessionLifetimeSeconds' | 'publicUrl'>;

/** What has the refresh token: a cookie, or the body. */
type TokenForm = CookieForm | undefined;

/** The refresh tokens of a kind of sessions that no user has. They differ from those of users, and from each other, at sight. */
export type OtherTokens = {
  isOne: (refreshToken: string) => boolean;
  /** What may have them. */
  forms: readonly TokenForm[];
  /** @returns the next tokens, and how long the session lasts. @throws ApiError session_revoked */
  refresh: (refreshToken: string, actor: Actor) => Promise<{ answer: NextTokens; secondsLeft: number }>;
  /** Ends the session of a refresh token, whichever of its tokens it is. */
  logOut: (refreshToken: string, actor: Actor) => Promise<void>;
};

export type NextTokens = { error: null; data: RefreshAnswer['data'] & { refresh_token?: string } };

/** What may have the refresh token of a user's session. */
const FORMS_OF_USERS: readonly TokenForm[] = [undefined, 'cookie', 'console'];

/** Whose refresh token a text may be, by its form; null for a token that this cookie, or a body, can't have. */
export function kindOfToken(kinds: readonly OtherTokens[], text: string, form: TokenForm): OtherTokens | 'user' | null {
  const kind = kinds.find(({ isOne }) => isOne(text));
  const { forms } = kind ?? { forms: FORMS_OF_USERS };
  return forms.includes(form) ? (kind ?? 'user') : null;
}

export type SessionDependencies = {
  db: Db;
  keyring: Keyring;
  settings: SessionSettings;
  forget: TokenAuthentication['forget'];
};

/** A session as it begins: its row, and the refresh token, which the client alone keeps. */
export type NewSession = RefreshTokenHashes &
  UsedFrom & { userId: string; byProvider: boolean; idleSeconds: number; lifetimeSeconds: number };

/** Prepares a session of a user, whom a provider has signed in or not. The caller inserts it. */
export function prepareSession(
  { sessionIdleSeconds, sessionLifetimeSeconds }: SessionSettings,
  owner: Pick<NewSession, 'userId' | 'byProvider'>,
  usedFrom: UsedFrom,
): { row: NewSession; tokens: SessionTokens } {
  const refreshToken = createRefreshToken(uuidv7());
  const lifetimes = { idleSeconds: sessionIdleSeconds, lifetimeSeconds: sessionLifetimeSeconds };
  return {
    row: { ...hashRefreshToken(refreshToken), ...usedFrom, ...lifetimes, ...owner },
    tokens: { refreshToken, secondsLeft: Math.min(sessionIdleSeconds, sessionLifetimeSeconds) },
  };
}

/** The refresh token of a session, and how long the session goes on without another use. */
export type SessionTokens = { refreshToken: RefreshToken; secondsLeft: number };

/** A session that has just begun, and whose it is. */
export type OpenedSession = { user: ProfiledUser; tokens: SessionTokens };

/** The answer to a sign-up, login or refresh. Its access token ends with the session at the latest. */
export function answerTokens(
  { keyring, settings }: Pick<SessionDependencies, 'keyring' | 'settings'>,
  user: ProfiledUser,
  { refreshToken, secondsLeft }: SessionTokens,
): AuthAnswer {
  const { id: userId, companyId, company } = user;
  const { name: role } = roleOf(user);
  const { sessionId } = refreshToken;
  const lifetimeSeconds = Math.min(settings.accessTokenLifetimeSeconds, secondsLeft);
  const data = {
    access_token: signAccessToken(keyring, settings, {
      ...{ userId, companyId, companyExternalId: company?.externalId ?? null, role, sessionId, lifetimeSeconds },
    }),
    expires_in: lifetimeSeconds,
    refresh_token: writeRefreshToken(refreshToken),
    user: describeUser(user),
  };
  return { error: null, data };
}

/**
 * Gives the next tokens of a session for its current refresh token, which is used up. The token before it gets the same ones within ten
 * seconds. One that was used earlier ends the session: somebody else may have it (RFC 9700, 4.14.2).
 * @throws ApiError session_revoked for every token that does not work
 */
export async function refreshSession(
  dependencies: SessionDependencies,
  text: string,
  usedFrom: UsedFrom,
  actor: Actor,
): Promise<AuthAnswer> {
  const { db, settings } = dependencies;
  const token = readRefreshToken(text);
  if (token === null) throw sessionRevoked();
  const hashes = hashRefreshToken(token);
  const salt = createSecret();
  const successor = succeed(token, salt);
  const { tokenHash: successorHash } = hashRefreshToken(successor);
  const rotation = { successorHash, salt, idleSeconds: settings.sessionIdleSeconds, ...usedFrom };
  const rotated = await rotateRefreshToken(db, hashes, rotation);
  if (rotated !== null) {
    return answerTokens(dependencies, rotated.user, { ...rotated, refreshToken: successor });
  }
  const repeated = await findSuccessor(db, hashes);
  if (repeated !== null) {
    return answerTokens(dependencies, repeated.user, { ...repeated, refreshToken: succeed(token, repeated.salt) });
  }
  await endIfReused(dependencies, hashes, actor);
  throw sessionRevoked();
}

/** Ends the session of a refresh token that was used before. */
async function endIfReused(
  { db, forget }: SessionDependencies,
  hashes: RefreshTokenHashes,
  actor: Actor,
): Promise<void> {
  const { sessionId } = hashes;
  const isReused = await transaction(db, async (tx) => {
    const owner = await endReusedSession(tx, hashes);
    if (owner === null) return false;
    const changes = { before: {}, after: { user_id: owner.userId } };
    const target = { kind: 'session', id: sessionId, name: '' };
    await recordAudit(tx, owner.companyId, {
      audience: 'company',
      actor,
      action: 'session.reuse_detected',
      target,
      changes,
    });
    return true;
  });
  if (isReused) forget([sessionId]);
}

/** The same for every token, so that it tells nothing about a session. */
export function sessionRevoked(): ApiError {
  return new ApiError('session_revoked', 'The session has ended. Log in again.');
}

/** The open sessions of a user, of which the request belongs to one. */
export async function listSessions(db: Db, userId: string, currentId: string): Promise<SessionList> {
  const sessions = await findSessionsOfUser(db, userId);
  return { error: null, data: sessions.map((session) => ({ ...session, current: session.id === currentId })) };
}

/** Ends a session of the user: its tokens are refused from now on. @throws ApiError not_found */
export async function revokeSession(
  { db, forget }: Pick<SessionDependencies, 'db' | 'forget'>,
  user: UserPrincipal,
  sessionId: string,
  actor: Actor,
): Promise<void> {
  if (!(await endAndRecord(db, user, sessionId, actor))) throw notFound('session');
  forget([sessionId]);
}

/** Ends the session of the request itself, as often as it is asked. */
export async function logOut(
  { db, forget }: Pick<SessionDependencies, 'db' | 'forget'>,
  user: UserPrincipal,
  actor: Actor,
): Promise<void> {
  await endAndRecord(db, user, user.sessionId, actor);
  forget([user.sessionId]);
}

/** Ends the session of a refresh token, whichever of its tokens it is. A text that is none ends nothing. */
export async function logOutByRefreshToken(
  { db, forget }: Pick<SessionDependencies, 'db' | 'forget'>,
  text: string,
  actor: Actor,
): Promise<void> {
  const token = readRefreshToken(text);
  if (token === null) return;
  const { sessionId } = token;
  await transaction(db, async (tx) => {
    const owner = await endSessionOfFamily(tx, hashRefreshToken(token));
    if (owner === null) return;
    const { userId: id, companyId, name } = owner;
    await recordAudit(tx, companyId, describeEnd(sessionId, { ...actor, kind: 'user', id, name }));
  });
  forget([sessionId]);
}

/** Ends all sessions of the user but one. */
export async function revokeOtherSessions(
  { db, forget }: Pick<SessionDependencies, 'db' | 'forget'>,
  { userId, companyId, sessionId: currentId }: UserPrincipal,
  actor: Actor,
): Promise<void> {
  const ended = await transaction(db, async (tx) => {
    const ids = await endSessionsOfUser(tx, userId, currentId);
    await recordAudits(
      tx,
      companyId,
      ids.map((id) => describeEnd(id, actor)),
    );
    return ids;
  });
  forget(ended);
}

/** @returns whether the session was open */
async function endAndRecord(db: Db, user: UserPrincipal, sessionId: string, actor: Actor): Promise<boolean> {
  return transaction(db, async (tx) => {
    const isEnded = await endSession(tx, user.userId, sessionId);
    if (isEnded) await recordAudit(tx, user.companyId, describeEnd(sessionId, actor));
    return isEnded;
  });
}

function describeEnd(sessionId: string, actor: Actor): NewAuditEntry {
  return {
    audience: 'company',
    actor,
    action: 'session.ended',
    target: { kind: 'session', id: sessionId, name: '' },
    changes: null,
  };
}
