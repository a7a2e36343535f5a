import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route/route.ts';
import { CONFIRMATION_ERRORS } from '../../login/confirmation.ts';
import { PasswordChangeBody } from './change.schema.ts';
import { changePassword, type PasswordDependencies } from './change.service.ts';

const tag = 'Accounts';

/** Changes of passwords. */
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
}
