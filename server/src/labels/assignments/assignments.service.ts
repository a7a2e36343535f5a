import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { recordAudit } from '../../audit/audit.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError, type ErrorDetail, invalidField, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { type Json, withData } from '../../platform/http/schema/json.ts';
import type { LabelRow } from '../labels.queries.ts';
import { readLabel } from '../labels.service.ts';
import {
  type AssignedLabelRow,
  type Assignment,
  deleteAssignments,
  insertAssignments,
  lockCounts,
  lockLabels,
  lockRecord,
  selectLabelsOf,
  selectTargets,
} from './assignments.queries.ts';
import type {
  LabeledRecord,
  LabelTargetList,
  RecordType,
  SetLabelsBody,
  Target,
  TargetQuery,
} from './assignments.schema.ts';

/**
 * Finds those of these users who are members of the company, and keeps them from leaving it until the transaction ends. The members, a
 * later domain, hand it in.
 */
export type LockMembers = (tx: Tx, companyId: string, userIds: readonly string[]) => Promise<string[]>;

/** The labels of a record. */
export async function readRecord(db: Queryable, companyId: string, given: Target): Promise<LabeledRecord> {
  const { type, id } = normalize(given);
  return { type, id, labels: (await selectLabelsOf(db, companyId, type, [id])).map(toLabel) };
}

/** The labels of records of one type, in the order of their ids. */
export async function readRecords(
  db: Queryable,
  companyId: string,
  type: RecordType,
  ids: readonly string[],
): Promise<LabeledRecord[]> {
  const known = ids.map((id) => normalize({ type, id }).id);
  const rows = await selectLabelsOf(db, companyId, type, known);
  const labelsOf = Map.groupBy(rows, ({ recordId }) => recordId);
  return known.map((id) => ({ type, id, labels: (labelsOf.get(id) ?? []).map(toLabel) }));
}

/** Gives a record exactly these labels. @throws ApiError 400 on id or label_ids */
export async function setLabels(
  tx: Tx,
  companyId: string,
  actor: Actor,
  { label_ids: labelIds, ...given }: SetLabelsBody,
  lockMembers: LockMembers,
): Promise<LabeledRecord> {
  const target = normalize(given);
  await refuseStrangers(tx, companyId, [{ ...target, field: 'id' }], lockMembers);
  const wanted = [...new Set(labelIds.map((id) => id.toLowerCase()))];
  if (!wanted.every((id) => isUuid(id))) throw invalidField('label_ids', 'must be labels of the company');
  await lockRecord(tx, companyId, target);
  const before = await selectLabelsOf(tx, companyId, target.type, [target.id]);
  const labels = await lockLabels(tx, companyId, [...wanted, ...before.map(({ id }) => id)]);
  const known = new Set(labels.map(({ id }) => id));
  if (!wanted.every((id) => known.has(id))) throw invalidField('label_ids', 'must be labels of the company');
  const had = new Set(before.map(({ id }) => id));
  // What was deleted meanwhile has left every record.
  const leaving = before.filter(({ id }) => known.has(id) && !wanted.includes(id));
  const coming = labels.filter(({ id }) => wanted.includes(id) && !had.has(id));
  const changing = [...leaving, ...coming].map(({ id }) => id);
  if (changing.length > 0) await lockCounts(tx, companyId, changing);
  const removed = await unassign(tx, companyId, onTarget(target, leaving));
  const added = await assign(tx, companyId, onTarget(target, coming));
  const after = await selectLabelsOf(tx, companyId, target.type, [target.id]);
  if (removed.length + added.length > 0) {
    await recordAudit(tx, companyId, {
      audience: 'company',
      actor,
      action: 'label_assignments.updated',
      target: { kind: target.type, id: target.id, name: '' },
      changes: { before: { labels: before.map(({ name }) => name) }, after: { labels: after.map(({ name }) => name) } },
    });
  }
  return { ...target, labels: after.map(toLabel) };
}

/** Puts a label on records that lack it. @throws ApiError not_found, 400 on a target */
export async function addTargets(
  tx: Tx,
  companyId: string,
  actor: Actor,
  { labelId, targets }: { labelId: string; targets: readonly Target[] },
  lockMembers: LockMembers,
): Promise<LabelRow> {
  const { label, assignments } = await prepareTargets(tx, companyId, { labelId, targets }, lockMembers);
  const added = await assign(tx, companyId, assignments);
  await recordTargets(tx, companyId, { actor, action: 'label.assigned', label, before: [], after: added });
  return readLabel(tx, companyId, labelId);
}

/** Takes a label off records that have it. @throws ApiError not_found, 400 on a target */
export async function removeTargets(
  tx: Tx,
  companyId: string,
  actor: Actor,
  { labelId, targets }: { labelId: string; targets: readonly Target[] },
  lockMembers: LockMembers,
): Promise<void> {
  const { label, assignments } = await prepareTargets(tx, companyId, { labelId, targets }, lockMembers);
  const removed = await unassign(tx, companyId, assignments);
  await recordTargets(tx, companyId, { actor, action: 'label.unassigned', label, before: removed, after: [] });
}

/** Takes all labels off a member, in the transaction in which they leave the company. */
export async function unassignAgent(tx: Tx, companyId: string, userId: string): Promise<void> {
  const target = { type: 'agent', id: userId } as const;
  const before = await selectLabelsOf(tx, companyId, 'agent', [userId]);
  if (before.length === 0) return;
  const beforeIds = before.map(({ id }) => id);
  const labels = await lockLabels(tx, companyId, beforeIds);
  const ids = labels.map(({ id }) => id);
  await lockCounts(tx, companyId, ids);
  await unassign(tx, companyId, onTarget(target, labels));
}

/** A page of a label's records of these types, newest first. @throws ApiError not_found */
export async function listTargets(
  db: Queryable,
  companyId: string,
  labelId: string,
  { types, page, per_page: perPage }: Omit<TargetQuery, 'type'> & { types: readonly RecordType[] },
): Promise<Json<typeof LabelTargetList>> {
  const range = { types, limit: perPage, offset: (page - 1) * perPage };
  const found = await selectTargets(db, companyId, labelId, range);
  if (found === null) throw notFound('label');
  const total = types.reduce((sum, type) => sum + found[type], 0);
  return withData<typeof LabelTargetList>({ total, page, per_page: perPage }, found.data);
}

async function prepareTargets(
  tx: Tx,
  companyId: string,
  { labelId, targets }: { labelId: string; targets: readonly Target[] },
  lockMembers: LockMembers,
) {
  const [label] = await lockLabels(tx, companyId, [labelId]);
  if (label === undefined) throw notFound('label');
  const normalized = targets.map(normalize);
  await refuseStrangers(
    tx,
    companyId,
    normalized.map((target, index) => ({ ...target, field: `targets[${index}].id` })),
    lockMembers,
  );
  await lockCounts(tx, companyId, [label.id]);
  const distinct = new Map(normalized.map(({ type, id }) => [`${type} ${id}`, { type, id, labelId: label.id }]));
  return { label, assignments: [...distinct.values()] };
}

/** Agents are members of the company. @throws ApiError 400 */
async function refuseStrangers(
  tx: Tx,
  companyId: string,
  targets: readonly (Target & { field: string })[],
  lockMembers: LockMembers,
): Promise<void> {
  const agents = targets.filter(({ type }) => type === 'agent');
  const ids = agents.map(({ id }) => id).filter((id) => isUuid(id));
  const members = new Set(ids.length === 0 ? [] : await lockMembers(tx, companyId, ids));
  const details: ErrorDetail[] = agents
    .filter(({ id }) => !members.has(id))
    .map(({ field }) => ({ field, message: 'must be a member of the company' }));
  if (details.length > 0)
    throw new ApiError('invalid_request', 'An agent must be a member of the company.', { details });
}

/** With the id as it is stored: that of a user in small letters. */
function normalize({ type, id }: Target): Target {
  return { type, id: type === 'agent' ? id.toLowerCase() : id };
}

function onTarget({ type, id }: Target, labels: readonly { id: string }[]): Assignment[] {
  return labels.map((label) => ({ type, id, labelId: label.id }));
}

const withEvent = (assignment: Assignment) => ({ ...assignment, eventId: uuidv7() });

async function assign(tx: Tx, companyId: string, assignments: readonly Assignment[]): Promise<Assignment[]> {
  return assignments.length === 0 ? [] : insertAssignments(tx, companyId, assignments.map(withEvent));
}

async function unassign(tx: Tx, companyId: string, assignments: readonly Assignment[]): Promise<Assignment[]> {
  return assignments.length === 0 ? [] : deleteAssignments(tx, companyId, assignments.map(withEvent));
}

type TargetsChange = {
  actor: Actor;
  action: 'label.assigned' | 'label.unassigned';
  label: { id: string; name: string };
  before: readonly Assignment[];
  after: readonly Assignment[];
};

async function recordTargets(
  tx: Tx,
  companyId: string,
  { actor, action, label, before, after }: TargetsChange,
): Promise<void> {
  if (before.length + after.length === 0) return;
  const targetsOf = (assignments: readonly Assignment[]) =>
    assignments.length === 0 ? {} : { targets: assignments.map(({ type, id }) => ({ type, id })) };
  await recordAudit(tx, companyId, {
    audience: 'company',
    actor,
    action,
    target: { kind: 'label', id: label.id, name: label.name },
    changes: { before: targetsOf(before), after: targetsOf(after) },
  });
}

function toLabel({ id, name, color }: AssignedLabelRow) {
  return { id, name, color };
}
