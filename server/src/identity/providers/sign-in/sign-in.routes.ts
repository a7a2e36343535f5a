import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../../platform/http/route/actor.ts';
import { route } from '../../../platform/http/route/route.ts';
import { describeClient } from '../../checks/client.ts';
import { answerOpened } from '../../login/login.answer.ts';
import { takeConsent } from '../links/consent.ts';
import { type Provider, requireProvider } from '../setup/providers.service.ts';
import { beginAttempt, dropAttempt, findAttempt, keepAttempt } from './attempt.ts';
import { createFailureLog } from './failure-log.ts';
import { SignInFailure } from './failures.ts';
import { CallbackQuery, StartQuery } from './sign-in.schema.ts';
import { identify, redirectUriOf, refuseWithoutCompany, type SignInDependencies, signIn } from './sign-in.service.ts';

const tag = 'Accounts';
const DEFAULT_PATH = '/app';
/** Of one address: a whole office may sign in within a minute. */
const REQUESTS_PER_MINUTE = 600;

/** Single sign-on: the way of the browser to the provider, and back. */
export function registerSignInRoutes(app: FastifyInstance, dependencies: SignInDependencies): void {
  const { db, keyring, settings, conversations } = dependencies;
  const { publicUrl } = settings;
  const failures = createFailureLog(db, (error) =>
    app.log.warn({ err: error }, 'failed sign-ins could not be recorded'),
  );
  app.addHook('onClose', failures.close);
  route(app, {
    method: 'GET',
    url: '/auth/oidc/:name/start',
    operationId: 'startSignIn',
    tag,
    summary: 'Begin a sign-in with a provider',
    description:
      'Redirects the browser to the provider (OpenID Connect, authorization code with PKCE), and sets a cookie for ' +
      'ten minutes that ties the sign-in to this browser. If the provider cannot be reached, the answer redirects ' +
      'to the login page with an error, as the second step does.',
    access: 'public',
    requestsPerMinute: REQUESTS_PER_MINUTE,
    query: StartQuery,
    response: { 302: null },
    errors: [],
    handler: async ({ ids: { name }, query, request, reply }) => {
      const provider = await requireProvider(db, dependencies, name);
      await failOnPage({ provider, publicUrl, request, reply }, async () => {
        const consent = query.link === undefined ? null : takeConsent({ request, reply }, keyring, name);
        if (query.link !== undefined && consent === null) {
          throw new SignInFailure('consent_required', 'nobody has consented to a link in this browser');
        }
        const attempt = beginAttempt(provider, { returnTo: query.return_to ?? DEFAULT_PATH, consent });
        await refuseWithoutCompany(db, settings, provider);
        const url = await conversations.begin(provider, attempt, redirectUriOf(settings, provider));
        keepAttempt(reply, keyring, attempt);
        reply.header('location', url.href);
      });
      return null;
    },
  });
  route(app, {
    method: 'GET',
    url: '/auth/oidc/:name/callback',
    operationId: 'finishSignIn',
    tag,
    summary: 'Finish a sign-in with a provider',
    description:
      'The provider sends the browser here. After a successful sign-in, the answer redirects to the path that the sign-in ' +
      'began with, and sets the session cookie `__Host-paydesk`. After a failure, it redirects to `/app/login?error=CODE`. ' +
      'The codes are `sso_failed`, `access_denied`, `provider_unavailable`, `email_not_verified`, ' +
      '`email_domain_not_allowed`, `no_account`, `account_linked`, `consent_required`, `wrong_account` and `has_company`. ' +
      'Further query parameters of the provider are accepted.',
    access: 'public',
    requestsPerMinute: REQUESTS_PER_MINUTE,
    query: CallbackQuery,
    response: { 302: null },
    errors: [],
    handler: async ({ ids: { name }, request, reply }) => {
      const provider = await requireProvider(db, dependencies, name);
      const answer = new URL(redirectUriOf(settings, provider));
      answer.search = new URL(request.url, publicUrl).search;
      const state = answer.searchParams.get('state') ?? '';
      const attempt = findAttempt(request, keyring, { provider, state });
      dropAttempt(reply);
      const failure = await failOnPage({ provider, publicUrl, request, reply }, async () => {
        const identity = await identify(dependencies, provider, attempt, answer);
        const client = describeClient(keyring, request, identity.email ?? '');
        const signedIn = await signIn(dependencies, provider, { identity, client, consent: attempt?.consent ?? null });
        answerOpened(dependencies, { client, form: 'cookie', request, reply }, signedIn);
        reply.header('location', publicUrl + (attempt?.returnTo ?? DEFAULT_PATH));
      });
      if (failure !== null) await failures.record(provider, failure, actorOf(request));
      return null;
    },
  });
}

type Answered = { provider: Provider; publicUrl: string; request: FastifyRequest; reply: FastifyReply };

/** Sends the browser to the page of the login if the sign-in fails. @returns the failure, which is in the log then; null without one */
async function failOnPage(
  { provider, publicUrl, request, reply }: Answered,
  work: () => Promise<void>,
): Promise<SignInFailure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const { code, message } = error;
    request.log.warn({ reqId: request.id, provider: provider.name, code, reason: message }, 'sign-in failed');
    reply.header('location', `${publicUrl}/app/login?error=${code}`);
    return error;
  }
}
