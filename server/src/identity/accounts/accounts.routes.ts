import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { route } from '../../platform/http/route/route.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';
import { type Client, describeClient, deviceCookie } from '../login/client.ts';
import { logIn } from '../login/login.service.ts';
import { type CookieForm, deliverTokens, SessionQuery } from '../sessions/session-cookie.ts';
import { AuthAnswer } from '../sessions/sessions.schema.ts';
import { emailKey } from '../users/users.public.queries.ts';
import { LoginBody, SignUpBody } from './accounts.schema.ts';
import { type AccountDependencies, signUpAdmin, signUpCustomer } from './accounts.service.ts';

const tag = 'Accounts';

/** Sign-up and login. */
export function registerAccountRoutes(app: FastifyInstance, dependencies: AccountDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/signup/admin',
    operationId: 'signUpAdmin',
    tag,
    summary: 'Register an admin',
    description: 'Creates the company, its empty billing-information record and the admin.',
    access: 'public',
    query: SessionQuery,
    body: SignUpBody,
    response: { 201: AuthAnswer },
    examples: { 201: { data: { user: { role: SYSTEM_ROLES.Admin } } } },
    errors: ['email_taken', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: (context) => answerAccount(dependencies, context, signUpAdmin),
  });
  route(app, {
    method: 'POST',
    url: '/auth/signup/customer',
    operationId: 'signUpCustomer',
    tag,
    summary: 'Register a customer',
    description: 'A customer belongs to no company and may use none of the other resources.',
    access: 'public',
    query: SessionQuery,
    body: SignUpBody,
    response: { 201: AuthAnswer },
    examples: { 201: { data: { user: { company: { id: '' }, role: SYSTEM_ROLES.Customer, state: 'ACTIVED' } } } },
    errors: ['email_taken', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: (context) => answerAccount(dependencies, context, signUpCustomer),
  });
  route(app, {
    method: 'POST',
    url: '/auth/local',
    operationId: 'logIn',
    tag,
    summary: 'Log in',
    description:
      'Ten failures for an e-mail and a client address within 15 minutes lock the two out until the window has passed. A hundred from ' +
      'one address lock it out; a hundred for one e-mail lock out strangers, and never an address or a browser (by the cookie ' +
      '`paydesk_device`) that it has logged in from within 90 days. A login that would wait for longer than two seconds is 503.',
    access: 'public',
    query: SessionQuery,
    body: LoginBody,
    response: { 200: AuthAnswer },
    examples: { 200: { data: { user: { role: SYSTEM_ROLES.Admin } } } },
    errors: ['invalid_credentials', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: (context) => answerAccount(dependencies, context, logIn),
  });
}

type AccountContext<B> = { body: B; query: { session?: CookieForm }; request: FastifyRequest; reply: FastifyReply };

/** Answers with the account and sets the device cookie. Refusals are logged without the e-mail. */
async function answerAccount<B extends { email: string }>(
  dependencies: AccountDependencies,
  { body, query, request, reply }: AccountContext<B>,
  work: (dependencies: AccountDependencies, body: B, client: Client) => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  const { keyring } = dependencies;
  const client = describeClient(keyring, request, body.email);
  try {
    const answer = await work(dependencies, body, client);
    reply.header('set-cookie', deviceCookie(keyring, client, body.email, request.protocol === 'https'));
    return deliverTokens(reply, query.session, dependencies.settings, answer);
  } catch (error) {
    logRefusal(dependencies, { body, request }, client, error);
    throw error;
  }
}

/**
 * The log names the account by a keyed hash, which shows that attempts are about one account and can be computed for a
 * known e-mail.
 */
function logRefusal<B extends { email: string }>(
  { keyring }: AccountDependencies,
  { body, request }: Pick<AccountContext<B>, 'body' | 'request'>,
  { network, device }: Client,
  error: unknown,
): void {
  if (!(error instanceof ApiError) || error.status >= 500) return;
  const account = keyring
    .hashRequest(`account ${emailKey(body.email)}`)
    .toString('base64url')
    .slice(0, 22);
  const fields = { reqId: request.id, code: error.code, account, network, knownDevice: device !== null };
  request.log.warn(fields, request.routeOptions.url === '/auth/local' ? 'login refused' : 'sign-up refused');
}
