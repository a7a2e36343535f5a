import { COUNT_LIMIT, type WorkQueue } from '../../../platform/background/work-queues.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../../platform/calendar/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/database/database.ts';
import { PROCESS_ID } from '../../../platform/processes/processes.service.ts';

/** An event on its way to an endpoint. `companyId` is the endpoint's owner, `about` the company of the event. */
export type ClaimedDelivery = {
  companyId: string;
  endpointId: string;
  eventId: string;
  /** How often it was tried before. */
  tries: number;
  url: string;
  status: 'enabled' | 'failing' | 'disabled';
  secret: Uint8Array;
  /** The secret before it, while it is good. */
  previousSecret: Uint8Array | null;
  /** Null when the event is not there any more. */
  type: string | null;
  happenedAt: Date | null;
  about: string | null;
  /** JSON text. */
  data: string | null;
};

/** Longer than a try can take. */
const LEASE_SECONDS = 40;

/**
 * Claims deliveries that are due, of every company: so many at most, and of each endpoint only as many as keep those that are
 * being sent to it, by any process, below a bound. Endpoints are looked up one after the other, so a long queue of one costs the
 * others nothing. A claim that its process did not live to use runs out, and the event is sent again; so does one from before the
 * database's clock was set back.
 */
export async function claimDeliveries(
  db: Queryable,
  { lease, limit, perEndpoint }: { lease: string; limit: number; perEndpoint: number },
): Promise<ClaimedDelivery[]> {
  return db<ClaimedDelivery[]>`
    WITH RECURSIVE waiting AS (
      (SELECT company_id, endpoint_id FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
       ORDER BY company_id, endpoint_id LIMIT 1)
      UNION ALL
      SELECT next.company_id, next.endpoint_id
      FROM waiting CROSS JOIN LATERAL (
        SELECT company_id, endpoint_id FROM webhook_deliveries
        WHERE next_attempt_at IS NOT NULL AND (company_id, endpoint_id) > (waiting.company_id, waiting.endpoint_id)
        ORDER BY company_id, endpoint_id LIMIT 1
      ) AS next
    ), due AS (
      SELECT first.*
      FROM waiting CROSS JOIN LATERAL (
        SELECT company_id, endpoint_id, event, next_attempt_at FROM webhook_deliveries AS deliveries
        WHERE deliveries.company_id = waiting.company_id AND deliveries.endpoint_id = waiting.endpoint_id
          AND next_attempt_at <= now()
        ORDER BY next_attempt_at
        LIMIT greatest(0, ${perEndpoint}::integer - (
          SELECT count(*) FROM webhook_deliveries AS leased
          WHERE leased.company_id = waiting.company_id AND leased.endpoint_id = waiting.endpoint_id
            AND leased.lease IS NOT NULL
            AND leased.leased_until BETWEEN now() AND now() + make_interval(secs => ${LEASE_SECONDS + CLOCK_TOLERANCE_SECONDS})
        ))
      ) AS first
      ORDER BY first.next_attempt_at
      LIMIT ${limit}
    ), free AS (
      SELECT company_id, endpoint_id, event FROM webhook_deliveries
      WHERE (company_id, endpoint_id, event) IN (SELECT company_id, endpoint_id, event FROM due) AND next_attempt_at <= now()
      FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE webhook_deliveries AS deliveries
      SET lease = ${lease}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS}),
          next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS}), process_id = ${PROCESS_ID}
      FROM free
      WHERE deliveries.company_id = free.company_id AND deliveries.endpoint_id = free.endpoint_id AND deliveries.event = free.event
      RETURNING deliveries.*
    )
    SELECT claimed.company_id AS "companyId", claimed.endpoint_id AS "endpointId", claimed.event AS "eventId", claimed.tries,
           endpoints.url, endpoints.status, endpoints.secret,
           CASE WHEN endpoints.previous_secret_until > now() THEN endpoints.previous_secret END AS "previousSecret",
           events.type, events.created_at AS "happenedAt", nullif(events.company_id, '00000000-0000-0000-0000-000000000000') AS about,
           events.data::text AS data
    FROM claimed
    JOIN webhook_endpoints AS endpoints ON endpoints.company_id = claimed.company_id AND endpoints.id = claimed.endpoint_id
    LEFT JOIN events ON events.company_id = claimed.about AND events.id = claimed.event`;
}

/**
 * Makes due what dead processes were sending. One that only stood still has sent it too, with the same id, and notes its try but not
 * what comes of the delivery, because its lease is lost. @returns how many there were
 */
export async function releaseDeliveries(tx: Tx, processIds: readonly string[]): Promise<number> {
  const released = await tx`
    WITH left_behind AS (
      SELECT company_id, endpoint_id, event FROM webhook_deliveries
      WHERE lease IS NOT NULL AND process_id = ANY(string_to_array(${processIds.join()}, ',')::uuid[])
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries AS deliveries SET next_attempt_at = now(), lease = NULL, leased_until = NULL
    FROM left_behind
    WHERE deliveries.company_id = left_behind.company_id AND deliveries.endpoint_id = left_behind.endpoint_id
      AND deliveries.event = left_behind.event`;
  return released.count;
}

/**
 * The database's clock was set back: what waits longer than any delivery does is due now. After so many tries that is `longestWaits`, in
 * seconds, or a lease. Only where something that happened, or a try, is of a time that is still to come are the deliveries looked through.
 */
export async function bringForward(db: Queryable, longestWaits: readonly number[]): Promise<void> {
  await db`
    UPDATE webhook_deliveries SET next_attempt_at = now(), lease = NULL, leased_until = NULL
    WHERE next_attempt_at IS NOT NULL
      AND greatest((SELECT max(created_at) FROM events), (SELECT max(created_at) FROM webhook_attempts))
          > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})
      AND next_attempt_at > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS} + greatest(
            ${LEASE_SECONDS}, (${JSON.stringify(longestWaits)}::text::json ->> least(tries, ${longestWaits.length - 1}))::float))`;
}

/** A try, and what comes after it: `state` of the delivery, and in how many seconds it is tried again; null when it has ended. */
export type NotedAttempt = {
  companyId: string;
  id: string;
  endpointId: string;
  eventId: string;
  lease: string;
  status: number | null;
  durationMs: number;
  failure: string | null;
  response: string;
  state: 'pending' | 'delivered' | 'failed';
  nextAttemptSeconds: number | null;
  /** What the endpoint becomes, unless it is disabled; null when it stays as it is. */
  endpointStatus: 'enabled' | 'failing' | 'disabled' | null;
};

/**
 * Writes tries down, of whatever companies, with what they make of their deliveries and endpoints: of several of one endpoint the last
 * word counts, but for `disabled`. Where the lease was lost, the delivery stays as it is. One line of JSON each, because of a text
 * that it splits the planner takes fewer rows than of JSON, few enough to look each delivery up by its key.
 */
export async function noteAttempts(db: Queryable, attempts: readonly NotedAttempt[]): Promise<void> {
  await db`
    WITH given AS MATERIALIZED (
      SELECT noted.*, place
      FROM unnest(string_to_array(${attempts.map((attempt) => JSON.stringify(attempt)).join('\n')}, chr(10)))
        WITH ORDINALITY AS lines (line, place),
        json_to_record(line::json) AS noted (
          "companyId" uuid, id uuid, "endpointId" uuid, "eventId" uuid, lease uuid, status integer, "durationMs" integer, failure text,
          response text, state text, "nextAttemptSeconds" double precision, "endpointStatus" text
        )
    ), ours AS (
      UPDATE webhook_deliveries AS deliveries
      SET state = given.state, tries = tries + 1, lease = NULL, leased_until = NULL,
          next_attempt_at = now() + make_interval(secs => "nextAttemptSeconds")
      FROM given
      WHERE deliveries.company_id = "companyId" AND endpoint_id = "endpointId" AND event = "eventId" AND deliveries.lease = given.lease
    ), marked AS (
      UPDATE webhook_endpoints AS endpoints SET status = "endpointStatus", updated_at = now()
      FROM (
        SELECT DISTINCT ON ("companyId", "endpointId") "companyId", "endpointId", "endpointStatus" FROM given
        WHERE "endpointStatus" IS NOT NULL
        ORDER BY "companyId", "endpointId", "endpointStatus" = 'disabled' DESC, place DESC
      ) AS last
      WHERE endpoints.company_id = "companyId" AND endpoints.id = "endpointId"
        AND endpoints.status <> "endpointStatus" AND endpoints.status <> 'disabled'
    )
    INSERT INTO webhook_attempts (company_id, id, endpoint_id, event, try, status, duration_ms, failure, response)
    SELECT company_id, given.id, endpoint_id, event, tries + 1, given.status, "durationMs", failure, response
    FROM given
    JOIN webhook_deliveries AS deliveries ON company_id = "companyId" AND endpoint_id = "endpointId" AND event = "eventId"`;
}

/** Ends a delivery that is not sent: its endpoint is disabled, or its event is not there any more. */
export async function endDelivery(
  db: Queryable,
  companyId: string,
  { endpointId, eventId, lease }: { endpointId: string; eventId: string; lease: string },
): Promise<void> {
  await db`
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, lease = NULL, leased_until = NULL
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND event = ${eventId} AND lease = ${lease}`;
}

/** What waits to be sent, for the metrics; what was given up after all its tries is dead. */
export async function readWebhookQueue(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    SELECT 'webhooks' AS name, count(*)::int AS depth,
           greatest(0, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0))::float AS "oldestSeconds",
           (count(*) FILTER (WHERE tries > 0))::int AS retries,
           (SELECT count(*)::int FROM (
             SELECT FROM webhook_deliveries WHERE state = 'failed' LIMIT ${COUNT_LIMIT}
           ) AS failed) AS dead
    FROM (
      SELECT next_attempt_at, tries FROM webhook_deliveries WHERE next_attempt_at <= now() LIMIT ${COUNT_LIMIT}
    ) AS due`;
}

/** Removes the tries and the deliveries that ended before the last ninety days, up to `limit` of each. @returns how many there were */
export async function removeOldDeliveries(db: Queryable, limit: number): Promise<number> {
  const attempts = await db`
    DELETE FROM webhook_attempts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_attempts WHERE created_at < now() - interval '90 days' LIMIT ${limit}))`;
  const deliveries = await db`
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE state <> 'pending' AND created_at < now() - interval '90 days' LIMIT ${limit}))`;
  return attempts.count + deliveries.count;
}
