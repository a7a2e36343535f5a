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
      'If the user has a second factor, the answer has `data.second_factor` instead of tokens. Finish the login with `POST ' +
      '/auth/local/second-factor`.\n\nAfter ten failed logins with the same e-mail and client address within 15 minutes, ' +
      'logins with both are refused until the 15 minutes have passed. After a hundred from one address, all logins from that ' +
      'address are refused. After a hundred with one e-mail, logins with that e-mail are refused, except from an address or ' +
      'a browser (known by the cookie `paydesk_device`) that has logged in with it within 90 days and with the same ' +
      'credentials. After 20 from all such browsers together, logins from them are refused. A login that would have to wait ' +
      'for more than two seconds is answered with 503.',
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
      'Send one of these: a code of the authenticator app, a recovery code, or a passkey. The token of the login works for ' +
      'five minutes and five attempts. A wrong attempt counts as a failed login.',
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
      'Answers the options for `navigator.credentials.get()`. They accept any passkey of this service. A client address can ' +
      'send 600 of these requests a minute to each process.',
    access: 'public',
    requestsPerMinute: CHALLENGES_PER_MINUTE,
    response: { 200: PasskeyRequestAnswer },
    errors: ['rate_limited'],
    audit: { unrecorded: 'Nobody is logged in yet.' },
    handler: async () => ({ error: null, data: await beginPasskeyLogin(dependencies) }),
  });
  route(app, {
    method: 'POST',
    url: '/auth/passkeys/login',
    operationId: 'logInWithPasskey',
    tag,
    summary: 'Log in with a passkey',
    description:
      'A login with a passkey needs no password and no second factor, because the authenticator verifies the user.',
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
