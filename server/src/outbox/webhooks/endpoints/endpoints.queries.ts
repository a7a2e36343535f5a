import { constantPart, idList, type Queryable, type Tx } from '../../../platform/database/database.ts';
import type { Endpoint } from './endpoints.schema.ts';

/** In every query here the company is the endpoint's owner: OPERATOR_SCOPE for the operator. */
const columns = constantPart(
  (db) => db`
    webhook_endpoints.id, url, description, array_to_json(types) AS types, status,
    CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS "previousSecretUntil",
    webhook_endpoints.created_at AS "createdAt", webhook_endpoints.updated_at AS "updatedAt"`,
);

export type NewEndpoint = { id: string; url: string; description: string; types: readonly string[]; secret: Buffer };

/** Inserts an endpoint, with its secret encrypted. */
export async function insertEndpoint(db: Queryable, companyId: string, endpoint: NewEndpoint): Promise<Endpoint> {
  const { id, url, description, types, secret } = endpoint;
  const [row] = await db<[Endpoint]>`
    INSERT INTO webhook_endpoints (company_id, id, url, description, types, secret)
    VALUES (${companyId}, ${id}, ${url}, ${description}, string_to_array(${types.join()}, ','), ${secret})
    RETURNING ${columns(db)}`;
  return row;
}

/**
 * Serializes adding endpoints until the transaction ends. The lock is by name, because the operator has no row to lock.
 */
export async function lockEndpoints(tx: Tx, companyId: string): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || ${companyId}, 0))`;
}

/** How many endpoints the owner has. */
export async function countEndpoints(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM webhook_endpoints WHERE company_id = ${companyId}`;
  return row.count;
}

/** All endpoints of the owner, newest first. */
export async function selectEndpoints(db: Queryable, companyId: string): Promise<Endpoint[]> {
  return db<Endpoint[]>`
    SELECT ${columns(db)} FROM webhook_endpoints WHERE company_id = ${companyId} ORDER BY id DESC`;
}

/** The endpoint, or null. */
export async function selectEndpoint(db: Queryable, companyId: string, id: string): Promise<Endpoint | null> {
  const [row] = await db<Endpoint[]>`
    SELECT ${columns(db)} FROM webhook_endpoints WHERE company_id = ${companyId} AND id = ${id}`;
  return row ?? null;
}

/** The endpoint, or null; locks it against deletion until the transaction ends. */
export async function selectEndpointToSend(tx: Tx, companyId: string, id: string): Promise<Endpoint | null> {
  const [row] = await tx<Endpoint[]>`
    SELECT ${columns(tx)} FROM webhook_endpoints WHERE company_id = ${companyId} AND id = ${id} FOR KEY SHARE`;
  return row ?? null;
}

export type EndpointChanges = {
  url: string | null;
  description: string | null;
  types: readonly string[] | null;
  status: string | null;
};

/** Writes the fields that are not null; null when there is no such endpoint. */
export async function updateEndpoint(
  db: Queryable,
  companyId: string,
  id: string,
  { url, description, types, status }: EndpointChanges,
): Promise<Endpoint | null> {
  const [row] = await db<Endpoint[]>`
    UPDATE webhook_endpoints
    SET url = coalesce(${url}, url), description = coalesce(${description}, description),
        types = coalesce(string_to_array(${types?.join() ?? null}::text, ','), types), status = coalesce(${status}, status),
        updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id}
    RETURNING ${columns(db)}`;
  return row ?? null;
}

/** Gives up the endpoint's waiting deliveries, and locks them in the order of their events. */
export async function abandonDeliveries(db: Queryable, companyId: string, endpointId: string): Promise<void> {
  await db`
    WITH waiting AS (
      SELECT event FROM webhook_deliveries
      WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND next_attempt_at IS NOT NULL
      ORDER BY event FOR NO KEY UPDATE
    )
    UPDATE webhook_deliveries AS deliveries SET state = 'failed', next_attempt_at = NULL, lease = NULL, leased_until = NULL
    FROM waiting
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND deliveries.event = waiting.event`;
}

/** Removes the endpoint with its deliveries; false when there was none. */
export async function deleteEndpoint(db: Queryable, companyId: string, id: string): Promise<boolean> {
  const rows = await db`DELETE FROM webhook_endpoints WHERE company_id = ${companyId} AND id = ${id} RETURNING 1`;
  return rows.length === 1;
}

/**
 * Gives the endpoint a new encrypted secret; the old one also signs for `bothForHours`. Null when there is no such
 * endpoint.
 */
export async function replaceSecret(
  db: Queryable,
  companyId: string,
  id: string,
  { secret, bothForHours }: { secret: Buffer; bothForHours: number },
): Promise<Endpoint | null> {
  const [row] = await db<Endpoint[]>`
    UPDATE webhook_endpoints
    SET previous_secret = secret, previous_secret_until = now() + make_interval(hours => ${bothForHours}), secret = ${secret},
        updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id}
    RETURNING ${columns(db)}`;
  return row ?? null;
}

/** Inserts an event that only this endpoint gets. */
export async function insertPing(
  db: Queryable,
  companyId: string,
  { endpointId, eventId, data }: { endpointId: string; eventId: string; data: string },
): Promise<void> {
  await db`
    WITH recorded AS (
      INSERT INTO events (company_id, id, type, data) VALUES (${companyId}, ${eventId}, 'webhook.ping', ${data}::text::json)
    )
    INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, next_attempt_at)
    VALUES (${companyId}, ${endpointId}, ${eventId}, ${companyId}, now())`;
}

export type DeliveryFilter = { state: string | null; before: string | null };

/** The newest events that have deliveries to the endpoint, with their times; with `before`, those before that event. */
export async function selectDeliveredEvents(
  db: Queryable,
  companyId: string,
  endpointId: string,
  { state, before }: DeliveryFilter,
  limit: number,
): Promise<{ id: string; at: Date }[]> {
  return db<{ id: string; at: Date }[]>`
    SELECT event AS id, created_at AS at FROM webhook_deliveries
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId}
      ${state === null ? db`` : db`AND state = ${state}`}
      ${before === null ? db`` : db`AND event < ${before}`}
    ORDER BY event DESC
    LIMIT ${limit}`;
}

/** The endpoint's deliveries of these events, newest first, each as JSON text with its attempts. */
export async function selectDeliveries(
  db: Queryable,
  companyId: string,
  endpointId: string,
  events: readonly string[],
): Promise<{ id: string; json: string }[]> {
  return db<{ id: string; json: string }[]>`
    SELECT deliveries.event AS id, json_build_object(
        'eventId', event,
        'type', (SELECT type FROM events WHERE events.company_id = deliveries.about AND events.id = deliveries.event),
        'state', state, 'nextAttemptAt', iso_instant(next_attempt_at), 'createdAt', iso_instant(created_at),
        'attempts', (
          SELECT coalesce(json_agg(json_build_object(
              'createdAt', iso_instant(attempts.created_at), 'try', attempts.try, 'status', attempts.status,
              'durationMs', attempts.duration_ms, 'failure', attempts.failure, 'response', attempts.response
            ) ORDER BY attempts.id), '[]')
          FROM webhook_attempts AS attempts
          WHERE attempts.company_id = deliveries.company_id AND attempts.endpoint_id = deliveries.endpoint_id
            AND attempts.event = deliveries.event
        )
      )::text AS json
    FROM webhook_deliveries AS deliveries
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND event = ANY(${idList(db, events)})
    ORDER BY event DESC`;
}

/**
 * A delivery that is sent again starts over: its attempts are reset and it is due now. Deliveries are locked in the order of their events.
 */
function insertDueDeliveries(db: Queryable, companyId: string, endpointId: string) {
  return db`
    INSERT INTO webhook_deliveries AS deliveries (company_id, endpoint_id, event, about, next_attempt_at)
    SELECT ${companyId}, ${endpointId}, id, company_id, now() FROM found ORDER BY id
    ON CONFLICT (company_id, endpoint_id, event) DO UPDATE
      SET state = 'pending', tries = 0, next_attempt_at = now(), lease = NULL, leased_until = NULL
    RETURNING 1`;
}

/** Every company that has events, one entry of the index for each, and null at the end. */
function everyOwner(db: Queryable) {
  return db`
      (SELECT company_id AS id FROM events ORDER BY company_id LIMIT 1)
      UNION ALL
      SELECT (SELECT company_id FROM events WHERE company_id > owners.id ORDER BY company_id LIMIT 1)
      FROM owners WHERE owners.id IS NOT NULL`;
}

/**
 * Sends an event again; false when there is none that the endpoint may see: its company's, or any for the operator's
 * endpoint. There is no index by the id alone, and the time in an id may be that of what the event is about.
 */
export async function replayEvent(
  tx: Tx,
  companyId: string,
  { endpointId, eventId, allCompanies }: { endpointId: string; eventId: string; allCompanies: boolean },
): Promise<boolean> {
  const rows = await tx`
    WITH RECURSIVE owners AS (
      ${allCompanies ? everyOwner(tx) : tx`SELECT ${companyId}::uuid AS id`}
    ), found AS (
      SELECT event.*
      FROM owners
      CROSS JOIN LATERAL (
        SELECT company_id, id FROM events WHERE company_id = owners.id AND events.id = ${eventId} OFFSET 0
      ) AS event
    )
    ${insertDueDeliveries(tx, companyId, endpointId)}`;
  return rows.length === 1;
}

export type ReplayRange = {
  endpointId: string;
  /** Whether to search the events of all companies, not only of this one. */
  allCompanies: boolean;
  startAt: Date;
  endAt: Date;
  /** No event of the range has a later id. It may have any earlier one, whose time is that of what the event is about. */
  lastId: string;
  limit: number;
};

/**
 * Sends the events of a range that the endpoint is subscribed to again, oldest first. `continueAt` is null at the end.
 */
export async function replayRange(
  tx: Tx,
  companyId: string,
  { endpointId, allCompanies, startAt, endAt, lastId, limit }: ReplayRange,
): Promise<{ scheduled: number; continueAt: Date | null }> {
  // The plan depends on how many events the company has, and how many there are within the range.
  const [, [row]] = await Promise.all([
    tx`SET LOCAL plan_cache_mode = force_custom_plan`,
    tx<[{ scheduled: number; continueAt: Date | null }]>`
    WITH endpoint AS (
      SELECT types FROM webhook_endpoints WHERE company_id = ${companyId} AND id = ${endpointId}
    ), candidates AS (
      SELECT events.company_id, events.id, events.created_at
      FROM events, endpoint
      WHERE ${allCompanies ? tx`true` : tx`company_id = ${companyId} AND id <= ${lastId}`}
        AND created_at >= ${startAt} AND created_at < ${endAt} AND type <> 'webhook.ping'
        AND (types = '{}' OR type = ANY(types) OR split_part(type, '.', 1) || '.*' = ANY(types))
      ORDER BY events.created_at, events.id
      LIMIT ${limit + 1}
    ), found AS (SELECT * FROM candidates ORDER BY created_at, id LIMIT ${limit}),
    written AS (${insertDueDeliveries(tx, companyId, endpointId)})
    SELECT (SELECT count(*) FROM written)::int AS scheduled,
           (SELECT created_at FROM candidates ORDER BY created_at, id OFFSET ${limit}) AS "continueAt"`,
  ]);
  return row;
}
