import { constantPart, type Queryable } from '../../platform/database/database.ts';

/**
 * Two more parts of a statement `WITH … changes AS (…), <these>`: an event for each row (company_id, id, type, data) of `changes`,
 * and a delivery to each endpoint of its company or the operator that asked for it. So what is told commits with what is done. An
 * endpoint that is being deleted is waited for, and left out when it is gone.
 */
export const recordingParts = constantPart(
  (db) => db`
    recorded AS (
      INSERT INTO events (company_id, id, type, data) SELECT company_id, id, type, data FROM changes
    ), addressed AS (
      INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, next_attempt_at)
      SELECT endpoints.company_id, endpoints.id, changes.id, changes.company_id, now()
      FROM changes
      JOIN webhook_endpoints AS endpoints
        ON endpoints.company_id = ANY(ARRAY[changes.company_id, '00000000-0000-0000-0000-000000000000'::uuid])
      WHERE endpoints.status <> 'disabled'
        AND (endpoints.types = '{}' OR changes.type = ANY(endpoints.types)
             OR split_part(changes.type, '.', 1) || '.*' = ANY(endpoints.types))
      FOR KEY SHARE OF endpoints
    )`,
);

/** `data` is JSON text. */
export type NewEvent = { companyId: string; id: string; type: string; data: string };

/** Writes one event. */
export async function insertEvent(
  db: Queryable,
  companyId: string,
  { id, type, data }: Omit<NewEvent, 'companyId'>,
): Promise<void> {
  await db`
    WITH changes AS (SELECT ${companyId}::uuid AS company_id, ${id}::uuid AS id, ${type} AS type, ${data}::text::json AS data),
    ${recordingParts(db)}
    SELECT 1`;
}

/** Writes many events, of whatever companies. */
export async function insertEvents(db: Queryable, events: readonly NewEvent[]): Promise<void> {
  await db`
    WITH changes AS (
      SELECT "companyId" AS company_id, id, type, data
      FROM json_to_recordset(${writeRows(events)}::text::json) AS given ("companyId" uuid, id uuid, type text, data json)
    ), ${recordingParts(db)}
    SELECT 1`;
}

/** JSON text in which `data` stands as it is, digit for digit. */
function writeRows(events: readonly NewEvent[]): string {
  const rows = events.map(({ data, ...event }) => `${JSON.stringify(event).slice(0, -1)},"data":${data}}`);
  return `[${rows.join()}]`;
}

/** A place in a list that is sorted by time: after the row of this instant and id. */
export type Place = { at: Date; id: string };

export type EventFilter = {
  companyId: string | null;
  type: string | null;
  startAt: Date | null;
  endAt: Date | null;
  after: Place | null;
};

/** Of the data of a page, as it is stored: compressed, so that it is several times as long when it is read. */
const MAX_STORED_BYTES = 100_000;

export type EventKey = Place & { companyId: string };

const eventJson = constantPart(
  (db) => db`json_build_object(
    'id', events.id, 'type', events.type, 'companyId', nullif(events.company_id, '00000000-0000-0000-0000-000000000000'),
    'createdAt', iso_instant(events.created_at), 'data', events.data
  )`,
);

/**
 * The newest events that match, of every company unless one is named, each as JSON text with its place; the text is null in all of them
 * where together they are more than is read at once.
 */
export async function selectEvents(
  db: Queryable,
  { companyId, type, startAt, endAt, after }: EventFilter,
  limit: number,
): Promise<(EventKey & { json: string | null })[]> {
  return db<(EventKey & { json: string | null })[]>`
    SELECT id, created_at AS at, company_id AS "companyId",
           CASE WHEN sum(pg_column_size(data)) OVER () <= ${MAX_STORED_BYTES} THEN ${eventJson(db)}::text END AS json
    FROM (SELECT company_id, id, type, created_at, data FROM events
    WHERE true
      ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
      ${type === null ? db`` : db`AND type = ${type}`}
      ${type === null || type.startsWith('label.') ? db`` : db`AND type NOT LIKE 'label.%'`}
      ${startAt === null ? db`` : db`AND created_at >= ${startAt}`}
      ${endAt === null ? db`` : db`AND created_at < ${endAt}`}
      ${after === null ? db`` : db`AND (created_at, id) < (${after.at}, ${after.id})`}
    ORDER BY created_at DESC, id DESC
    LIMIT ${limit}) AS events
    ORDER BY created_at DESC, id DESC`;
}

/** These events in their order, as a list of JSON text. */
export async function selectEventBatch(db: Queryable, batch: readonly EventKey[]): Promise<string> {
  const keys = batch.map(({ companyId, id }) => ({ companyId, id }));
  const [row] = await db<[{ data: string }]>`
    SELECT coalesce(json_agg(${eventJson(db)} ORDER BY place), '[]')::text AS data
    FROM ROWS FROM (json_to_recordset(${JSON.stringify(keys)}::text::json) AS ("companyId" uuid, id uuid)) WITH ORDINALITY
      AS given ("companyId", id, place)
    CROSS JOIN LATERAL (SELECT * FROM events WHERE company_id = given."companyId" AND events.id = given.id OFFSET 0) AS events`;
  return row.data;
}

/** Removes events of more than ninety days ago, up to a limit. @returns how many there were */
export async function removeOldEvents(db: Queryable, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`SELECT remove_old_events(${limit}::integer) AS removed`;
  return row.removed;
}
