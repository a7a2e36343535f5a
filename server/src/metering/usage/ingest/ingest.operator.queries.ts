import { constantPart, type Queryable, type Tx } from '../../../platform/database/database.ts';
import { EVENT_COLUMNS, eventArrays, listOf, storeAccepted } from './events.parts.queries.ts';
import type { UsageEvent } from './events.ts';

/** How far a source's clock may be ahead of ours. */
export const FUTURE_TOLERANCE_MS = 5 * 60 * 1000;

/** Ends the transaction with SQLSTATE 55P03 as soon as it has waited for another one for so long. */
export async function boundWaits(tx: Tx, milliseconds: number): Promise<void> {
  await tx`SELECT set_config('lock_timeout', ${`${milliseconds}ms`}, true)`;
}

/** Creates the partitions for new events of this month and the next two, if missing. @returns until when they reach */
export async function createPartitions(db: Queryable): Promise<Date> {
  const [row] = await db<[{ until: Date }]>`SELECT create_usage_partitions() AS until`;
  return row.until;
}

/**
 * How a company refuses late usage: `days` after the end of its billing period. Months that are not billed yet are of
 * its time zone.
 */
export type LateRefusal = { companyId: string; timezone: string; days: number };

/** The companies among these that refuse late usage. */
export async function selectLateRefusals(tx: Tx, companyIds: readonly string[]): Promise<LateRefusal[]> {
  return tx<LateRefusal[]>`
    SELECT id AS "companyId", timezone, late_usage_days AS days FROM companies
    WHERE id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[]) AND late_usage_kind = 'refuse'`;
}

/** The digests of these events that their companies have sent before, as `<company> <digest>`. */
export async function selectKnownKeys(tx: Tx, events: readonly UsageEvent[]): Promise<Set<string>> {
  const companyIds = events.map(({ companyId }) => companyId).join();
  const digests = events.map(({ digest }) => digest).join();
  const rows = await tx<{ key: string }[]>`
    SELECT given.company_id || ' ' || given.digest AS key
    FROM unnest(string_to_array(${companyIds}, ','), string_to_array(${digests}, ',')) AS given (company_id, digest)
    WHERE EXISTS (
      SELECT FROM usage_event_keys AS keys
      WHERE keys.company_id = given.company_id::uuid AND keys.digest = given.digest::uuid OFFSET 0
    ) OR ${isBeingMoved(tx)}`;
  return new Set(rows.map(({ key }) => key));
}

/** A condition on `given`: the event is among those of its company that came before the company had its external id. */
const isBeingMoved = constantPart(
  (db) => db`EXISTS (
    SELECT FROM usage_attributions AS moving
    JOIN unattributed_events AS waiting ON waiting.unattributed_id = moving.unattributed_id AND waiting.digest = given.digest::uuid
    WHERE moving.company_id = given.company_id::uuid
    -- Keeps PostgreSQL from reading all that waits.
    OFFSET 0
  )`,
);

/** The database's reason for not storing an event; `index` is the event's index in the given list. */
export type Refused = { index: number; reason: 'duplicate' | 'unknown_company' | 'time_in_future' | 'too_late' };

/**
 * Stores events of any companies and adds them to their sums in one statement, so that all of it happens or nothing.
 * With `mayRepeat`, an event whose digest the company has sent before is left out, whether earlier, in parallel or in
 * the same list. Without it, a repeat is an error, and the statement takes a fifth less time.
 * The IN inside a CASE keeps PostgreSQL, which does not know the sizes, from a join that compares each event with each
 * key. It is evaluated only when some event of the list is not new.
 * @returns the events that were not stored
 * @throws PostgresError on the constraint `usage_event_keys_pkey`, without `mayRepeat`
 */
export async function insertUsage(
  tx: Tx,
  events: readonly UsageEvent[],
  { mayRepeat, now }: { mayRepeat: boolean; now: Date },
): Promise<Refused[]> {
  const companyIds = [...new Set(events.map(({ companyId }) => companyId))];
  const [row] = await tx<[{ refused: string | null }]>`
    WITH judged AS MATERIALIZED (
      SELECT *, CASE
        WHEN company_id IN (SELECT id FROM companies WHERE id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[])) THEN
          CASE WHEN happened_ms > ${now.getTime() + FUTURE_TOLERANCE_MS}::bigint
               THEN 'time_in_future'
               -- It may repeat an event that was removed after the retention time.
               WHEN happened_ms < coalesce((SELECT (extract(epoch FROM removed_until) * 1000)::bigint FROM usage_retention), 0)
                                  + ${FUTURE_TOLERANCE_MS}
                 AND NOT EXISTS (
                   SELECT FROM usage_event_keys AS known
                   WHERE known.company_id = given.company_id AND known.digest = given.digest
                 )
               THEN 'too_late'
               WHEN (SELECT EXISTS (
                 SELECT FROM usage_attributions WHERE company_id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[])
               )) AND ${isBeingMoved(tx)}
               THEN 'duplicate' END
        ELSE 'unknown_company'
      END AS reason
      FROM ${unnest(tx, events, companyIds)}
    ), ${(mayRepeat ? acceptNew : acceptAll)(tx)}, ${storeAccepted(tx)}
    SELECT CASE WHEN (SELECT count(*) FROM accepted) < ${events.length}::integer THEN (
      SELECT string_agg(position || ' ' || coalesce(reason, 'duplicate'), ',')
      FROM judged
      WHERE CASE WHEN reason IS NULL AND position IN (SELECT position FROM accepted) THEN false ELSE true END
    ) END AS refused`;
  return (row.refused ?? '').split(',').flatMap((refused) => {
    const [position, reason] = refused.split(' ');
    return reason === undefined ? [] : [{ index: Number(position) - 1, reason: reason as Refused['reason'] }];
  });
}

/** Parts of the `WITH`: inserts the keys of events that break no rule, and takes those whose keys are new as `accepted`. */
const acceptNew = constantPart(
  (db) => db`
    eligible AS MATERIALIZED (
      SELECT DISTINCT ON (company_id, digest) * FROM judged WHERE reason IS NULL ORDER BY company_id, digest, position
    ), new_keys AS MATERIALIZED (
      INSERT INTO usage_event_keys (company_id, digest)
      SELECT company_id, digest FROM eligible
      ON CONFLICT DO NOTHING
      RETURNING company_id, digest
    ), accepted AS NOT MATERIALIZED (
      SELECT * FROM eligible
      WHERE CASE WHEN (SELECT count(*) FROM new_keys) = (SELECT count(*) FROM eligible) THEN true
                 WHEN (company_id, digest) IN (SELECT company_id, digest FROM new_keys) THEN true
                 ELSE false END
    )`,
);

/** The same where a key that is not new is an error. */
const acceptAll = constantPart(
  (db) => db`
    accepted AS NOT MATERIALIZED (SELECT * FROM judged WHERE reason IS NULL), new_keys AS (
      INSERT INTO usage_event_keys (company_id, digest) SELECT company_id, digest FROM accepted
    )`,
);

/** The events as rows; each company's id is sent once. */
function unnest(tx: Tx, events: readonly UsageEvent[], companyIds: readonly string[]) {
  const positions = new Map(companyIds.map((companyId, index) => [companyId, index + 1]));
  return tx`(
    SELECT (SELECT string_to_array(${companyIds.join()}, ',')::uuid[])[company_position] AS company_id, given.*
    FROM unnest(
      ${listOf(events, ({ companyId }) => positions.get(companyId) ?? 0)}::text::integer[], ${eventArrays(tx, events)}
    ) WITH ORDINALITY AS given (company_position, ${tx.unsafe(EVENT_COLUMNS)}, position)
  ) AS given`;
}
