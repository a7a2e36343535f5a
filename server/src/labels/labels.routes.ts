import type { FastifyInstance } from 'fastify';
import type { Db } from '../platform/database/database.ts';
import { actorOf } from '../platform/http/route/actor.ts';
import { route } from '../platform/http/route/route.ts';
import { CreateLabelBody, DeleteLabelsBody, Label, LabelList, LabelQuery, UpdateLabelBody } from './labels.schema.ts';
import { changeLabel, createLabel, listLabels, readLabel, removeLabels } from './labels.service.ts';

const tag = 'Labels';
const resource = 'label';

/** Labels tag agents, tickets and customers of the company. */
export function registerLabelRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, {
    method: 'POST',
    url: '/labels',
    operationId: 'createLabel',
    tag,
    summary: 'Create a label',
    access: 'application.labels.all',
    body: CreateLabelBody,
    response: { 201: Label },
    errors: ['label_name_taken'],
    idempotency: 'create',
    audit: { recordedBy: 'service' },
    handler: ({ companyId, userId, request, body }, db) =>
      createLabel(db, companyId, { userId, actor: actorOf(request) }, body),
  });
  route(app, {
    method: 'GET',
    url: '/labels',
    operationId: 'listLabels',
    tag,
    summary: 'List labels',
    description:
      'The labels are sorted by name, in the order of the ICU root collation. A page after the last one is empty.',
    access: 'application.labels.view',
    query: LabelQuery,
    response: { 200: LabelList },
    errors: [],
    handler: ({ companyId, query }) => listLabels(db, companyId, query),
  });
  route(app, {
    method: 'GET',
    url: '/labels/:label_id',
    operationId: 'getLabel',
    tag,
    summary: 'Read a label',
    access: 'application.labels.view',
    resource,
    response: { 200: Label },
    errors: [],
    handler: ({ companyId, ids }, db) => readLabel(db, companyId, ids.label_id),
  });
  registerChanges(app);
}

function registerChanges(app: FastifyInstance): void {
  route(app, {
    method: 'PUT',
    url: '/labels/:label_id',
    operationId: 'updateLabel',
    tag,
    summary: 'Change a label',
    description: 'Fields that are absent keep their values. `userName` is kept as `updatedBy`.',
    access: 'application.labels.all',
    resource,
    body: UpdateLabelBody,
    response: { 200: Label },
    errors: ['label_name_taken'],
    audit: {
      audience: 'company',
      action: 'label.updated',
      before: ({ companyId, ids }, tx) => readLabel(tx, companyId, ids.label_id),
      fields: ['name', 'description', 'color', 'updatedBy'],
    },
    transaction: ({ companyId, ids, body }, tx) => changeLabel(tx, companyId, ids.label_id, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/labels',
    operationId: 'deleteLabels',
    tag,
    summary: 'Delete labels',
    description:
      'Deletes the labels that `label_ids` names, in one transaction, and takes them off everything that has them.',
    access: 'application.labels.all',
    body: DeleteLabelsBody,
    response: { 204: null },
    errors: [],
    audit: { recordedBy: 'service' },
    transaction: async ({ companyId, request, body }, tx) => {
      await removeLabels(tx, companyId, actorOf(request), body.label_ids);
      return null;
    },
  });
}
