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
      'Ends all other sessions of the user, and tells the user by mail. A wrong current password counts as a failed login. An account ' +
      'without a password gets one within ten minutes of a login.',
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
      'The answer is the same for every address, in the same time. An address with an account gets a mail, five an hour at most. The ' +
      'link works once, for an hour; a newer one replaces it.',
    access: 'public',
    body: ForgottenPasswordBody,
    response: { 202: NoData },
    errors: [],
    audit: { unrecorded: 'a mail is sent, and nothing changes' },
    handler: async ({ body }) => {
      forgotten.sendLink(body.email);
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
      'Takes the token of the link in the mail. Ends all sessions of the user and the limit on failed logins, and tells the user by ' +
      'mail. It logs nobody in.',
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
