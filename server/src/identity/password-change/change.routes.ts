import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { CONFIRMATION_ERRORS } from '../checks/confirmation.ts';
import { NoData } from '../email/email.schema.ts';
import { ForgottenPasswordBody, PasswordChangeBody, PasswordResetBody } from './change.schema.ts';
import { changePassword, type PasswordDependencies, resetPassword } from './change.service.ts';
import { createForgottenPasswords } from './forgotten.ts';

const tag = 'Accounts';

/** Changes of passwords, and resets of forgotten ones. */
export function registerPasswordRoutes(app: FastifyInstance, dependencies: PasswordDependencies): void {
  route(app, {
    method: 'PUT',
    url: '/auth/password',
    operationId: 'changePassword',
    tag,
    summary: 'Change your password',
    description:
      'Ends all other sessions of the user, and sends the user a mail about the change. A wrong current password counts as a ' +
      'failed login. For an account without a password, the request sets one, if the login was less than ten minutes ago.',
    access: 'user',
    body: PasswordChangeBody,
    response: { 204: null },
    errors: CONFIRMATION_ERRORS,
    audit: { recordedBy: 'service' },
    handler: async ({ user, body, request }) => {
      await changePassword(dependencies, { user, request }, body);
      return null;
    },
  });
  registerResets(app, dependencies);
}

function registerResets(app: FastifyInstance, dependencies: PasswordDependencies): void {
  const forgotten = createForgottenPasswords(dependencies.db, dependencies.mail, (error) =>
    app.log.warn({ err: error }, 'a link that resets a password could not be sent'),
  );
  app.addHook('onClose', forgotten.finish);
  route(app, {
    method: 'POST',
    url: '/auth/password/forgot',
    operationId: 'sendPasswordReset',
    tag,
    summary: 'Send a link that resets the password',
    description:
      'The answer and its duration are the same for every address. If the address has an account, it gets a mail, at most ' +
      'five an hour. The link works once, for an hour. A newer link replaces it.',
    access: 'public',
    body: ForgottenPasswordBody,
    response: { 202: NoData },
    errors: [],
    audit: { unrecorded: 'The request sends a mail and changes nothing.' },
    handler: async ({ body }) => {
      await forgotten.sendLink(body.email);
      return { error: null, data: null };
    },
  });
  route(app, {
    method: 'POST',
    url: '/auth/password/reset',
    operationId: 'resetPassword',
    tag,
    summary: 'Reset a forgotten password',
    description:
      'Send the token of the link in the mail. The request sets the password, ends all sessions of the user, lifts the limit ' +
      'on failed logins, and sends the user a mail about the change. It does not log the user in.',
    access: 'public',
    body: PasswordResetBody,
    response: { 204: null },
    errors: ['invalid_token'],
    audit: { recordedBy: 'service' },
    handler: async ({ body, request }) => {
      await resetPassword(dependencies, body, request);
      return null;
    },
  });
}
