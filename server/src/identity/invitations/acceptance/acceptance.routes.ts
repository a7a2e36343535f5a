import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route/route.ts';
import { SYSTEM_ROLES } from '../../../platform/permissions.ts';
import { describeClient } from '../../checks/client.ts';
import { answerOpened } from '../../login/login.answer.ts';
import { SessionQuery } from '../../sessions/session-cookie.ts';
import { AuthAnswer } from '../../sessions/sessions.schema.ts';
import { AcceptanceBody, OpenInvitation } from './acceptance.schema.ts';
import {
  type AcceptanceDependencies,
  acceptAsCustomer,
  acceptBySignUp,
  readOpenInvitation,
  requireInvitation,
  requireSignUpFields,
} from './acceptance.service.ts';

const tag = 'Accounts';

/** What the invited do with the link of an invitation. */
export function registerAcceptanceRoutes(app: FastifyInstance, dependencies: AcceptanceDependencies): void {
  route(app, {
    method: 'GET',
    url: '/auth/invitations/:token',
    operationId: 'getInvitation',
    tag,
    summary: 'Read an invitation',
    description: 'Send the token of the link in the mail, which follows `#token=`.',
    access: 'public',
    response: { 200: OpenInvitation },
    errors: [],
    handler: ({ ids: { token }, reply }, db) => {
      reply.header('cache-control', 'no-store');
      return readOpenInvitation(db, token);
    },
  });
  route(app, {
    method: 'POST',
    url: '/auth/invitations/accept',
    operationId: 'acceptInvitation',
    tag,
    summary: 'Accept an invitation',
    description:
      'Without an access token, the request creates an account: 201. With the access token of a customer who has the invited ' +
      'e-mail address, that account joins the company and gets a new session: 200. Either way, the e-mail address counts as ' +
      'verified. The inviter must still have the permissions of the invited role.',
    access: 'public',
    takesCredential: true,
    query: SessionQuery,
    body: AcceptanceBody,
    response: { 200: AuthAnswer, 201: AuthAnswer },
    examples: {
      200: { data: { user: { role: SYSTEM_ROLES.Viewer } } },
      201: { data: { user: { role: SYSTEM_ROLES.Viewer } } },
    },
    errors: [
      'invalid_token',
      'unauthenticated',
      'forbidden',
      'permission_not_held',
      'wrong_account',
      'email_taken',
      'has_company',
    ],
    audit: { recordedBy: 'service' },
    handler: async ({ body, query, request, reply }, db) => {
      const { principal } = request;
      const user = principal?.kind === 'user' ? principal : null;
      if (user === null) requireSignUpFields(body);
      const invitation = await requireInvitation(db, body.token);
      const client = describeClient(dependencies.keyring, request, invitation.email);
      const opened =
        user === null
          ? await acceptBySignUp(dependencies, invitation, body, client)
          : await acceptAsCustomer(dependencies, user, body.token, client);
      reply.code(user === null ? 201 : 200);
      return answerOpened(dependencies, { client, form: query.session, request, reply }, opened);
    },
  });
}
