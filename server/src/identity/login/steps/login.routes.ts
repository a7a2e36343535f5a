import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route/route.ts';
import { SYSTEM_ROLES } from '../../../platform/permissions.ts';
import { PasskeyRequestAnswer } from '../../passkeys/passkeys.schema.ts';
import { beginPasskeyLogin } from '../../passkeys/passkeys.service.ts';
import { SessionQuery } from '../../sessions/session-cookie.ts';
import { AuthAnswer } from '../../sessions/sessions.schema.ts';
import { answerAccount } from '../login.answer.ts';
import { LoginAnswer, LoginBody, PasskeyLoginBody, SecondFactorBody } from './login.schema.ts';
import { continueLogin, finishLogin, logInWithPassword, type StepDependencies } from './login-states.ts';
import { identifyByPasskey, logInWithPasskey } from './passkey-login.ts';
import { readShownFactor } from './shown-factor.ts';

const tag = 'Accounts';

/** Nobody has to be known for a challenge, and each is a row for five minutes. */
const CHALLENGES_PER_MINUTE = 600;
const examples = { 200: { data: { user: { role: SYSTEM_ROLES.Admin } } } };

/** Login: by password and, if the user has one, second factor; or by passkey. */
export function registerLoginRoutes(app: FastifyInstance, dependencies: StepDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/local',
    operationId: 'logIn',
    tag,
    summary: 'Log in',
    description:
      'A user with a second factor gets `data.second_factor` instead of tokens: finish the login with ' +
      '`POST /auth/local/second-factor`.\n\n' +
      'Ten failures for an e-mail and a client address within 15 minutes lock the two out until the window has passed. A hundred from ' +
      'one address lock it out; a hundred for one e-mail lock out strangers, and never an address or a browser (by the cookie ' +
      '`paydesk_device`) that it has logged in from within 90 days. A login that would wait for longer than two seconds is 503.',
    access: 'public',
    query: SessionQuery,
    body: LoginBody,
    response: { 200: LoginAnswer },
    examples,
    errors: ['invalid_credentials', 'sso_required', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: (context) => {
      const { body } = context;
      return answerAccount(dependencies, { ...context, email: body.email }, (client) =>
        logInWithPassword(dependencies, body, client),
      );
    },
  });
  registerSecondStep(app, dependencies);
  registerPasskeyLogin(app, dependencies);
}

function registerSecondStep(app: FastifyInstance, dependencies: StepDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/local/second-factor',
    operationId: 'finishLogIn',
    tag,
    summary: 'Finish a login with the second factor',
    description:
      'Takes one of a code of the authenticator app, a recovery code, and a passkey. The token of the login is good for five minutes ' +
      'and five tries; a wrong try counts as a failed login.',
    access: 'public',
    query: SessionQuery,
    body: SecondFactorBody,
    response: { 200: AuthAnswer },
    examples,
    errors: ['invalid_code', 'invalid_second_factor_token', 'sso_required', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      const shown = readShownFactor(context.body);
      const pending = await continueLogin(dependencies, context.body.token);
      return answerAccount(dependencies, { ...context, email: pending.user.email }, (client) =>
        finishLogin(dependencies, pending, shown, client),
      );
    },
  });
}

function registerPasskeyLogin(app: FastifyInstance, dependencies: StepDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/passkeys/login/options',
    operationId: 'beginPasskeyLogIn',
    tag,
    summary: 'Begin a login with a passkey',
    description:
      'Answers what `navigator.credentials.get()` needs, for any passkey of this service. An address gets 600 of them a minute from each ' +
      'process.',
    access: 'public',
    requestsPerMinute: CHALLENGES_PER_MINUTE,
    response: { 200: PasskeyRequestAnswer },
    errors: ['rate_limited'],
    audit: { unrecorded: 'nobody is logged in yet' },
    handler: async () => ({ error: null, data: await beginPasskeyLogin(dependencies) }),
  });
  route(app, {
    method: 'POST',
    url: '/auth/passkeys/login',
    operationId: 'logInWithPasskey',
    tag,
    summary: 'Log in with a passkey',
    description: 'Asks for no password and no second factor: the authenticator has verified its user.',
    access: 'public',
    query: SessionQuery,
    body: PasskeyLoginBody,
    response: { 200: AuthAnswer },
    examples,
    errors: ['invalid_credentials', 'sso_required', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      const { body, request } = context;
      const found = await identifyByPasskey(dependencies, body.passkey, request);
      return answerAccount(dependencies, { ...context, email: found.user.email }, (client) =>
        logInWithPasskey(dependencies, found, client),
      );
    },
  });
}
