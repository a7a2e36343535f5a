import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { ProfileAnswer, ProfileBody } from './profile.schema.ts';
import { changeProfile, readProfile } from './profile.service.ts';

const tag = 'Accounts';

/** The user's own profile. */
export function registerProfileRoutes(app: FastifyInstance): void {
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
    description: 'Absent fields stay as they are. An empty text unsets a field; the names can’t be unset.',
    access: 'user',
    body: ProfileBody,
    response: { 200: ProfileAnswer },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: ({ user, body, request }, tx) => changeProfile(tx, user.userId, body, actorOf(request)),
  });
}
