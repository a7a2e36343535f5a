import { constantPart, idList, type Part, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { JsonList } from '../../platform/http/schema/json.ts';
import { assignmentEvents } from './assignments.events.ts';
import type { LabelTargetList, RecordType, Target } from './assignments.schema.ts';

/** A label on a record. */
export type Assignment = Target & { labelId: string };
/** With the id of the event that tells about it. */
type GivenAssignment = Assignment & { eventId: string };

export type AssignedLabelRow = { recordId: string; id: string; name: string; color: string };

/** The labels of these records of one type, by name. */
export async function selectLabelsOf(
  db: Queryable,
  companyId: string,
  type: RecordType,
  recordIds: readonly string[],
): Promise<AssignedLabelRow[]> {
  return db<AssignedLabelRow[]>`
    SELECT assigned.id AS "recordId", labels.id, labels.name, labels.color
    FROM label_assignments AS assigned
    JOIN labels ON labels.company_id = assigned.company_id AND labels.id = assigned.label_id
    WHERE assigned.company_id = ${companyId} AND assigned.type = ${type}
      AND assigned.id = ANY(string_to_array(${recordIds.join()}, ','))
    ORDER BY labels.name, labels.id`;
}

/** Whoever sets the labels of the same record waits until the transaction ends. */
export async function lockRecord(tx: Tx, companyId: string, { type, id }: Target): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`label_assignments ${companyId} ${type} ${id}`}, 0))`;
}

/** The company's labels among these UUIDs, which cannot be deleted until the transaction ends. */
export async function lockLabels(
  tx: Tx,
  companyId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return tx<{ id: string; name: string }[]>`
    SELECT id, name FROM labels WHERE company_id = ${companyId} AND id = ANY(${idList(tx, ids)})
    ORDER BY id FOR KEY SHARE`;
}

/**
 * Locks the counts that assignments of these labels change, in one order and before the assignments themselves, whose triggers change them.
 * Otherwise two records that exchange their labels would wait for each other.
 */
export async function lockCounts(tx: Tx, companyId: string, labelIds: readonly string[]): Promise<void> {
  await tx`
    INSERT INTO label_assignment_counts AS counts (company_id, label_id, shard, agents, tickets, customers)
    SELECT ${companyId}::uuid, id, pg_backend_pid() % 16, 0, 0, 0 FROM unnest(${idList(tx, labelIds)}) AS given (id) ORDER BY id
    ON CONFLICT (company_id, label_id, shard) DO UPDATE SET agents = counts.agents`;
}

const eventJson = constantPart(
  (db) => db`
    json_build_object(
      'type', changed.type, 'id', changed.id,
      'label', json_build_object('id', labels.id, 'name', labels.name, 'color', labels.color)
    )`,
);

/** The assignments as rows (type, id, "labelId", "eventId"). */
function rowsOf(db: Queryable, given: readonly GivenAssignment[]): Part {
  return db`
    json_to_recordset(${JSON.stringify(given)}::text::json) AS given (type text, id text, "labelId" uuid, "eventId" uuid)`;
}

/** The events of rows of `changed` (company_id, type, id, label_id, event_id), and the rows themselves. */
function recordingChanged(db: Queryable, type: 'label.assigned' | 'label.unassigned'): Part {
  return db`
    changes AS (
      SELECT changed.company_id, changed.event_id AS id, ${type} AS type, ${eventJson(db)} AS data
      FROM changed JOIN labels ON labels.company_id = changed.company_id AND labels.id = changed.label_id
    ), ${assignmentEvents.recordingParts(db, type)}
    SELECT type, id, label_id AS "labelId" FROM changed`;
}

/** Adds what is not there yet, with an event for each. Two that add the same wait for each other, in one order. @returns what was added */
export async function insertAssignments(
  db: Queryable,
  companyId: string,
  given: readonly GivenAssignment[],
): Promise<Assignment[]> {
  return db<Assignment[]>`
    WITH given AS (SELECT * FROM ${rowsOf(db, given)}), added AS (
      INSERT INTO label_assignments (company_id, type, id, label_id)
      SELECT ${companyId}::uuid, type, id, "labelId" FROM given ORDER BY type, id, "labelId"
      ON CONFLICT DO NOTHING
      RETURNING company_id, type, id, label_id
    ), changed AS (
      SELECT added.*, given."eventId" AS event_id
      FROM added JOIN given ON given.type = added.type AND given.id = added.id AND given."labelId" = added.label_id
    ), ${recordingChanged(db, 'label.assigned')}`;
}

/** Removes what is there, with an event for each; locks it in the order in which others add it. @returns what was removed */
export async function deleteAssignments(
  db: Queryable,
  companyId: string,
  given: readonly GivenAssignment[],
): Promise<Assignment[]> {
  return db<Assignment[]>`
    WITH locked AS (
      SELECT assigned.type, assigned.id, assigned.label_id, given."eventId" AS event_id
      FROM label_assignments AS assigned JOIN ${rowsOf(db, given)}
        ON assigned.type = given.type AND assigned.id = given.id AND assigned.label_id = given."labelId"
      WHERE assigned.company_id = ${companyId}
      ORDER BY assigned.type, assigned.id, assigned.label_id FOR UPDATE OF assigned
    ), changed AS (
      DELETE FROM label_assignments AS assigned USING locked
      WHERE assigned.company_id = ${companyId} AND assigned.type = locked.type AND assigned.id = locked.id
        AND assigned.label_id = locked.label_id
      RETURNING assigned.company_id, assigned.type, assigned.id, assigned.label_id, locked.event_id
    ), ${recordingChanged(db, 'label.unassigned')}`;
}

/** How many records have a label, by type; and a page of those of some types, as JSON text. */
export type TargetPage = { agent: number; ticket: number; customer: number; data: JsonList<typeof LabelTargetList> };

/** A page of a label's records of these types, newest first; null when the company has no such label. */
export async function selectTargets(
  db: Queryable,
  companyId: string,
  labelId: string,
  { types, limit, offset }: { types: readonly RecordType[]; limit: number; offset: number },
): Promise<TargetPage | null> {
  // The index has the records of each type in order, and PostgreSQL merges them.
  const ofType = (type: RecordType) => db`
    SELECT type, id, number FROM label_assignments
    WHERE company_id = ${companyId} AND label_id = ${labelId} AND type = ${type}`;
  const [first, ...others] = types.map(ofType);
  const assigned = others.reduce(
    (all, next) => db`${all} UNION ALL ${next}`,
    first ?? db`SELECT '' AS type, '' AS id, 0 AS number WHERE false`,
  );
  const [row] = await db<TargetPage[]>`
    SELECT counted.*, page.data
    FROM (
      SELECT coalesce(sum(agents), 0)::int AS agent, coalesce(sum(tickets), 0)::int AS ticket,
             coalesce(sum(customers), 0)::int AS customer
      FROM labels
      LEFT JOIN label_assignment_counts AS counts ON counts.company_id = labels.company_id AND counts.label_id = labels.id
      WHERE labels.company_id = ${companyId} AND labels.id = ${labelId}
      GROUP BY labels.id
    ) AS counted,
    LATERAL (
      SELECT coalesce(json_agg(json_build_object('type', type, 'id', id) ORDER BY number DESC), '[]')::text AS data
      FROM (SELECT * FROM (${assigned}) AS assigned ORDER BY number DESC LIMIT ${limit} OFFSET ${offset}) AS listed
    ) AS page`;
  return row ?? null;
}
