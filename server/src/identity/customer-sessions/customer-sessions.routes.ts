import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { CustomerSessionCookieQuery, deliverTokens, refuseOtherPages } from '../sessions/session-cookie.ts';
import { CustomerSessionAnswer } from '../sessions/sessions.schema.ts';
import {
  CustomerSessionBody,
  CustomerSessionList,
  CustomerSessionQuery,
  NewCustomerSession,
  SessionCodeBody,
} from './customer-sessions.schema.ts';
import { deleteSession, listSessions, openSession } from './customer-sessions.service.ts';
import { openByCode, type TokenDependencies } from './customer-tokens.ts';

const tag = 'Operator';

/** The customer sessions of a company, for the operator's product. */
export function registerCustomerSessionRoutes(app: FastifyInstance, context: TokenDependencies): void {
  registerCode(app, context);
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/sessions',
    operationId: 'createCustomerSession',
    tag,
    summary: 'Open a customer session',
    description:
      'Opens a session for a customer who is logged in to your product and has no account in Paydesk. `token` ' +
      'gives access to the objects of the company (cards, addresses, billing information, invoices, usage and ' +
      'labels) as far as `permission` grants it; `platform.billing.all` when absent. `url` opens the dashboard. ' +
      'The session ends when it expires or is deleted, when the operator key that opened it is deleted, and when ' +
      'the company is disabled.',
    access: 'operator',
    resource: 'company',
    body: CustomerSessionBody,
    bodyIsOptional: true,
    response: { 201: NewCustomerSession },
    errors: ['return_origin_not_allowed', 'disabled_company'],
    idempotency: 'create',
    shownOnce: ['token', 'url'],
    audit: { recordedBy: 'service' },
    transaction: ({ operator, request, ids, body }, tx) =>
      openSession(tx, ids.company_id, { ...context, caller: operator, actor: actorOf(request) }, body),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/sessions',
    operationId: 'listCustomerSessions',
    tag,
    summary: "List a company's customer sessions",
    description: 'Lists the open sessions, newest first.',
    access: 'operator',
    resource: 'company',
    query: CustomerSessionQuery,
    response: { 200: CustomerSessionList },
    errors: [],
    handler: ({ ids, query }, db) => listSessions(db, ids.company_id, query),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/companies/:company_id/sessions/:session_id',
    operationId: 'deleteCustomerSession',
    tag,
    summary: 'End a customer session',
    description: 'Its tokens stop working at once in the process that answers, and within a second in others.',
    access: 'operator',
    resource: 'session',
    response: { 204: null },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: async ({ request, ids }, tx) => {
      await deleteSession(tx, ids.company_id, { id: ids.session_id, actor: actorOf(request), forget: context.forget });
      return null;
    },
  });
}

function registerCode(app: FastifyInstance, context: TokenDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/session',
    operationId: 'openSessionByCode',
    tag: 'Accounts',
    summary: 'Open the dashboard by the link of a customer session',
    description:
      'The code works once, within five minutes. The tokens are those of the customer session that the operator’s product has opened: ' +
      'they end with it. With `?session=customer`, the refresh token is in a cookie, and only pages of this service can send the ' +
      'request.',
    access: 'public',
    query: CustomerSessionCookieQuery,
    body: SessionCodeBody,
    response: { 200: CustomerSessionAnswer },
    errors: ['session_code_invalid', 'origin_not_allowed'],
    audit: { unrecorded: 'The session began when the operator’s product opened it, which the audit log records.' },
    handler: async ({ body, query, request, reply }) => {
      if (query.session !== undefined) refuseOtherPages(request, context.settings);
      const { answer, secondsLeft } = await openByCode(context, body.code);
      return deliverTokens(reply, query.session, secondsLeft, answer);
    },
  });
}
