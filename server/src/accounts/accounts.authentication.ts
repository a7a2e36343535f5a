import type { Db } from '../database/database.ts';
import type { Principal } from '../http/types.ts';
import type { Keyring } from '../keys/keys.ts';
import { findSession, revokeSession } from './accounts.queries.ts';
import { type TokenSettings, verifyAccessToken } from './accounts.tokens.ts';

/** How long a session may be taken as alive without asking the database; other processes see a revocation this much later. */
const RECHECK_AFTER_MS = 1_000;
const MAX_CACHED_TOKENS = 20_000;

type Entry = { sessionId: string; expiresAtMs: number; checkedAtMs: number; principal: Promise<Principal | null> };

export type TokenAuthentication = {
  /** The user behind a token; null when the token is not ours, expired or revoked. */
  authenticate: (token: string) => Promise<Principal | null>;
  /** Ends a session, here at once and in other processes within a second. */
  revoke: (sessionId: string) => Promise<void>;
};

/** Checks tokens. A signature is verified once; the session behind it is asked for again every second. */
export function createTokenAuthentication(db: Db, keyring: Keyring, settings: TokenSettings): TokenAuthentication {
  const entries = new Map<string, Entry>();

  const check = (token: string, entry: Pick<Entry, 'sessionId' | 'expiresAtMs'>): Promise<Principal | null> => {
    const principal = findSession(db, entry.sessionId).then(
      (session) => session && ({ kind: 'user', ...session } as const),
    );
    entries.set(token, { ...entry, checkedAtMs: performance.now(), principal });
    // Neither a dead session nor a failed look-up is remembered.
    const forget = () => entries.delete(token);
    principal.then((found) => found === null && forget(), forget);
    return principal;
  };

  return {
    authenticate: async (token) => {
      const entry = entries.get(token);
      if (entry !== undefined) {
        if (entry.expiresAtMs <= Date.now()) return null;
        if (performance.now() - entry.checkedAtMs < RECHECK_AFTER_MS) return entry.principal;
        return check(token, entry);
      }
      const verified = await verifyAccessToken(keyring, settings, token);
      if (verified === null) return null;
      if (entries.size >= MAX_CACHED_TOKENS) entries.clear();
      return check(token, verified);
    },
    revoke: async (sessionId) => {
      await revokeSession(db, sessionId);
      for (const [token, entry] of entries) if (entry.sessionId === sessionId) entries.delete(token);
    },
  };
}
