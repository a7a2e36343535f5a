import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { grants, type Permission, type PermissionSet } from '../../platform/permissions.ts';
import { Label } from '../labels.schema.ts';
import {
  LabeledRecord,
  LabeledRecordQuery,
  LabelTargetList,
  RecordLabels,
  type RecordType,
  readIds,
  SetLabelsBody,
  TargetQuery,
  TargetsBody,
} from './assignments.schema.ts';
import {
  addTargets,
  type LockMembers,
  listTargets,
  readRecord,
  readRecords,
  removeTargets,
  setLabels,
} from './assignments.service.ts';

const tag = 'Labels';
const resource = 'label';

/** What one needs, beside the permission for labels, to learn of a record. */
const VIEWS: Record<RecordType, Permission> = {
  agent: 'application.agents.view',
  ticket: 'application.tickets.view',
  customer: 'application.customers.view',
};
const NEEDS =
  'The caller also needs the permission to view the records: `application.agents.view`, `application.tickets.view` or ' +
  '`application.customers.view`.';

/** @throws ApiError forbidden, unless the caller may view the records */
function requireViews(permissions: PermissionSet, records: readonly { type: RecordType }[]): void {
  if (records.every(({ type }) => grants(permissions, VIEWS[type]))) return;
  throw new ApiError('forbidden', 'You lack the permission to view these records.');
}

/** Which agents, tickets and customers have which labels. */
export function registerAssignmentRoutes(
  app: FastifyInstance,
  { db, lockMembers }: { db: Db; lockMembers: LockMembers },
): void {
  route(app, {
    method: 'GET',
    url: '/labels/assignments',
    operationId: 'getRecordLabels',
    tag,
    summary: 'Read the labels of one record or of several',
    description: `With \`ids\`, \`data\` has the records in that order. A record without labels has an empty list. ${NEEDS}`,
    access: 'application.labels.view',
    query: LabeledRecordQuery,
    response: { 200: RecordLabels },
    errors: [],
    handler: async ({ companyId, permissions, query: { type, id, ids } }, db) => {
      requireViews(permissions, [{ type }]);
      if (id !== undefined && ids === undefined) return readRecord(db, companyId, { type, id });
      if (id !== undefined || ids === undefined) throw invalidField('id', 'or ids is required, and not both');
      return { data: await readRecords(db, companyId, type, readIds(ids)) };
    },
  });
  route(app, {
    method: 'PUT',
    url: '/labels/assignments',
    operationId: 'setRecordLabels',
    tag,
    summary: 'Set the labels of a record',
    description: `Replaces the labels of the record. ${NEEDS}`,
    access: 'application.labels.all',
    body: SetLabelsBody,
    response: { 200: LabeledRecord },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: ({ companyId, permissions, request, body }, tx) => {
      requireViews(permissions, [body]);
      return setLabels(tx, companyId, actorOf(request), body, lockMembers);
    },
  });
  registerTargetRoutes(app, db, lockMembers);
}

function registerTargetRoutes(app: FastifyInstance, db: Db, lockMembers: LockMembers): void {
  route(app, {
    method: 'GET',
    url: '/labels/:label_id/assignments',
    operationId: 'listLabelTargets',
    tag,
    summary: 'List the records of a label',
    description:
      'The newest assignment comes first. Without `type`, the list has the records of all types that the caller may view.',
    access: 'application.labels.view',
    resource,
    query: TargetQuery,
    response: { 200: LabelTargetList },
    errors: [],
    handler: ({ companyId, permissions, ids, query: { type, ...range } }) => {
      if (type !== undefined) requireViews(permissions, [{ type }]);
      const all = Object.keys(VIEWS) as RecordType[];
      const types = type === undefined ? all.filter((one) => grants(permissions, VIEWS[one])) : [type];
      return listTargets(db, companyId, ids.label_id, { ...range, types });
    },
  });
  route(app, {
    method: 'POST',
    url: '/labels/:label_id/assignments',
    operationId: 'addLabelTargets',
    tag,
    summary: 'Put a label on records',
    description: `A record that already has the label does not change. ${NEEDS}`,
    access: 'application.labels.all',
    resource,
    body: TargetsBody,
    response: { 200: Label },
    errors: [],
    idempotency: 'create',
    audit: { recordedBy: 'service' },
    transaction: ({ companyId, permissions, request, ids, body: { targets } }, tx) => {
      requireViews(permissions, targets);
      return addTargets(tx, companyId, actorOf(request), { labelId: ids.label_id, targets }, lockMembers);
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/labels/:label_id/assignments',
    operationId: 'removeLabelTargets',
    tag,
    summary: 'Take a label off records',
    description: `A record without the label does not change. ${NEEDS}`,
    access: 'application.labels.all',
    resource,
    body: TargetsBody,
    response: { 204: null },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: async ({ companyId, permissions, request, ids, body: { targets } }, tx) => {
      requireViews(permissions, targets);
      await removeTargets(tx, companyId, actorOf(request), { labelId: ids.label_id, targets }, lockMembers);
      return null;
    },
  });
}
