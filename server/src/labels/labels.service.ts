import { LRUCache } from 'lru-cache';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { auditParts, recordAudits } from '../audit/audit.service.ts';
import { type Db, planForValues, type Queryable, type Tx, violatedConstraint } from '../platform/database/database.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import { writeList } from '../platform/http/limits/batches.ts';
import type { Actor } from '../platform/http/route/actor.ts';
import type { Json, JsonParts } from '../platform/http/schema/json.ts';
import { writerOf } from '../platform/http/schema/serialization.ts';
import {
  countMatches,
  deleteLabels,
  insertLabel,
  type LabelPageRequest,
  type LabelRow,
  lockForRename,
  selectAssignmentCounts,
  selectLabel,
  selectLabelCounters,
  selectLabelIds,
  selectLabelPage,
  selectLabelsByIds,
  updateLabel,
} from './labels.queries.ts';
import {
  type CreateLabelBody,
  Label,
  type LabelList,
  type LabelQuery,
  SORT_COLUMNS,
  type UpdateLabelBody,
} from './labels.schema.ts';

const writeLabel = writerOf(Label);

const MAX_REMEMBERED_COUNTS = 10_000;

/** Longer pages are read in batches. */
const HELD_LABELS = 100;

type Matches = { matches: number; labels: number };

/** By company and search text; valid until the company's labels change. */
const matchCounts = new LRUCache<string, { matches: Matches; counters: string }>({ max: MAX_REMEMBERED_COUNTS });

const MAX_REMEMBERED_PAGES = 500;
/** Longer answers are not cached, so the cache takes 16 MB at most. */
const MAX_REMEMBERED_LENGTH = 32 * 1024;

/** By company and query; valid until the company's labels change. When only assignments do, they are counted again. */
const pages = new LRUCache<string, CachedPage>({ max: MAX_REMEMBERED_PAGES });

/** `wasCurrent`: nothing had changed when it was last asked for, and so it is likely again; then the counters alone are read first. */
type CachedPage = { list: Json<typeof LabelList>; counters: string; wasCurrent: boolean };

/** Creates a label. @throws ApiError label_name_taken */
export async function createLabel(
  db: Queryable,
  companyId: string,
  { userId, actor }: { userId: string; actor: Actor },
  body: CreateLabelBody,
): Promise<LabelRow> {
  const id = uuidv7();
  // Not all of the body: unknown fields of it are kept nowhere.
  const { name, description, color, userName: createdBy } = body;
  const target = { kind: 'label', id, name };
  const audited = auditParts(db, companyId, {
    audience: 'company',
    actor,
    action: 'label.created',
    target,
    changes: { before: {}, after: { name, description, color, createdBy } },
  });
  return insertLabel(db, companyId, { ...body, id, userId }, { eventId: uuidv7(), audited }).catch(refuseTakenName);
}

/** Reads one label. @throws ApiError not_found */
export async function readLabel(db: Queryable, companyId: string, labelId: string): Promise<LabelRow> {
  return (await selectLabel(db, companyId, labelId)) ?? refuseUnknown();
}

/** Writes the given fields; `userName` becomes updatedBy. @throws ApiError not_found or label_name_taken */
export async function changeLabel(
  tx: Tx,
  companyId: string,
  labelId: string,
  changes: UpdateLabelBody,
): Promise<LabelRow> {
  if (changes.name !== undefined) await lockForRename(tx, companyId, labelId, changes.name);
  return (await updateLabel(tx, companyId, labelId, changes, uuidv7()).catch(refuseTakenName)) ?? refuseUnknown();
}

/** Deletes the company's labels among the ids; other ids are ignored. */
export async function removeLabels(tx: Tx, companyId: string, actor: Actor, labelIds: string[]): Promise<void> {
  const given = [...new Set(labelIds.filter(isUuid).map((id) => id.toLowerCase()))];
  const labels = await deleteLabels(
    tx,
    companyId,
    given.map((id) => ({ id, eventId: uuidv7() })),
  );
  await recordAudits(
    tx,
    companyId,
    labels.map(({ id, name, description, color }) => ({
      audience: 'company' as const,
      actor,
      action: 'label.deleted',
      target: { kind: 'label', id, name },
      changes: { before: { name, description, color }, after: {} },
    })),
  );
}

/** A page of labels with the exact total, as JSON text. A cached page is used until a label of the company changes. */
export async function listLabels(
  db: Db,
  companyId: string,
  query: LabelQuery,
): Promise<Json<typeof LabelList> | JsonParts<typeof LabelList>> {
  // Built from the parameters that matter, so that an unknown parameter does not make another entry.
  const { current_page: page, per_page: perPage, order_by: orderBy, sort_by: direction, name } = query;
  const key = [companyId, page, perPage, SORT_COLUMNS[orderBy], direction.toUpperCase(), name].join(' ');
  const known = pages.get(key);
  if (known?.wasCurrent && known.counters === (await selectLabelCounters(db, companyId))) return known.list;
  const request = await toRequest(db, companyId, query);
  const { counters, labels } = await selectLabelPage(db, companyId, firstOf(request), known?.counters ?? null);
  if (known !== undefined && areSameLabels(known.counters, counters)) {
    const current =
      known.counters === counters ? { ...known, wasCurrent: true } : await countAgain(db, companyId, known);
    if (current === null) pages.delete(key);
    else pages.set(key, current);
    return current === null ? listLabels(db, companyId, query) : current.list;
  }
  const total = name === '' ? labelsOf(counters) : (await findMatches(db, companyId, name, counters)).matches;
  const list = await writeList<typeof LabelList, LabelRow>({
    head: { current_page: page, per_page: perPage, last_page: Math.max(1, Math.ceil(total / perPage)), total },
    limit: perPage,
    readFirst: async () => labels,
    readIds: () => selectLabelIds(db, companyId, request),
    readItems: (ids) => selectLabelsByIds(db, companyId, ids),
    write: writeLabel,
    heldItems: HELD_LABELS,
  });
  if (typeof list === 'string' && list.length <= MAX_REMEMBERED_LENGTH)
    pages.set(key, { list, counters, wasCurrent: false });
  return list;
}

/** The page with how many records have each of its labels now; null if labels have changed meanwhile. */
async function countAgain(db: Db, companyId: string, known: CachedPage): Promise<CachedPage | null> {
  const { data, ...head } = JSON.parse(known.list) as { data: { id: string }[] };
  const ids = data.map(({ id }) => id);
  const { counts, counters } = await selectAssignmentCounts(db, companyId, ids);
  if (!areSameLabels(known.counters, counters)) return null;
  const labels = data.map((label) => ({ ...label, assignments: counts[label.id] ?? 0 }));
  return { list: JSON.stringify({ ...head, data: labels }) as Json<typeof LabelList>, counters, wasCurrent: false };
}

/** Whether no label has changed from one of these counters to the other. */
function areSameLabels(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf(' ')) === other.slice(0, other.lastIndexOf(' '));
}

/** What the query asks for, with the faster way to find it. */
async function toRequest(db: Db, companyId: string, query: LabelQuery): Promise<LabelPageRequest> {
  const { current_page: currentPage, per_page: perPage, name: text } = query;
  const page = {
    orderBy: query.order_by,
    descending: query.sort_by.toUpperCase() === 'DESC',
    limit: perPage,
    offset: (currentPage - 1) * perPage,
  };
  return { ...page, search: text === '' ? null : { text, by: await chooseSearch(db, companyId, text, page) } };
}

/** The first HELD_LABELS + 1 of a long page. */
function firstOf(request: LabelPageRequest): LabelPageRequest {
  return { ...request, limit: Math.min(request.limit, HELD_LABELS + 1) };
}

/** The measured cost of scanning past a label, relative to finding and sorting one. */
const WALKED_LABEL_COST = 0.2;

const ORDERS_WITH_INDEX: string[] = ['name', 'created_at'];

type Page = Pick<LabelPageRequest, 'orderBy' | 'limit' | 'offset'>;

/**
 * Chooses the faster way to fill the page: a common text fills it soon in the page's order, a rare one is looked up.
 */
async function chooseSearch(db: Db, companyId: string, text: string, page: Page): Promise<'find' | 'walk'> {
  if (!ORDERS_WITH_INDEX.includes(SORT_COLUMNS[page.orderBy])) return 'find';
  const { matches, labels } = await findMatches(db, companyId, text);
  const walked = Math.min(labels, ((page.offset + page.limit) * labels) / Math.max(1, matches));
  return walked * WALKED_LABEL_COST < matches ? 'walk' : 'find';
}

/** The company's matches, from the cache if possible. With `counters` the result is exact as of those counters. */
async function findMatches(db: Db, companyId: string, text: string, counters?: string): Promise<Matches> {
  const key = `${companyId} ${text}`;
  const known = matchCounts.get(key);
  const isValid = known !== undefined && (counters === undefined || areSameLabels(known.counters, counters));
  if (isValid) return known.matches;
  const counted = await planForValues(db, (tx) => countMatches(tx, companyId, text));
  const matches = { matches: counted.matches, labels: labelsOf(counted.counters) };
  matchCounts.set(key, { matches, counters: counted.counters });
  return matches;
}

function labelsOf(counters: string): number {
  return Number.parseInt(counters, 10);
}

function refuseUnknown(): never {
  throw notFound('label');
}

function refuseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'labels_name_taken') throw error;
  throw new ApiError('label_name_taken', 'The company already has a label with this name.', {
    details: [{ field: 'name', message: 'is taken' }],
  });
}
