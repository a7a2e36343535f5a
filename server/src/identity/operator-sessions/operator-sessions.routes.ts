import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { describeClient } from '../checks/client.ts';
import {
  ConsoleSessionCookieQuery,
  clearSessionCookie,
  refuseOtherPages,
  setSessionCookie,
} from '../sessions/session-cookie.ts';
import { ConsoleSessionAnswer, NewCompanyView } from '../sessions/sessions.schema.ts';
import { OperatorLoginBody } from './operator-sessions.schema.ts';
import { closeViews, openConsole, openView } from './operator-sessions.service.ts';
import type { OperatorTokenDependencies } from './operator-tokens.ts';

/** The console for whoever has an operator key, and the views of companies. */
export function registerOperatorSessionRoutes(app: FastifyInstance, dependencies: OperatorTokenDependencies): void {
  const { keyring, settings } = dependencies;
  route(app, {
    method: 'POST',
    url: '/auth/operator',
    operationId: 'logInWithOperatorKey',
    tag: 'Accounts',
    summary: 'Log in to the console with an operator key',
    description:
      'Changes an operator key for a session of one hour, so that no page keeps the key. The session may do what the key may. ' +
      'It ends with the key. `POST /auth/refresh?session=console` answers its next access token. Only pages of this service can ' +
      'send the request. After ten wrong keys from an address within 15 minutes, keys from it are refused until the 15 minutes ' +
      'have passed.',
    access: 'public',
    query: ConsoleSessionCookieQuery,
    body: OperatorLoginBody,
    response: { 200: ConsoleSessionAnswer },
    errors: ['invalid_credentials', 'origin_not_allowed', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: async ({ body, query, request, reply }) => {
      refuseOtherPages(request, settings);
      const client = describeClient(keyring, request, '');
      const { answer, refreshToken, secondsLeft } = await openConsole(dependencies, body.key, client);
      setSessionCookie(reply, query.session, refreshToken, secondsLeft);
      return answer;
    },
  });
  registerViews(app, dependencies);
}

function registerViews(app: FastifyInstance, dependencies: OperatorTokenDependencies): void {
  const tag = 'Operator';
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/views',
    operationId: 'viewCompany',
    tag,
    summary: 'View a company as its members see it',
    description:
      'Opens a view for 15 minutes. Its access token may `GET` what a member of the company may who has the view of everything, ' +
      'and nothing else. The refresh token is in the cookie `__Host-paydesk-view`, for `POST /auth/refresh?session=view`. The ' +
      'view ends with the operator key, account or session that opened it. The audit log of the company has who viewed it.',
    access: 'operator',
    resource: 'company',
    response: { 201: NewCompanyView },
    errors: [],
    idempotency: 'create',
    shownOnce: ['access_token'],
    audit: { recordedBy: 'service' },
    transaction: async ({ operator, request, reply, ids }, tx) => {
      const opener = { ...dependencies, caller: operator, actor: actorOf(request) };
      const { answer, refreshToken, secondsLeft } = await openView(tx, ids.company_id, opener);
      setSessionCookie(reply, 'view', refreshToken, secondsLeft);
      return answer;
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/companies/:company_id/views',
    operationId: 'endCompanyViews',
    tag,
    summary: 'End your views of a company',
    description:
      'Ends the views that the operator key or account has opened, and removes the cookie. Their tokens stop working at once in ' +
      'the process that answers, and within a second in others.',
    access: 'operator',
    resource: 'company',
    response: { 204: null },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: async ({ operator, request, reply, ids }, tx) => {
      const { forget } = dependencies;
      await closeViews(tx, ids.company_id, { caller: operator, actor: actorOf(request), forget });
      clearSessionCookie(reply, 'view');
      return null;
    },
  });
}
