import type { FastifyInstance } from 'fastify';
import { invalidField } from '../../platform/errors.ts';
import { type Actor, actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../platform/keys/keys.ts';
import { publicKeySet } from './access-tokens.ts';
import {
  AnySessionQuery,
  type CookieForm,
  clearSessionCookie,
  deliverTokens,
  readSessionCookie,
} from './session-cookie.ts';
import { JwkSet, RefreshAnswer, RefreshBody, SessionList } from './sessions.schema.ts';
import {
  kindOfToken,
  listSessions,
  logOut,
  logOutByRefreshToken,
  type OtherTokens,
  refreshSession,
  revokeOtherSessions,
  revokeSession,
  type SessionDependencies,
  sessionRevoked,
} from './sessions.service.ts';
import { readUsedFrom } from './used-from.ts';

const tag = 'Accounts';

type Dependencies = SessionDependencies & { otherTokens: readonly OtherTokens[] };

/** Refresh, logout, the list of sessions, and the public keys of access tokens. */
export function registerSessionRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { settings, otherTokens } = dependencies;
  route(app, {
    method: 'POST',
    url: '/auth/refresh',
    operationId: 'refresh',
    tag,
    summary: 'Refresh a session',
    description:
      'Returns a new access token and a new refresh token. The refresh token that you send is used up. If you do not receive ' +
      'the answer, send the same token again within ten seconds: the answer has the same new refresh token. A used token ' +
      'that is sent later ends the session, because somebody else may have stolen it. A session ends when it is not ' +
      'refreshed for 30 days, and after 90 days at the latest. The operator can change both limits.\n\nWith `?session=`, ' +
      'Paydesk reads the refresh token from the cookie and puts the new one into it. Only pages of this service can do that. ' +
      'Without a cookie the answer is 204: nobody is logged in.',
    access: 'public',
    query: AnySessionQuery,
    body: RefreshBody,
    bodyIsOptional: true,
    response: { 200: RefreshAnswer, 204: null },
    errors: ['session_revoked', 'origin_not_allowed'],
    audit: { unrecorded: 'The session continues. A token that is used twice ends it, which the audit log records.' },
    handler: async ({ body, query, request, reply }) => {
      const { session: form } = query;
      const text = form === undefined ? body.refresh_token : readSessionCookie(request, form, settings);
      if (text === undefined) throw invalidField('refresh_token', 'is required');
      if (text === null) {
        reply.code(204);
        return null;
      }
      const kind = kindOfToken(otherTokens, text, form);
      if (kind === null) throw sessionRevoked();
      if (kind === 'user') {
        const answer = await refreshSession(dependencies, text, readUsedFrom(request), actorOf(request));
        return deliverTokens(reply, form, settings.sessionIdleSeconds, answer);
      }
      const { answer, secondsLeft } = await kind.refresh(text, actorOf(request));
      return deliverTokens(reply, form, secondsLeft, answer);
    },
  });
  registerLogout(app, dependencies);
  registerSessionList(app, dependencies);
  registerPublicKeys(app, dependencies);
}

function registerLogout(app: FastifyInstance, dependencies: Dependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/logout',
    operationId: 'logOut',
    tag,
    summary: 'Log out',
    description:
      'Ends the session of the access token. Paydesk refuses the tokens of the session from then on. With `?session=`, the ' +
      'request needs no access token, ends the session of the cookie, and removes the cookie.',
    access: 'user',
    withoutSecondFactor: true,
    query: AnySessionQuery,
    withoutCredentialBy: 'session',
    response: { 204: null },
    errors: ['origin_not_allowed'],
    audit: { recordedBy: 'service' },
    handler: async ({ user, query: { session: form }, request, reply }) => {
      if (form === undefined) await logOut(dependencies, user, actorOf(request));
      else {
        const text = readSessionCookie(request, form, dependencies.settings);
        if (text !== null) await logOutByCookie(dependencies, text, form, actorOf(request));
        clearSessionCookie(reply, form);
      }
      return null;
    },
  });
}

/** Ends the session of a cookie. A text that is no token of the cookie's sessions ends nothing. */
async function logOutByCookie(dependencies: Dependencies, text: string, form: CookieForm, actor: Actor): Promise<void> {
  const kind = kindOfToken(dependencies.otherTokens, text, form);
  if (kind === 'user') await logOutByRefreshToken(dependencies, text, actor);
  else await kind?.logOut(text, actor);
}

function registerSessionList(app: FastifyInstance, dependencies: SessionDependencies): void {
  route(app, {
    method: 'GET',
    url: '/auth/sessions',
    operationId: 'listSessions',
    tag,
    summary: 'List your sessions',
    description:
      'The open sessions, newest first, at most 1,000. A session was last used at the last login or refresh.',
    access: 'user',
    response: { 200: SessionList },
    errors: [],
    handler: ({ user }) => listSessions(dependencies.db, user.userId, user.sessionId),
  });
  route(app, {
    method: 'DELETE',
    url: '/auth/sessions',
    operationId: 'revokeOtherSessions',
    tag,
    summary: 'End all other sessions',
    description: 'Ends all sessions of the user except the one of this request.',
    access: 'user',
    response: { 204: null },
    errors: [],
    audit: { recordedBy: 'service' },
    handler: async ({ user, request }) => {
      await revokeOtherSessions(dependencies, user, actorOf(request));
      return null;
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/auth/sessions/:session_id',
    operationId: 'revokeSession',
    tag,
    summary: 'End a session',
    description:
      'The tokens of the session stop working at once in the process that answers, and within a second in others.',
    access: 'user',
    resource: 'session',
    response: { 204: null },
    errors: [],
    audit: { recordedBy: 'service' },
    handler: async ({ user, ids, request }) => {
      await revokeSession(dependencies, user, ids.session_id, actorOf(request));
      return null;
    },
  });
}

function registerPublicKeys(app: FastifyInstance, { keyring }: SessionDependencies): void {
  route(app, {
    method: 'GET',
    url: '/.well-known/jwks.json',
    operationId: 'getPublicKeys',
    tag,
    summary: 'Read the public keys of access tokens',
    description:
      'Verify access tokens with these keys. The header `kid` of a token names its key. A new key is in this set for six ' +
      'minutes before Paydesk signs the first token with it. A client that caches the set for no longer than Cache-Control ' +
      'allows always has the key it needs.',
    access: 'public',
    response: { 200: JwkSet },
    errors: [],
    handler: async ({ reply }) => {
      reply.header('cache-control', `public, max-age=${KEY_SET_MAX_AGE_SECONDS}`);
      return publicKeySet(keyring);
    },
  });
}
