import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { type Client, describeClient, deviceCookie } from '../checks/client.ts';
import { type CookieForm, deliverTokens } from '../sessions/session-cookie.ts';
import type { AuthAnswer } from '../sessions/sessions.schema.ts';
import { emailKey } from '../users/users.public.queries.ts';
import type { LoginDependencies } from './login.service.ts';

type AccountContext = {
  /** Of the account that is signed up or logged in. */
  email: string;
  query: { session?: CookieForm };
  request: FastifyRequest;
  reply: FastifyReply;
};

type Data = { data: object };

/**
 * Answers a sign-up or login. With tokens it sets the device cookie too: not before the second factor, because failures of a known device
 * are counted apart. Refusals are logged without the e-mail.
 */
export async function answerAccount<Answer extends Data>(
  { keyring, settings }: Pick<LoginDependencies, 'keyring' | 'settings'>,
  { email, query, request, reply }: AccountContext,
  work: (client: Client) => Promise<Answer | AuthAnswer>,
): Promise<Answer | AuthAnswer> {
  const client = describeClient(keyring, request, email);
  try {
    const answer = await work(client);
    if (!hasTokens(answer)) return answer;
    reply.header('set-cookie', deviceCookie(keyring, client, email, request.protocol === 'https'));
    return deliverTokens(reply, query.session, settings, answer);
  } catch (error) {
    logRefusal(keyring, { email, request }, client, error);
    throw error;
  }
}

function hasTokens(answer: Data): answer is AuthAnswer {
  return 'access_token' in answer.data;
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
