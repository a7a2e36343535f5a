import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { CONFIRMATION_ERRORS } from '../checks/confirmation.ts';
import { findPasskeys } from './passkeys.public.queries.ts';
import {
  CreatePasskeyBody,
  DeletePasskeyBody,
  PasskeyAnswer,
  PasskeyCreated,
  PasskeyCreationAnswer,
  PasskeyList,
  PasskeyOptionsBody,
  UpdatePasskeyBody,
} from './passkeys.schema.ts';
import {
  beginRegistration,
  nameOfPasskey,
  type PasskeyDependencies,
  registerPasskey,
  removePasskey,
} from './passkeys.service.ts';

const tag = 'Accounts';

/** The passkeys of a user. Logging in with one is a matter of `login`. */
export function registerPasskeyRoutes(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  registerCreation(app, dependencies);
  route(app, {
    method: 'GET',
    url: '/auth/passkeys',
    operationId: 'listPasskeys',
    tag,
    summary: 'List your passkeys',
    description: 'The newest passkey comes first. A user can have at most 100 passkeys.',
    access: 'user',
    response: { 200: PasskeyList },
    errors: [],
    handler: async ({ user }) => ({ error: null, data: await findPasskeys(dependencies.db, user.userId) }),
  });
  route(app, {
    method: 'PUT',
    url: '/auth/passkeys/:passkey_id',
    operationId: 'updatePasskey',
    tag,
    summary: 'Rename a passkey',
    access: 'user',
    resource: 'passkey',
    body: UpdatePasskeyBody,
    response: { 200: PasskeyAnswer },
    errors: [],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      const given = { id: context.ids.passkey_id, name: context.body.name };
      return { error: null, data: await nameOfPasskey(dependencies, context, given) };
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/auth/passkeys/:passkey_id',
    operationId: 'deletePasskey',
    tag,
    summary: 'Delete a passkey',
    description: 'When the last second factor of a user is deleted, the recovery codes are deleted too.',
    access: 'user',
    resource: 'passkey',
    body: DeletePasskeyBody,
    response: { 204: null },
    errors: [...CONFIRMATION_ERRORS, 'last_second_factor'],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      await removePasskey(dependencies, context, { id: context.ids.passkey_id, password: context.body.password });
      return null;
    },
  });
}

function registerCreation(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/passkeys/options',
    operationId: 'beginPasskey',
    tag,
    summary: 'Begin the registration of a passkey',
    description:
      'Answers the options for `navigator.credentials.create()`. The passkey belongs to the host name of `PUBLIC_URL`. The ' +
      'authenticator stores the passkey and verifies the user.',
    access: 'user',
    withoutSecondFactor: true,
    body: PasskeyOptionsBody,
    response: { 200: PasskeyCreationAnswer },
    errors: [...CONFIRMATION_ERRORS],
    audit: { unrecorded: 'Nothing changes until the passkey is registered.' },
    handler: async (context) => {
      return { error: null, data: await beginRegistration(dependencies, context, context.body.password) };
    },
  });
  route(app, {
    method: 'POST',
    url: '/auth/passkeys',
    operationId: 'createPasskey',
    tag,
    summary: 'Register a passkey',
    description:
      'From now on, a login with the password needs a second factor, and a login with the passkey needs no password. If this ' +
      'is the first second factor of the user, the answer has ten recovery codes.',
    access: 'user',
    withoutSecondFactor: true,
    body: CreatePasskeyBody,
    response: { 201: PasskeyCreated },
    errors: ['invalid_passkey', 'passkey_exists', 'limit_reached'],
    audit: { recordedBy: 'service' },
    handler: async (context) => ({ error: null, data: await registerPasskey(dependencies, context, context.body) }),
  });
}
