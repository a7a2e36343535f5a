import type { Static } from 'typebox';
import { constantPart, idList, type Part, type Queryable, type Tx } from '../platform/database/database.ts';
import { labelEvents } from './labels.events.ts';
import { type CreateLabelBody, type Label, SORT_COLUMNS, type UpdateLabelBody } from './labels.schema.ts';

export type LabelRow = Static<typeof Label>;

export type NewLabel = CreateLabelBody & { id: string; userId: string };

const columns = constantPart(
  (db) => db`
    id, company_id AS "companyId", user_id AS "userId", created_by AS "createdBy", updated_by AS "updatedBy",
    name, description, color, created_at AS "createdAt", updated_at AS "updatedAt"`,
);

/** How many records have the label. */
const assignments = constantPart(
  (db) => db`(
    SELECT coalesce(sum(agents + tickets + customers), 0)::int FROM label_assignment_counts AS counts
    WHERE counts.company_id = labels.company_id AND counts.label_id = labels.id
  )`,
);
/** The same of a new label. */
const noAssignments = constantPart((db) => db`0`);

const [newJson, json] = [jsonPart(noAssignments), jsonPart(assignments)];

/** The API's Label as JSON, for its events. */
function jsonPart(assignmentsPart: typeof assignments) {
  return constantPart(
    (db) => db`
      json_build_object(
        'id', labels.id, 'companyId', labels.company_id, 'userId', user_id, 'createdBy', created_by, 'updatedBy', updated_by,
        'name', name, 'description', description, 'color', color, 'assignments', ${assignmentsPart(db)},
        'createdAt', iso_instant(labels.created_at), 'updatedAt', iso_instant(updated_at)
      )`,
  );
}

const nothing = constantPart((db) => db``);

/** Inserts a label, its event and its audit entry in one statement. @throws PostgresError on `labels_name_taken` */
export async function insertLabel(
  db: Queryable,
  companyId: string,
  label: NewLabel,
  { eventId, audited }: { eventId: string; audited: Part },
): Promise<LabelRow> {
  const [row] = await db<[LabelRow]>`
    WITH labels AS (
      INSERT INTO labels (company_id, id, user_id, created_by, updated_by, name, description, color)
      VALUES (${companyId}, ${label.id}, ${label.userId}, ${label.userName}, ${label.userName}, ${label.name},
              ${label.description}, ${label.color})
      RETURNING *
    ), changes AS (SELECT company_id, ${eventId}::uuid AS id, 'label.created' AS type, ${newJson(db)} AS data FROM labels),
    ${labelEvents.recordingParts(db, 'label.created')}, ${audited}
    SELECT ${columns(db)}, ${noAssignments(db)} AS assignments FROM labels`;
  return row;
}

/** The label, or null when the company has none with this id. */
export async function selectLabel(db: Queryable, companyId: string, labelId: string): Promise<LabelRow | null> {
  const [row] = await db<LabelRow[]>`
    SELECT ${columns(db)}, ${assignments(db)} AS assignments FROM labels WHERE company_id = ${companyId} AND id = ${labelId}`;
  return row ?? null;
}

/**
 * Locks a label and the one that has the name that it is to get, in the order of their ids, so that two updates that swap names wait for
 * each other instead of deadlocking. Renames of a company take turns: of two at the same time, neither would see the other's new name.
 */
export async function lockForRename(tx: Tx, companyId: string, labelId: string, name: string): Promise<void> {
  await Promise.all([
    tx`SELECT pg_advisory_xact_lock(hashtextextended(${`labels renamed ${companyId}`}, 0))`,
    tx`
      SELECT 1 FROM labels WHERE company_id = ${companyId} AND (id = ${labelId} OR name_key = fold_case(${name}))
      ORDER BY id FOR UPDATE`,
  ]);
}

/**
 * Writes the given fields and the event; null when the company has no such label.
 * @throws PostgresError on the constraint `labels_name_taken`
 */
export async function updateLabel(
  db: Queryable,
  companyId: string,
  labelId: string,
  { name, description, color, userName }: UpdateLabelBody,
  eventId: string,
): Promise<LabelRow | null> {
  const [row] = await db<LabelRow[]>`
    WITH labels AS (
      UPDATE labels
      SET name = coalesce(${name ?? null}, name),
          description = coalesce(${description ?? null}, description),
          color = coalesce(${color ?? null}, color),
          updated_by = coalesce(${userName ?? null}, updated_by),
          updated_at = now()
      WHERE company_id = ${companyId} AND id = ${labelId}
      RETURNING *
    ), changes AS (SELECT company_id, ${eventId}::uuid AS id, 'label.updated' AS type, ${json(db)} AS data FROM labels),
    ${labelEvents.recordingParts(db, 'label.updated')}
    SELECT ${columns(db)}, ${assignments(db)} AS assignments FROM labels`;
  return row ?? null;
}

/**
 * Deletes the company's labels among these UUIDs and records an event for each, with the id given beside it, in one
 * statement. It locks them in the order of their ids, so that two deletions wait for each other instead of deadlocking.
 * @returns them as they were
 */
export async function deleteLabels(
  db: Queryable,
  companyId: string,
  given: { id: string; eventId: string }[],
): Promise<LabelRow[]> {
  const ids = given.map(({ id }) => id).join();
  // The ids are sent as text: for an array the driver would first look up PostgreSQL's array types on every connection.
  return db<LabelRow[]>`
    WITH locked AS (
      SELECT id FROM labels WHERE company_id = ${companyId} AND id = ANY(string_to_array(${ids}, ',')::uuid[])
      ORDER BY id FOR UPDATE
    ), labels AS (
      DELETE FROM labels USING locked WHERE labels.company_id = ${companyId} AND labels.id = locked.id
      RETURNING labels.*
    ), changes AS (
      SELECT company_id, given."eventId" AS id, 'label.deleted' AS type, ${json(db)} AS data
      FROM labels JOIN json_to_recordset(${JSON.stringify(given)}::text::json) AS given (id uuid, "eventId" uuid) USING (id)
    ), ${labelEvents.recordingParts(db, 'label.deleted')}
    SELECT ${columns(db)}, ${assignments(db)} AS assignments FROM labels`;
}

export type LabelPageRequest = {
  orderBy: keyof typeof SORT_COLUMNS;
  descending: boolean;
  limit: number;
  offset: number;
  search: LabelSearch;
};

/**
 * All labels, or those whose name contains a text. `find` looks the text up in the index and sorts what it finds;
 * `walk` scans the labels in the page's order until the page is full. The result is the same.
 */
export type LabelSearch = null | { text: string; by: 'find' | 'walk' };

/**
 * The company's counters, "<labels> <changes> <assignment changes>": its number of labels, a number that every change of a label
 * increases, and one that every change of what has a label increases. They are one text because they are repeated in each row of a page.
 */
function counters(db: Queryable, companyId: string) {
  return db`(
    SELECT coalesce(sum(labels), 0) || ' ' || coalesce(sum(changes), 0) || ' ' || coalesce(sum(assignment_changes), 0)
    FROM label_counts WHERE company_id = ${companyId}
  ) AS counters`;
}

const ORDERS = Object.fromEntries(
  Object.entries(SORT_COLUMNS).map(([orderBy, column]) => [
    orderBy,
    { ascending: orderPart(column, 'ASC'), descending: orderPart(column, 'DESC') },
  ]),
) as Record<keyof typeof SORT_COLUMNS, Record<'ascending' | 'descending', ReturnType<typeof orderPart>>>;

/** Names sort by the root collation, whatever the database's locale is. */
function orderPart(column: string, direction: 'ASC' | 'DESC') {
  return constantPart((db) => {
    const towards = direction === 'ASC' ? db`ASC` : db`DESC`;
    return column.endsWith('_at')
      ? db`${db(column)} ${towards}, id ${towards}`
      : db`${db(column)} COLLATE "und-x-icu" ${towards}, id ${towards}`;
  });
}

/** The ids of a page of labels, in its order. */
export async function selectLabelIds(
  db: Queryable,
  companyId: string,
  { orderBy, descending, limit, offset, search }: LabelPageRequest,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id
    FROM labels
    WHERE company_id = ${companyId} ${search === null ? nothing(db) : nameContains(db, search)}
    ORDER BY ${ORDERS[orderBy][descending ? 'descending' : 'ascending'](db)}
    LIMIT ${limit} OFFSET ${offset}`;
  return rows.map(({ id }) => id);
}

/** The labels of these ids, in their order. */
export async function selectLabelsByIds(db: Queryable, companyId: string, ids: readonly string[]): Promise<LabelRow[]> {
  return db<LabelRow[]>`
    SELECT ${columns(db)}, ${assignments(db)} AS assignments
    FROM labels JOIN unnest(${idList(db, ids)}) WITH ORDINALITY AS given (id, position) USING (id)
    WHERE company_id = ${companyId}
    ORDER BY position`;
}

/** A page of labels, with the company's counters as of the same instant. */
export type LabelPage = { counters: string; labels: LabelRow[] };

/** A page of labels; none if the labels of the company are still those of the `known` counters. */
export async function selectLabelPage(
  db: Queryable,
  companyId: string,
  { orderBy, descending, limit, offset, search }: LabelPageRequest,
  known: string | null,
): Promise<LabelPage> {
  const rows = await db<(LabelRow & { counters: string; id: string | null })[]>`
    SELECT page.*, counted.counters
    FROM (SELECT ${counters(db, companyId)}) AS counted
    LEFT JOIN LATERAL (
      SELECT ${columns(db)}, ${assignments(db)} AS assignments
      FROM labels
      WHERE ${labelsOfCounters(db, db`counted.counters`)} <> ${labelsOfCounters(db, db`${known ?? ''}::text`)}
        AND company_id = ${companyId} ${search === null ? nothing(db) : nameContains(db, search)}
      ORDER BY ${ORDERS[orderBy][descending ? 'descending' : 'ascending'](db)}
      LIMIT ${limit} OFFSET ${offset}
    ) AS page ON true`;
  const labels = rows.filter(({ id }) => id !== null).map(({ counters: _counters, ...label }) => label);
  return { counters: rows[0]?.counters ?? '', labels };
}

/** The company's counters alone. */
export async function selectLabelCounters(db: Queryable, companyId: string): Promise<string> {
  const [row] = await db<[{ counters: string }]>`SELECT ${counters(db, companyId)}`;
  return row.counters;
}

/** The part of the counters that changes with a label, without that of assignments. */
function labelsOfCounters(db: Queryable, text: Part): Part {
  return db`rtrim(${text}, '0123456789')`;
}

/** How many records have each of these labels (absent: none), with the company's counters at that instant. */
export async function selectAssignmentCounts(
  db: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<{ counts: Record<string, number>; counters: string }> {
  const [row] = await db<[{ counts: Record<string, number>; counters: string }]>`
    SELECT ${counters(db, companyId)}, coalesce(json_object_agg(label_id, assignments), '{}') AS counts
    FROM (
      SELECT label_id, sum(agents + tickets + customers)::int AS assignments FROM label_assignment_counts
      WHERE company_id = ${companyId} AND label_id = ANY(${idList(db, ids)})
      GROUP BY label_id
    ) AS counted`;
  return row;
}

/** How many of the company's labels have a name that contains the text, with the counters at that instant. */
export async function countMatches(
  db: Queryable,
  companyId: string,
  text: string,
): Promise<{ matches: number; counters: string }> {
  const [row] = await db<[{ matches: number; counters: string }]>`
    SELECT count(*)::int AS matches, ${counters(db, companyId)}
    FROM labels
    WHERE company_id = ${companyId} AND name_key LIKE fold_case(${patternOf(text)}) COLLATE "C"`;
  return row;
}

/**
 * The text is folded once (hence the SELECT), by the function that makes `name_key`, and compared in that column's
 * collation, as the trigram index requires. For `walk`, appending '' keeps PostgreSQL from using the index.
 */
function nameContains(db: Queryable, { text, by }: { text: string; by: 'find' | 'walk' }) {
  const key = by === 'find' ? db`name_key` : db`(name_key || '')`;
  return db`AND ${key} LIKE (SELECT fold_case(${patternOf(text)})) COLLATE "C"`;
}

/** Escapes \ % and _ for LIKE. Folding adds none of them. */
function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
