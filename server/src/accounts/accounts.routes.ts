import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../http/client-network.ts';
import { route } from '../http/route.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../keys/keys.ts';
import { ROLES } from '../permissions.ts';
import type { TokenAuthentication } from './accounts.authentication.ts';
import { AuthAnswer, JwkSet, LoginBody, SignUpBody } from './accounts.schema.ts';
import { type AccountDependencies, logIn, signUpAdmin, signUpCustomer } from './accounts.service.ts';
import { publicKeySet } from './accounts.tokens.ts';

const tag = 'Accounts';

/** Sign-up, login, logout and the keys that verify our tokens. */
export function registerAccountRoutes(
  app: FastifyInstance,
  dependencies: AccountDependencies,
  { revoke }: TokenAuthentication,
): void {
  route(app, {
    method: 'POST',
    url: '/auth/signup/admin',
    tag,
    summary: 'Register an admin',
    description: 'Creates the company, its empty billing-information record and the admin.',
    access: 'public',
    body: SignUpBody,
    response: { 201: AuthAnswer },
    examples: { 201: { data: { user: { role: ROLES.Admin } } } },
    errors: ['email_taken', 'service_unavailable'],
    handler: ({ body }) => signUpAdmin(dependencies, body),
  });
  route(app, {
    method: 'POST',
    url: '/auth/signup/customer',
    tag,
    summary: 'Register a customer',
    description: 'A customer belongs to no company and may use none of the other resources.',
    access: 'public',
    body: SignUpBody,
    response: { 201: AuthAnswer },
    examples: { 201: { data: { user: { company: { id: '' }, role: ROLES.Customer, state: 'ACTIVED' } } } },
    errors: ['email_taken', 'service_unavailable'],
    handler: ({ body }) => signUpCustomer(dependencies, body),
  });
  route(app, {
    method: 'POST',
    url: '/auth/local',
    tag,
    summary: 'Log in',
    description:
      'Ten failures for an e-mail and a client address within 15 minutes lock the two out until the window has passed; a hundred ' +
      'lock out the e-mail, or the address, everywhere.',
    access: 'public',
    body: LoginBody,
    response: { 200: AuthAnswer },
    examples: { 200: { data: { user: { role: ROLES.Admin } } } },
    errors: ['invalid_credentials', 'rate_limited', 'service_unavailable'],
    handler: ({ body, request }) => logIn(dependencies, body, clientNetwork(request.ip)),
  });
  registerSessionRoutes(app, dependencies, revoke);
}

function registerSessionRoutes(
  app: FastifyInstance,
  { keyring }: AccountDependencies,
  revoke: TokenAuthentication['revoke'],
): void {
  route(app, {
    method: 'POST',
    url: '/auth/logout',
    tag,
    summary: 'Log out',
    description: 'Ends the session behind the access token; the token is refused from then on.',
    access: 'user',
    response: { 204: null },
    errors: [],
    handler: async ({ principal }) => {
      if (principal?.kind === 'user') await revoke(principal.sessionId);
      return null;
    },
  });
  route(app, {
    method: 'GET',
    url: '/.well-known/jwks.json',
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
