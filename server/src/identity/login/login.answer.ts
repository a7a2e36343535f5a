import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { type Client, describeClient, deviceCookie } from '../checks/client.ts';
import { type CookieForm, deliverTokens } from '../sessions/session-cookie.ts';
import type { AuthAnswer } from '../sessions/sessions.schema.ts';
import { answerTokens, type OpenedSession } from '../sessions/sessions.service.ts';
import { emailKey } from '../users/users.public.queries.ts';
import type { LoginDependencies } from './login.service.ts';

type AccountContext = {
  /** Of the account that is signed up or logged in. */
  email: string;
  query: { session?: CookieForm };
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Answers a sign-up or login, as `answerOpened` where it has begun a session. Refusals are logged without the e-mail. */
export async function answerAccount<Done extends OpenedSession | { data: object }>(
  dependencies: Pick<LoginDependencies, 'keyring' | 'settings'>,
  { email, query, request, reply }: AccountContext,
  work: (client: Client) => Promise<Done>,
): Promise<AuthAnswer | Exclude<Done, OpenedSession>> {
  const { keyring } = dependencies;
  const client = describeClient(keyring, request, email);
  try {
    const done = await work(client);
    if (!isOpened(done)) return done as Exclude<Done, OpenedSession>;
    return answerOpened(dependencies, { client, form: query.session, request, reply }, done);
  } catch (error) {
    logRefusal(keyring, { email, request }, client, error);
    throw error;
  }
}

/**
 * Answers the tokens of a session that has begun, and sets the device cookie: not before the second factor, because failures of a known
 * device are counted apart.
 */
export function answerOpened(
  dependencies: Pick<LoginDependencies, 'keyring' | 'settings'>,
  {
    client,
    form,
    request,
    reply,
  }: Omit<AccountContext, 'email' | 'query'> & { client: Client; form?: CookieForm | undefined },
  { user, tokens }: OpenedSession,
): AuthAnswer {
  const { keyring, settings } = dependencies;
  reply.header('set-cookie', deviceCookie(keyring, client, user, request.protocol === 'https'));
  return deliverTokens(reply, form, settings.sessionIdleSeconds, answerTokens(dependencies, user, tokens));
}

function isOpened(done: OpenedSession | { data: object }): done is OpenedSession {
  return 'tokens' in done;
}

/**
 * The log names the account by a keyed hash, which shows that attempts are about one account and can be computed for a
 * known e-mail.
 */
function logRefusal(
  keyring: Keyring,
  { email, request }: Pick<AccountContext, 'email' | 'request'>,
  { network, device }: Client,
  error: unknown,
): void {
  if (!(error instanceof ApiError) || error.status >= 500) return;
  const account = keyring
    .hashRequest(`account ${emailKey(email)}`)
    .toString('base64url')
    .slice(0, 22);
  const fields = { reqId: request.id, code: error.code, account, network, knownDevice: device !== null };
  const isSignUp = request.routeOptions.url?.startsWith('/auth/signup/');
  request.log.warn(fields, isSignUp ? 'sign-up refused' : 'login refused');
}
