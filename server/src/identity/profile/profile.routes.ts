import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { CONFIRMATION_ERRORS } from '../checks/confirmation.ts';
import { type DeletionDependencies, deleteAccount } from './deletion.ts';
import { AccountDeletionBody, ProfileAnswer, ProfileBody } from './profile.schema.ts';
import { changeProfile, readProfile } from './profile.service.ts';

const tag = 'Accounts';

/** The user's own profile and account. */
export function registerProfileRoutes(app: FastifyInstance, dependencies: DeletionDependencies): void {
  route(app, {
    method: 'GET',
    url: '/auth/me',
    operationId: 'getProfile',
    tag,
    summary: 'Get your profile',
    access: 'user',
    withoutSecondFactor: true,
    response: { 200: ProfileAnswer },
    errors: [],
    handler: ({ user }, db) => readProfile(db, user.userId),
  });
  route(app, {
    method: 'PUT',
    url: '/auth/me',
    operationId: 'updateProfile',
    tag,
    summary: 'Change your profile',
    description:
      'Fields that are absent keep their values. An empty text unsets a field. The first and last name cannot be unset.',
    access: 'user',
    body: ProfileBody,
    response: { 200: ProfileAnswer },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: ({ user, body, request }, tx) => changeProfile(tx, user.userId, body, actorOf(request)),
  });
  route(app, {
    method: 'DELETE',
    url: '/auth/me',
    operationId: 'deleteAccount',
    tag,
    summary: 'Delete your account',
    description:
      'Ends all sessions of the user and removes the personal data. The audit log keeps the id of the user, but not the name ' +
      'and the e-mail.',
    access: 'user',
    body: AccountDeletionBody,
    bodyIsOptional: true,
    response: { 204: null },
    errors: [...CONFIRMATION_ERRORS, 'last_admin'],
    audit: { recordedBy: 'service' },
    handler: async ({ user, body, request }) => {
      await deleteAccount(dependencies, { user, request }, body.password);
      return null;
    },
  });
}
