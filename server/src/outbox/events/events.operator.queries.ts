import type { Part, Queryable } from '../../platform/database/database.ts';
import type { NameParts } from '../../platform/database/name-parts.ts';
import type { JsonList } from '../../platform/http/schema/json.ts';
import type { EventList } from './events.schema.ts';

/** A position in a list sorted by time: after the row with this instant and id. */
export type Position = { at: Date; id: string };

export type EventFilter = {
  companyId: string | null;
  type: string | null;
  startAt: Date | null;
  endAt: Date | null;
  after: Position | null;
};

export type EventKey = Position & { companyId: string };

/** The limit for a page's data, measured as stored: compressed, so several times as long once read. */
const MAX_STORED_BYTES = 100_000;

function eventJson(db: Queryable, { companyName, invoiceNumber }: NameParts): Part {
  const ofInvoice = invoiceNumber(db, db`events.company_id`, db`(events.data ->> 'invoiceId')::uuid`);
  return db`json_build_object(
    'id', events.id, 'type', events.type, 'companyId', nullif(events.company_id, '00000000-0000-0000-0000-000000000000'),
    'companyName', ${companyName(db, db`events.company_id`)},
    'invoiceNumber', CASE WHEN type LIKE 'invoice.%' THEN events.data ->> 'number' ELSE ${ofInvoice} END,
    'createdAt', iso_instant(events.created_at), 'data', events.data
  )`;
}

/**
 * The newest events that match, of every company unless one is named, each with its position. The first ones have their JSON text, as many
 * as are read at once.
 */
export async function selectEvents(
  db: Queryable,
  { companyId, type, startAt, endAt, after }: EventFilter,
  { names, limit }: { names: NameParts; limit: number },
): Promise<(EventKey & { json: string | null })[]> {
  return db<(EventKey & { json: string | null })[]>`
    SELECT id, created_at AS at, company_id AS "companyId",
           CASE WHEN sum(pg_column_size(data)) OVER (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING) <= ${MAX_STORED_BYTES}
             THEN ${eventJson(db, names)}::text END AS json
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

/** These events as a JSON text list, in the given order. */
export async function selectEventBatch(
  db: Queryable,
  batch: readonly EventKey[],
  names: NameParts,
): Promise<JsonList<EventList>> {
  const keys = batch.map(({ companyId, id }) => ({ companyId, id }));
  const [row] = await db<[{ data: JsonList<EventList> }]>`
    SELECT coalesce(json_agg(${eventJson(db, names)} ORDER BY position), '[]')::text AS data
    FROM ROWS FROM (json_to_recordset(${JSON.stringify(keys)}::text::json) AS ("companyId" uuid, id uuid)) WITH ORDINALITY
      AS given ("companyId", id, position)
    CROSS JOIN LATERAL (SELECT * FROM events WHERE company_id = given."companyId" AND events.id = given.id OFFSET 0) AS events`;
  return row.data;
}
