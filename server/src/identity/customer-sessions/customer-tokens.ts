import { recordAudit } from '../../audit/audit.service.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { type Actor, describeCustomer } from '../../platform/http/route/actor.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { createSecret, hashSecret } from '../secrets/secrets.ts';
import { signAccessToken } from '../sessions/access-tokens.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import {
  createRefreshToken,
  hashRefreshToken,
  type RefreshToken,
  readRefreshToken,
  succeed,
  writeRefreshToken,
} from '../sessions/refresh-tokens.ts';
import type { CustomerSessionAnswer } from '../sessions/sessions.schema.ts';
import { type OtherTokens, type SessionSettings, sessionRevoked } from '../sessions/sessions.service.ts';
import {
  endReusedSession,
  type FoundSession,
  findSessionOfFamily,
  findSuccessor,
  type RefreshedSession,
  rotateRefreshToken,
  toPrincipal,
  useCode,
} from './customer-sessions.public.queries.ts';
import { CUSTOMER_ROLE, deleteSession } from './customer-sessions.service.ts';

/** What the refresh tokens of customer sessions begin with, which those of users do not. */
const PREFIX = 'cs_';

export type TokenDependencies = {
  db: Db;
  keyring: Keyring;
  settings: SessionSettings;
  forget: TokenAuthentication['forget'];
};

/** The tokens of a customer session in the dashboard, and for how many seconds it still lasts. */
type Tokens = { answer: CustomerSessionAnswer; secondsLeft: number };

/**
 * Opens the dashboard with the code of a link, which is used up: of several requests at once, one gets the tokens.
 * @throws ApiError session_code_invalid, the same for every code that does not work
 */
export async function openByCode(dependencies: Omit<TokenDependencies, 'forget'>, code: string): Promise<Tokens> {
  const token = createRefreshToken('');
  const opened = await useCode(dependencies.db, hashSecret('session_code', readCode(code)), hashRefreshToken(token));
  if (opened === null)
    throw new ApiError(
      'session_code_invalid',
      'The link was used or has expired. Open the page again where you came from.',
    );
  return answer(dependencies, opened, { ...token, sessionId: opened.session.sessionId });
}

/** One spelling of a code works, although the decoder reads several. */
function readCode(code: string): Buffer {
  const bytes = Buffer.from(code, 'base64url');
  return bytes.toString('base64url') === code ? bytes : Buffer.alloc(0);
}

/** Refreshes and ends customer sessions by their refresh tokens, as it is done with those of users. */
export function createCustomerTokens(dependencies: TokenDependencies): OtherTokens {
  const { db, forget } = dependencies;
  return {
    isOne: (text) => text.startsWith(PREFIX),
    forms: [undefined, 'customer'],
    refresh: async (text, actor) => {
      const token = readToken(text);
      if (token === null) throw sessionRevoked();
      const hashes = hashRefreshToken(token);
      const salt = createSecret();
      const successor = succeed(token, salt);
      const { tokenHash: successorHash } = hashRefreshToken(successor);
      const rotated = await rotateRefreshToken(db, hashes, { successorHash, salt });
      if (rotated !== null) return answer(dependencies, rotated, successor);
      const repeated = await findSuccessor(db, hashes);
      if (repeated !== null) return answer(dependencies, repeated, succeed(token, repeated.salt));
      await endIfReused(dependencies, token, actor);
      throw sessionRevoked();
    },
    logOut: async (text, actor) => {
      const token = readToken(text);
      if (token === null) return;
      await transaction(db, async (tx) => {
        const session = await findSessionOfFamily(tx, hashRefreshToken(token));
        if (session === null) return;
        const { companyId, sessionId: id } = session;
        await deleteSession(tx, companyId, { id, actor: asActor(session, actor), forget });
      });
    },
  };
}

function readToken(text: string): RefreshToken | null {
  return text.startsWith(PREFIX) ? readRefreshToken(text.slice(PREFIX.length)) : null;
}

/** The session itself, from where the request comes. */
function asActor(session: FoundSession, actor: Actor): Actor {
  return { ...actor, ...describeCustomer(toPrincipal(session)) };
}

function answer(
  { keyring, settings }: Pick<TokenDependencies, 'keyring' | 'settings'>,
  { session, companyExternalId, returnUrl, secondsLeft }: RefreshedSession,
  refreshToken: RefreshToken,
): Tokens {
  const { sessionId, companyId, customerId, permissions: permission, name } = session;
  const lifetimeSeconds = Math.min(settings.accessTokenLifetimeSeconds, secondsLeft);
  const data: CustomerSessionAnswer['data'] = {
    access_token: signAccessToken(keyring, settings, {
      ...{ userId: customerId ?? sessionId, sessionId, companyId, companyExternalId },
      ...{ role: CUSTOMER_ROLE, kind: 'customer', lifetimeSeconds },
    }),
    expires_in: lifetimeSeconds,
    refresh_token: PREFIX + writeRefreshToken(refreshToken),
    return_url: returnUrl,
    permission,
    name,
  };
  return { answer: { error: null, data }, secondsLeft };
}

/** Ends the session of a refresh token that was used before: somebody else may have it (RFC 9700, 4.14.2). */
async function endIfReused({ db, forget }: TokenDependencies, token: RefreshToken, actor: Actor): Promise<void> {
  const { sessionId } = token;
  const isReused = await transaction(db, async (tx) => {
    const session = await endReusedSession(tx, hashRefreshToken(token));
    if (session === null) return false;
    await recordAudit(tx, session.companyId, {
      audience: 'company',
      actor,
      action: 'session.reuse_detected',
      target: { kind: 'customer_session', id: sessionId, name: session.name },
      changes: null,
    });
    return true;
  });
  if (isReused) forget([sessionId]);
}
