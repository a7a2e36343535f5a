import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import {
  CustomerSessionBody,
  CustomerSessionList,
  CustomerSessionQuery,
  NewCustomerSession,
} from './customer-sessions.schema.ts';
import {
  type CustomerSessionDependencies,
  deleteSession,
  listSessions,
  openSession,
} from './customer-sessions.service.ts';

const tag = 'Operator';

export type CustomerSessionRoutesContext = CustomerSessionDependencies & { forget: TokenAuthentication['forget'] };

/** The customer sessions of a company, for the operator's product. */
export function registerCustomerSessionRoutes(app: FastifyInstance, context: CustomerSessionRoutesContext): void {
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/sessions',
    operationId: 'createCustomerSession',
    tag,
    summary: 'Open a customer session',
    description:
      'For a customer who is logged in to your product and has no account here. `token` calls what is of the company: cards, addresses, ' +
      'billing information, invoices, usage and labels, as far as `permission` grants it (`platform.billing.all` if absent). `url` ' +
      'opens the dashboard. The session ends when it expires, is deleted, with the operator key that opened it, and when the company ' +
      'is disabled.',
    access: 'operator',
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
    description: 'The open ones, newest first.',
    access: 'operator',
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
