import type { Queryable, Tx } from '../../../platform/database/database.ts';
import type { UsageEvent } from './events.ts';

/** How far a source's clock may be ahead of ours. */
const FUTURE_TOLERANCE_MS = 5 * 60 * 1000;

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
    CROSS JOIN LATERAL (
      SELECT 1 FROM usage_event_keys AS keys
      WHERE keys.company_id = given.company_id::uuid AND keys.digest = given.digest::uuid LIMIT 1
    ) AS known`;
  return new Set(rows.map(({ key }) => key));
}

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
  const eligible = mayRepeat
    ? tx`MATERIALIZED (
        SELECT DISTINCT ON (company_id, digest) * FROM judged WHERE reason IS NULL ORDER BY company_id, digest, position
      )`
    : tx`NOT MATERIALIZED (SELECT * FROM judged WHERE reason IS NULL)`;
  const [row] = await tx<[{ refused: string | null }]>`
    WITH judged AS MATERIALIZED (
      SELECT *, CASE
        WHEN company_id IN (SELECT id FROM companies WHERE id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[])) THEN
          CASE WHEN happened_ms > ${now.getTime() + FUTURE_TOLERANCE_MS}::bigint
               THEN 'time_in_future'
               -- It may repeat an event that was removed after the retention time.
               WHEN happened_ms < (SELECT (extract(epoch FROM removed_until) * 1000)::bigint FROM usage_retention) + ${FUTURE_TOLERANCE_MS}
                 AND NOT EXISTS (
                   SELECT FROM usage_event_keys AS known
                   WHERE known.company_id = given.company_id AND known.digest = given.digest
                 )
               THEN 'too_late' END
        ELSE 'unknown_company'
      END AS reason
      FROM ${unnest(tx, events, companyIds)}
    ), eligible AS ${eligible}, new_keys AS MATERIALIZED (
      INSERT INTO usage_event_keys (company_id, digest)
      SELECT company_id, digest FROM eligible
      ${mayRepeat ? tx`ON CONFLICT DO NOTHING` : tx``}
      RETURNING company_id, digest
    ), accepted AS NOT MATERIALIZED (
      SELECT * FROM eligible
      WHERE CASE WHEN (SELECT count(*) FROM new_keys) = (SELECT count(*) FROM eligible) THEN true
                 WHEN (company_id, digest) IN (SELECT company_id, digest FROM new_keys) THEN true
                 ELSE false END
    ), stored AS (
      INSERT INTO usage_events (company_id, stored_at, digest, happened_at, quantity, path, source, event)
      SELECT company_id, now(), digest, timestamptz '1970-01-01T00:00:00Z' + happened_ms * interval '1 millisecond', quantity,
             path, source, event
      FROM accepted
    ), added AS (
      INSERT INTO usage_deltas (company_id, hour, path, quarter_1, quarter_2, quarter_3, quarter_4)
      SELECT company_id, timestamptz '1970-01-01T00:00:00Z' + hour * interval '1 hour', path,
             coalesce(sum(quantity) FILTER (WHERE quarter = 0), 0), coalesce(sum(quantity) FILTER (WHERE quarter = 1), 0),
             coalesce(sum(quantity) FILTER (WHERE quarter = 2), 0), coalesce(sum(quantity) FILTER (WHERE quarter = 3), 0)
      FROM (
        SELECT company_id, path, quantity, happened_ms / 3600000 AS hour, happened_ms / 900000 % 4 AS quarter FROM accepted
      ) AS accepted
      GROUP BY company_id, hour, path
    )
    SELECT CASE WHEN (SELECT count(*) FROM new_keys) < ${events.length}::integer THEN (
      SELECT string_agg(position || ' ' || coalesce(reason, 'duplicate'), ',')
      FROM judged
      WHERE CASE WHEN reason IS NULL AND position IN (SELECT position FROM accepted) THEN false ELSE true END
    ) END AS refused`;
  return (row.refused ?? '').split(',').flatMap((refused) => {
    const [position, reason] = refused.split(' ');
    return reason === undefined ? [] : [{ index: Number(position) - 1, reason: reason as Refused['reason'] }];
  });
}

/**
 * The events as rows. There is one array per column, which PostgreSQL reads faster than JSON, and each company's id is
 * sent once.
 */
function unnest(tx: Tx, events: readonly UsageEvent[], companyIds: readonly string[]) {
  const positions = new Map(companyIds.map((companyId, index) => [companyId, index + 1]));
  return tx`(
    SELECT (SELECT string_to_array(${companyIds.join()}, ',')::uuid[])[company_position] AS company_id, given.*
    FROM unnest(
      ${listOf(events, ({ companyId }) => positions.get(companyId) ?? 0)}::text::integer[],
      ${listOf(events, ({ digest }) => digest)}::text::uuid[],
      ${listOf(events, ({ happenedAtMs }) => happenedAtMs)}::text::bigint[],
      ${listOf(events, ({ quantity }) => quantity)}::text::bigint[],
      ${listOf(events, ({ path }) => quote(path))}::text::text[],
      ${listOf(events, ({ source }) => quote(source))}::text::text[],
      ${listOf(events, ({ id }) => quote(id))}::text::text[]
    ) WITH ORDINALITY AS given (company_position, digest, happened_ms, quantity, path, source, event, position)
  ) AS given`;
}

/** An array in PostgreSQL's text form. */
function listOf(events: readonly UsageEvent[], value: (event: UsageEvent) => string | number): string {
  let list = '';
  for (const event of events) list += list === '' ? value(event) : `,${value(event)}`;
  return `{${list}}`;
}

function quote(text: string): string {
  return /[\\"]/.test(text) ? `"${text.replace(/[\\"]/g, '\\$&')}"` : `"${text}"`;
}
