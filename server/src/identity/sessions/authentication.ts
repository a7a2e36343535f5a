import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Authenticate, Principal, UserPrincipal } from '../../platform/http/route/types.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { roleOf } from '../roles/stored-role.ts';
import { type SessionKind, type TokenSettings, type VerifiedToken, verifyAccessToken } from './access-tokens.ts';
import { findSession, type Session } from './sessions.public.queries.ts';

/**
 * How long a session is trusted without asking the database again. Other processes see a revocation this much later.
 */
const RECHECK_AFTER_MS = 1_000;
const MAX_CACHED_TOKENS = 20_000;

type Entry = VerifiedToken & {
  checkedAtMs: number;
  principal: Principal | Promise<Principal | null>;
};

export type TokenAuthentication = {
  /** The user or other session behind a token; null when the token was not signed by us, has expired or is revoked. */
  authenticate: Authenticate;
  /**
   * Called once sessions have ended: this process refuses their tokens, and those of views that were opened in them, from now on, others
   * within RECHECK_AFTER_MS.
   */
  forget: (sessionIds: readonly string[]) => void;
  /** Called once something else about a user has changed that decides what the user may do: it is read anew by the next request. */
  forgetUser: (userId: string) => void;
  /** The same for all members, customer sessions and views of a company. */
  recheck: (companyId: string) => void;
  /** The same for all sessions that operator keys have opened. */
  recheckOfKeys: () => void;
};

/** What this installation demands of users. */
type UserSettings = Pick<Config, 'requireVerifiedEmail'>;

/** Finds an open session of each kind by its id. */
type FindSessions = Readonly<Record<SessionKind, (db: Db, sessionId: string) => Promise<Principal | null>>>;

/** Checks tokens. A signature is verified once; its session is read again every second. */
export function createTokenAuthentication(
  db: Db,
  keyring: Keyring,
  settings: TokenSettings & UserSettings,
  findSessions: FindSessions,
): TokenAuthentication {
  const entries = new Map<string, Entry>();

  const find = async ({ sessionId, kind }: VerifiedToken): Promise<Principal | null> => {
    if (kind !== null) return findSessions[kind](db, sessionId);
    const session = await findSession(db, sessionId);
    return session && toPrincipal(session, settings);
  };

  const check = (token: string, entry: VerifiedToken): Promise<Principal | null> => {
    const principal = find(entry);
    const checked: Entry = { ...entry, checkedAtMs: performance.now(), principal };
    entries.set(token, checked);
    // Revoked sessions and failed reads are not cached.
    const forget = () => entries.delete(token);
    principal.then((found) => {
      if (found === null) forget();
      else if (entries.get(token) === checked) checked.principal = found;
    }, forget);
    return principal;
  };

  const verify = async (token: string): Promise<Principal | null> => {
    const verified = await verifyAccessToken(keyring, settings, token);
    if (verified === null) return null;
    if (entries.size >= MAX_CACHED_TOKENS) entries.clear();
    return check(token, verified);
  };

  const readAnew = (isAffected: (principal: Principal) => boolean): void => {
    for (const entry of entries.values()) {
      // Whose session is being read is not known yet.
      if (entry.principal instanceof Promise || isAffected(entry.principal))
        entry.checkedAtMs = Number.NEGATIVE_INFINITY;
    }
  };

  return {
    authenticate: (token) => {
      const entry = entries.get(token);
      if (entry === undefined) return verify(token);
      if (entry.expiresAtMs <= Date.now()) return null;
      return performance.now() - entry.checkedAtMs < RECHECK_AFTER_MS ? entry.principal : check(token, entry);
    },
    forget: (sessionIds) => {
      const ended = new Set(sessionIds);
      for (const [token, { sessionId }] of entries) if (ended.has(sessionId)) entries.delete(token);
      readAnew(
        (principal) => principal.kind === 'view' && principal.openedIn !== null && ended.has(principal.openedIn),
      );
    },
    forgetUser: (userId) => readAnew((principal) => isOf(principal, userId)),
    recheck: (companyId) => readAnew((principal) => principal.kind !== 'operator' && principal.companyId === companyId),
    recheckOfKeys: () => readAnew(({ kind }) => kind !== 'user'),
  };
}

/** Whether it is a session of the user, or one that the user, of the staff, has opened of a company. */
function isOf(principal: Principal, userId: string): boolean {
  if (principal.kind === 'customer_session' || principal.kind === 'view') return principal.openedBy.id === userId;
  return principal.kind === 'user' && principal.userId === userId;
}

function toPrincipal(
  { systemRole, customRole, isEmailVerified, ...session }: Session,
  { requireVerifiedEmail }: UserSettings,
): UserPrincipal {
  const { permission: permissions } = roleOf({ systemRole, customRole });
  return { kind: 'user', ...session, permissions, lacksVerifiedEmail: requireVerifiedEmail && !isEmailVerified };
}
