import { CLOCK_TOLERANCE_SECONDS } from '../../../platform/calendar/clock.ts';
import { constantPart, type Db, type Queryable } from '../../../platform/database/database.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../../platform/http/metrics/work-queues.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { chooseByLane, claimJobs, isChosen } from '../../../platform/queue/claim.parts.queries.ts';
import type { Question } from '../../../platform/queue/due/due.ts';
import { type JobTable, LEASED } from '../../../platform/queue/job-table.ts';
import { acquireLease } from '../../../platform/queue/leases.parts.queries.ts';

/** A claimed delivery. `companyId` is the endpoint's owner, `about` the company of the event. */
export type ClaimedDelivery = {
  companyId: string;
  endpointId: string;
  eventId: string;
  /** The number of attempts before this one. */
  tries: number;
  url: string;
  status: 'enabled' | 'failing' | 'disabled';
  secret: Uint8Array;
  /** The secret before a rotation, while it is still valid. */
  previousSecret: Uint8Array | null;
  /** Null when the event no longer exists. */
  type: string | null;
  happenedAt: Date | null;
  about: string | null;
  /** JSON text; null when the event no longer exists. */
  data: string | null;
};

/** Longer than an attempt can take. */
const LEASE_SECONDS = 40;

/**
 * Deliveries that are to be sent. A process that only stalled may have sent a released one too, with the same id; it then records its
 * attempt but not the delivery's state, because it has lost the lease.
 */
export const DELIVERY_JOBS: JobTable = {
  kind: 'webhooks',
  table: 'webhook_deliveries',
  key: ['company_id', 'endpoint_id', 'event'],
  company: `nullif(company_id, '${OPERATOR_SCOPE}')`,
  record: "concat(endpoint_id, '/', event)",
  isNamed: `
    company_id = failed_company AND endpoint_id = split_part(failed_record, '/', 1)::uuid
    AND event = split_part(failed_record, '/', 2)::uuid`,
  isOpen: 'next_attempt_at IS NOT NULL',
  dueAt: 'next_attempt_at',
  isRunning: LEASED.isRunning,
  attempts: 'tries',
  makeDue: 'next_attempt_at = now()',
  claim: { isClaimed: LEASED.claim.isClaimed, release: `next_attempt_at = now(), ${LEASED.claim.release}` },
};

/** Whether a delivery is to be sent, now or later. */
export const WAITING_DELIVERIES: Question = {
  name: DELIVERY_JOBS.kind,
  isDue: constantPart(
    (db) => db`EXISTS (SELECT FROM (
      SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL ORDER BY company_id, endpoint_id LIMIT 1
    ) AS first)`,
  ),
};

/**
 * Claims due deliveries of all companies: at most `limit`, and for each endpoint at most as many as keep those that this process has
 * claimed of it below `perEndpoint`; none of an endpoint of which another process has any. A claim whose process died expires, and the
 * event is sent again.
 * While the database holds charges it claims none: no event may leave that the database may lose again.
 */
export async function claimDeliveries(
  db: Queryable,
  { lease, limit, perEndpoint }: { lease: string; limit: number; perEndpoint: number },
): Promise<ClaimedDelivery[]> {
  return db<ClaimedDelivery[]>`
    WITH RECURSIVE ${chooseByLane(db, DELIVERY_JOBS, {
      lane: ['company_id', 'endpoint_id'],
      where: db`NOT EXISTS (SELECT FROM charges_holds WHERE ended_at IS NULL)`,
      limit,
      perLane: perEndpoint,
      ofOneProcess: true,
      leaseSeconds: LEASE_SECONDS,
    })}, ${claimParts(db, lease)}`;
}

/** Claims, while the database holds charges, the due deliveries of what tells the operator about the hold. */
export async function claimDeliveriesOfHold(
  db: Queryable,
  { lease, limit }: { lease: string; limit: number },
): Promise<ClaimedDelivery[]> {
  return db<ClaimedDelivery[]>`
    WITH about AS (
      SELECT events.company_id, events.id
      FROM charges_holds AS holds
      -- The hold may have begun anew since, but this event is from when it began first.
      JOIN events AS beginning ON beginning.type = 'charges.held' AND beginning.data ->> 'id' = holds.id::text
      JOIN events ON events.created_at >= beginning.created_at
      WHERE holds.ended_at IS NULL AND beginning.type NOT LIKE 'label.%' AND events.company_id = '00000000-0000-0000-0000-000000000000'
        AND events.type IN ('alert.created', 'charges.held') AND events.type NOT LIKE 'label.%'
        AND (events.type = 'charges.held' OR events.data ->> 'kind' = 'charges_held')
    ), chosen AS (
      SELECT deliveries.company_id, deliveries.endpoint_id, deliveries.event
      FROM about
      JOIN webhook_endpoints AS endpoints ON endpoints.company_id = about.company_id
      JOIN webhook_deliveries AS deliveries
        ON deliveries.company_id = endpoints.company_id AND deliveries.endpoint_id = endpoints.id AND deliveries.event = about.id
      WHERE deliveries.next_attempt_at <= now()
      LIMIT ${limit}
    ), ${claimParts(db, lease)}`;
}

/** Continues a statement `WITH … chosen AS (…), <this>`: claims and reads those deliveries that are still due. */
function claimParts(db: Queryable, lease: string) {
  return db`
    ${claimJobs(db, DELIVERY_JOBS, {
      where: isChosen(db, DELIVERY_JOBS, 'chosen'),
      set: db`${acquireLease(db, lease, LEASE_SECONDS)}, next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})`,
    })}
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
 * After the database's clock was set back: makes due what waits longer than any delivery does, or than a lease. The
 * longest delay after n attempts is `longestDelaysSeconds[n]`. Deliveries are scanned only if an event or an attempt
 * has a time in the future.
 */
export async function rescheduleAfterClockChange(
  db: Queryable,
  longestDelaysSeconds: readonly number[],
): Promise<void> {
  await db`
    WITH early AS (
      SELECT company_id, endpoint_id, event FROM webhook_deliveries
      WHERE next_attempt_at IS NOT NULL
        AND greatest((SELECT max(created_at) FROM events), (SELECT max(created_at) FROM webhook_attempts))
            > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS})
        AND next_attempt_at > now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS} + greatest(
              ${LEASE_SECONDS},
              (${JSON.stringify(longestDelaysSeconds)}::text::json ->> least(tries, ${longestDelaysSeconds.length - 1}))::float))
      ORDER BY company_id, endpoint_id, event FOR NO KEY UPDATE
    )
    UPDATE webhook_deliveries AS deliveries
    SET next_attempt_at = date_trunc('milliseconds', now()), lease = NULL, leased_until = NULL
    FROM early
    WHERE deliveries.company_id = early.company_id AND deliveries.endpoint_id = early.endpoint_id AND deliveries.event = early.event`;
}

/**
 * An attempt and what follows: the delivery's new `state`, and the seconds until the next attempt; null when the
 * delivery has ended.
 */
export type AttemptRecord = {
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
  /** The endpoint's new status, unless it is disabled; null to keep it. */
  endpointStatus: 'enabled' | 'failing' | 'disabled' | null;
};

/**
 * Records attempts of any companies, and updates their deliveries and endpoints. Of several attempts for one endpoint
 * the last one decides, except that `disabled` always wins. A delivery whose lease was lost is not changed. The input
 * is one line of JSON per attempt, because the planner estimates fewer rows for a split text than for JSON, few enough
 * to look each delivery up by its key. Locked are first the endpoints, as by a deletion or a change of one, and then the deliveries in the
 * order of their keys, as by a replay.
 */
export async function insertAttempts(db: Queryable, attempts: readonly AttemptRecord[]): Promise<void> {
  const keyOf = ({ companyId, endpointId, eventId }: AttemptRecord) => `${companyId} ${endpointId} ${eventId}`;
  const lines = attempts
    .map((attempt, position) => ({ ...attempt, position }))
    .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
    .map((attempt) => JSON.stringify(attempt))
    .join('\n');
  await db`
    WITH given AS MATERIALIZED (
      SELECT noted.*
      FROM unnest(string_to_array(${lines}, chr(10))) AS lines (line),
        json_to_record(line::json) AS noted (
          "companyId" uuid, id uuid, "endpointId" uuid, "eventId" uuid, lease uuid, status integer, "durationMs" integer, failure text,
          response text, state text, "nextAttemptSeconds" double precision, "endpointStatus" text, position integer
        )
    ), locked AS MATERIALIZED (
      SELECT id FROM webhook_endpoints
      WHERE (company_id, id) IN (SELECT "companyId", "endpointId" FROM given)
      ORDER BY company_id, id FOR NO KEY UPDATE
    ), ours AS (
      UPDATE webhook_deliveries AS deliveries
      SET state = given.state, tries = tries + 1, lease = NULL, leased_until = NULL,
          next_attempt_at = now() + make_interval(secs => "nextAttemptSeconds")
      FROM given
      WHERE deliveries.company_id = "companyId" AND endpoint_id = "endpointId" AND event = "eventId" AND deliveries.lease = given.lease
        AND (SELECT count(*) FROM locked) >= 0
    ), failed AS (
      INSERT INTO job_failures AS known (company_id, kind, record, error)
      SELECT "companyId", 'webhooks', concat("endpointId", '/', "eventId"), concat_ws(' ', failure, status)
      FROM given WHERE state = 'pending' AND failure IS NOT NULL
      ON CONFLICT (company_id, kind, record) DO UPDATE SET failures = known.failures + 1, error = excluded.error, failed_at = now()
    ), marked AS (
      UPDATE webhook_endpoints AS endpoints SET status = "endpointStatus", updated_at = now()
      FROM (
        SELECT DISTINCT ON ("companyId", "endpointId") "companyId", "endpointId", "endpointStatus" FROM given
        WHERE "endpointStatus" IS NOT NULL
        ORDER BY "companyId", "endpointId", "endpointStatus" = 'disabled' DESC, position DESC
      ) AS last
      WHERE endpoints.company_id = "companyId" AND endpoints.id = "endpointId"
        AND endpoints.status <> "endpointStatus" AND endpoints.status <> 'disabled'
    )
    INSERT INTO webhook_attempts (company_id, id, endpoint_id, event, try, status, duration_ms, failure, response)
    SELECT company_id, given.id, endpoint_id, event, tries + 1, given.status, "durationMs", failure, response
    FROM given
    JOIN webhook_deliveries AS deliveries ON company_id = "companyId" AND endpoint_id = "endpointId" AND event = "eventId"`;
}

/** Makes claimed deliveries due again that were not sent. They are the first of their endpoints. */
export async function releaseDeliveries(
  db: Queryable,
  claimed: readonly { companyId: string; endpointId: string; eventId: string; lease: string }[],
): Promise<void> {
  const keys = claimed.map(({ companyId, endpointId, eventId, lease }) => ({ companyId, endpointId, eventId, lease }));
  await db`
    UPDATE webhook_deliveries AS deliveries SET next_attempt_at = least(created_at, now()), lease = NULL, leased_until = NULL
    FROM json_to_recordset(${JSON.stringify(keys)}::text::json)
      AS given ("companyId" uuid, "endpointId" uuid, "eventId" uuid, lease uuid)
    WHERE deliveries.company_id = "companyId" AND endpoint_id = "endpointId" AND event = "eventId" AND deliveries.lease = given.lease`;
}

/** Ends a delivery that can't be sent, because its endpoint is disabled or its event no longer exists. */
export async function endDelivery(
  db: Queryable,
  companyId: string,
  { endpointId, eventId, lease }: { endpointId: string; eventId: string; lease: string },
): Promise<void> {
  await db`
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, lease = NULL, leased_until = NULL
    WHERE company_id = ${companyId} AND endpoint_id = ${endpointId} AND event = ${eventId} AND lease = ${lease}`;
}

/** The queue for the metrics; a delivery is dead when it was given up after all its attempts. */
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

/**
 * Removes up to `limit` each of the attempts and the deliveries that ended more than ninety days ago. @returns how many
 * were removed
 */
export async function removeOldDeliveries(db: Queryable, limit: number): Promise<number> {
  const attempts = await db`
    DELETE FROM webhook_attempts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_attempts WHERE created_at < now() - interval '90 days' LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  const deliveries = await db`
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE state <> 'pending' AND created_at < now() - interval '90 days'
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  return attempts.count + deliveries.count;
}
