import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { NewOperatorKey, OperatorKeyBody, OperatorKeyList, OperatorKeyQuery } from './operators.schema.ts';
import {
  createOperatorKey,
  deleteOperatorKey,
  findOperatorKey,
  listOperatorKeys,
  type OperatorKeys,
} from './operators.service.ts';

const tag = 'Operator';
const AUDITED = ['name', 'role', 'expiresAt'];

/** The operator's keys. */
export function registerOperatorKeyRoutes(app: FastifyInstance, operatorKeys: OperatorKeys): void {
  route(app, {
    method: 'GET',
    url: '/operator/keys',
    operationId: 'listOperatorKeys',
    tag,
    summary: "List the operator's keys",
    description:
      'The newest key comes first, and the key of `OPERATOR_KEY` or the data directory comes last. An expired key ' +
      'stays on the list until somebody deletes it.',
    access: 'operator',
    query: OperatorKeyQuery,
    response: { 200: OperatorKeyList },
    errors: [],
    handler: ({ query }, db) => listOperatorKeys(db, query),
  });
  route(app, {
    method: 'POST',
    url: '/operator/keys',
    operationId: 'createOperatorKey',
    tag,
    summary: 'Create an operator key',
    description: 'Only this answer contains the key.',
    access: 'operator',
    body: OperatorKeyBody,
    response: { 201: NewOperatorKey },
    errors: ['limit_reached'],
    idempotency: 'create',
    shownOnce: ['key'],
    audit: { audience: 'operator', action: 'operator_key.created', fields: AUDITED },
    transaction: ({ body }, tx) => createOperatorKey(tx, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/keys/:key_id',
    operationId: 'deleteOperatorKey',
    tag,
    summary: 'Delete an operator key',
    description:
      'The key stops working at once in the process that answers, and within a second in other processes. The key of ' +
      '`OPERATOR_KEY` or the data directory cannot be deleted. To replace it, restart Paydesk with another key.',
    access: 'operator',
    resource: 'key',
    response: { 204: null },
    errors: ['first_key'],
    audit: {
      audience: 'operator',
      action: 'operator_key.deleted',
      before: ({ ids }, tx) => findOperatorKey(tx, ids.key_id),
      fields: AUDITED,
    },
    transaction: async ({ ids }, tx) => {
      await deleteOperatorKey(tx, ids.key_id, operatorKeys);
      return null;
    },
  });
}
