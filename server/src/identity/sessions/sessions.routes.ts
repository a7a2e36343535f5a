import type { FastifyInstance } from 'fastify';
import { invalidField } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../platform/keys/keys.ts';
import { publicKeySet } from './access-tokens.ts';
import { clearSessionCookie, deliverTokens, readSessionCookie, SessionQuery } from './session-cookie.ts';
import { AuthAnswer, JwkSet, RefreshBody, SessionList } from './sessions.schema.ts';
import {
  listSessions,
  logOut,
  logOutByRefreshToken,
  refreshSession,
  revokeOtherSessions,
  revokeSession,
  type SessionDependencies,
} from './sessions.service.ts';
import { readUsedFrom } from './used-from.ts';

const tag = 'Accounts';

/** Refresh, logout, the list of sessions, and the public keys of access tokens. */
export function registerSessionRoutes(app: FastifyInstance, dependencies: SessionDependencies): void {
  const { settings } = dependencies;
  route(app, {
    method: 'POST',
    url: '/auth/refresh',
    operationId: 'refresh',
    tag,
    summary: 'Refresh a session',
    description:
      'Returns a new access token and the next refresh token, and uses up the one that is sent. If the answer is lost, send the same ' +
      'token again within ten seconds: it returns the same successor. A used token that comes later, or an older one, ends the session, ' +
      'since somebody else may have it. A session ends when it has not been refreshed for 30 days, and after 90 days at the latest; the ' +
      'operator can change both.\n\n' +
      'With `?session=` the token comes from the cookie and its successor goes back into it, for pages of the service alone. Without a ' +
      'cookie the answer is 204: nobody is logged in.',
    access: 'public',
    query: SessionQuery,
    body: RefreshBody,
    bodyIsOptional: true,
    response: { 200: AuthAnswer, 204: null },
    errors: ['session_revoked', 'origin_not_allowed'],
    audit: { unrecorded: 'The session goes on. A reused token ends it, which is recorded.' },
    handler: async ({ body, query, request, reply }) => {
      const { session: form } = query;
      const text = form === undefined ? body.refresh_token : readSessionCookie(request, form, settings);
      if (text === undefined) throw invalidField('refresh_token', 'is required');
      if (text === null) {
        reply.code(204);
        return null;
      }
      const answer = await refreshSession(dependencies, text, readUsedFrom(request), actorOf(request));
      return deliverTokens(reply, form, settings, answer);
    },
  });
  registerLogout(app, dependencies);
  registerSessionList(app, dependencies);
  registerPublicKeys(app, dependencies);
}

function registerLogout(app: FastifyInstance, dependencies: SessionDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/logout',
    operationId: 'logOut',
    tag,
    summary: 'Log out',
    description:
      'Ends the session behind the access token; its tokens are refused from then on. With `?session=` it ends the session of the ' +
      'cookie, needs no access token, and removes the cookie.',
    access: 'user',
    withoutSecondFactor: true,
    query: SessionQuery,
    withoutCredentialBy: 'session',
    response: { 204: null },
    errors: ['origin_not_allowed'],
    audit: { recordedBy: 'service' },
    handler: async ({ user, query: { session: form }, request, reply }) => {
      if (form === undefined) await logOut(dependencies, user, actorOf(request));
      else {
        const text = readSessionCookie(request, form, dependencies.settings);
        if (text !== null) await logOutByRefreshToken(dependencies, text, actorOf(request));
        clearSessionCookie(reply, form);
      }
      return null;
    },
  });
}

function registerSessionList(app: FastifyInstance, dependencies: SessionDependencies): void {
  route(app, {
    method: 'GET',
    url: '/auth/sessions',
    operationId: 'listSessions',
    tag,
    summary: 'List your sessions',
    description:
      'The sessions that are open, newest first; at most the newest 1,000. The last use is the last login or refresh.',
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
    description: 'Its tokens are refused at once by the process that answers, and within a second by others.',
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
    summary: 'Public keys',
    description:
      'Verify access tokens with these keys; the header `kid` of a token names its key. A new key stands here six minutes before ' +
      'it signs the first token: whoever keeps the set no longer than Cache-Control says never misses one.',
    access: 'public',
    response: { 200: JwkSet },
    errors: [],
    handler: async ({ reply }) => {
      reply.header('cache-control', `public, max-age=${KEY_SET_MAX_AGE_SECONDS}`);
      return publicKeySet(keyring);
    },
  });
}
