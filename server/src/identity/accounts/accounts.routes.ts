import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';
import { answerAccount } from '../login/login.answer.ts';
import { SessionQuery } from '../sessions/session-cookie.ts';
import { AuthAnswer } from '../sessions/sessions.schema.ts';
import { SignUpBody } from './accounts.schema.ts';
import { type AccountDependencies, signUpAdmin, signUpCustomer } from './accounts.service.ts';

const tag = 'Accounts';

/** Sign-up. */
export function registerAccountRoutes(app: FastifyInstance, dependencies: AccountDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/signup/admin',
    operationId: 'signUpAdmin',
    tag,
    summary: 'Register an admin',
    description: 'Creates a company with empty billing information, and an account for its first admin.',
    access: 'public',
    query: SessionQuery,
    body: SignUpBody,
    response: { 201: AuthAnswer },
    examples: { 201: { data: { user: { role: SYSTEM_ROLES.Admin } } } },
    errors: ['email_taken', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: (context) => {
      const { body } = context;
      return answerAccount(dependencies, { ...context, email: body.email }, (client) =>
        signUpAdmin(dependencies, body, client),
      );
    },
  });
  route(app, {
    method: 'POST',
    url: '/auth/signup/customer',
    operationId: 'signUpCustomer',
    tag,
    summary: 'Register a customer',
    description: 'A customer belongs to no company and cannot use the resources of companies.',
    access: 'public',
    query: SessionQuery,
    body: SignUpBody,
    response: { 201: AuthAnswer },
    examples: { 201: { data: { user: { company: { id: '' }, role: SYSTEM_ROLES.Customer, state: 'ACTIVED' } } } },
    errors: ['email_taken', 'rate_limited', 'service_unavailable'],
    audit: { recordedBy: 'service' },
    handler: (context) => {
      const { body } = context;
      return answerAccount(dependencies, { ...context, email: body.email }, (client) =>
        signUpCustomer(dependencies, body, client),
      );
    },
  });
}
