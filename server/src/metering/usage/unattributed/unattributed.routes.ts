import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route/route.ts';
import { UnattributedUsageDeletion, UnattributedUsageList, UnattributedUsageQuery } from './unattributed.schema.ts';
import { discardUnattributed, listUnattributed, lockWaitingUsage } from './unattributed.service.ts';

const tag = 'Usage';

/** Usage of external ids that no company has yet, for the operator. */
export function registerUnattributedRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/usage/unattributed',
    operationId: 'listUnattributedUsage',
    tag,
    summary: 'List unattributed usage',
    description:
      'Lists usage of external ids that no company has yet. The external id with the oldest event comes first. The ' +
      "usage becomes a company's usage as soon as the company gets the external id.",
    access: 'operator',
    query: UnattributedUsageQuery,
    response: { 200: UnattributedUsageList },
    errors: [],
    handler: ({ query }, db) => listUnattributed(db, query),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/usage/unattributed',
    operationId: 'deleteUnattributedUsage',
    tag,
    summary: 'Delete unattributed usage',
    description:
      'Deletes all usage of an external id that no company has. An event of it that comes again is a new one.',
    access: 'operator',
    query: UnattributedUsageDeletion,
    response: { 204: null },
    errors: ['not_found'],
    audit: {
      audience: 'operator',
      action: 'unattributed_usage.deleted',
      before: ({ query: { externalId } }, tx) => lockWaitingUsage(tx, externalId),
      name: ({ externalId }) => externalId,
    },
    transaction: async ({ query: { externalId } }, tx) => {
      await discardUnattributed(tx, externalId);
      return null;
    },
  });
}
