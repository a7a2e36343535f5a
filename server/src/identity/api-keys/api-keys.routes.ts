import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { ApiKeyBody, ApiKeyList, ApiKeyQuery, NewApiKey } from './api-keys.schema.ts';
import { type ApiKeys, createApiKey, findKey, listApiKeys, removeApiKey } from './api-keys.service.ts';

const tag = 'API keys';
const AUDITED = ['name', 'permission', 'expires_at', 'allowed_ips'];

/** The API keys of a company. */
export function registerApiKeyRoutes(app: FastifyInstance, apiKeys: ApiKeys): void {
  route(app, {
    method: 'GET',
    url: '/company/api-keys',
    operationId: 'listApiKeys',
    tag,
    summary: 'List API keys',
    description: 'The newest key comes first. An expired key stays on the list until somebody deletes it.',
    access: 'platform.applications.view',
    refusesApiKeys: true,
    query: ApiKeyQuery,
    response: { 200: ApiKeyList },
    errors: [],
    handler: ({ companyId, query }, db) => listApiKeys(db, companyId, query),
  });
  route(app, {
    method: 'POST',
    url: '/company/api-keys',
    operationId: 'createApiKey',
    tag,
    summary: 'Create an API key',
    description:
      'The key gets only permissions that the caller has. Only this answer contains the key. If its creator loses a ' +
      'permission, the key loses it too. If its creator leaves the company, the key stops working.',
    access: 'platform.applications.all',
    refusesApiKeys: true,
    body: ApiKeyBody,
    response: { 201: NewApiKey },
    errors: ['permission_not_held', 'limit_reached'],
    idempotency: 'create',
    shownOnce: ['key'],
    audit: { audience: 'company', action: 'api_key.created', fields: AUDITED },
    transaction: ({ companyId, userId, permissions, body }, tx) =>
      createApiKey(tx, companyId, { userId, permissions }, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/company/api-keys/:api_key_id',
    operationId: 'deleteApiKey',
    tag,
    summary: 'Delete an API key',
    description: 'The key stops working at once in the process that answers, and within a second in other processes.',
    access: 'platform.applications.all',
    refusesApiKeys: true,
    resource: 'API key',
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'api_key.deleted',
      before: ({ companyId, ids }, tx) => findKey(tx, companyId, ids.api_key_id),
      fields: AUDITED,
    },
    transaction: async ({ companyId, ids }, tx) => {
      await removeApiKey(tx, companyId, ids.api_key_id, apiKeys);
      return null;
    },
  });
}
