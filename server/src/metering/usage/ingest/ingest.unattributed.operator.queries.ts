import type { Tx } from '../../../platform/database/database.ts';
import { EVENT_COLUMNS, eventArrays, listOf } from './events.parts.queries.ts';
import type { UsageEvent } from './events.ts';

/** An external id of which usage waits for a company. The numbers are digits. */
export type WaitingId = { id: string; externalId: string; firstAt: Date };
/** How much waits, and until when usage was removed after the retention time. */
export type WaitingTotals = { ids: number; events: number; removedUntil: Date | null };
/** What a request adds to an external id. */
export type AddedUsage = { externalId: string; events: number; quantity: number; oldestMs: number };
/** An event with the number of its external id. */
type PlacedEvent = UsageEvent & { unattributedId: string };

/**
 * Locks the keeping of usage without a company until the transaction ends: for other requests that keep some, and for companies that get
 * an external id. The first lock is apart, so that a company waits for one request and not for all that wait.
 */
export async function lockUnattributed(tx: Tx): Promise<void> {
  await tx`
    SELECT pg_advisory_xact_lock(hashtextextended('unattributed usage', 0)),
           pg_advisory_xact_lock(hashtextextended('external ids given', 0))`;
}

/** The external ids among these of which usage waits. */
export async function selectWaitingIds(tx: Tx, externalIds: readonly string[]): Promise<WaitingId[]> {
  return tx<WaitingId[]>`
    SELECT id, external_id AS "externalId", first_at AS "firstAt" FROM unattributed_ids
    WHERE discarded_at IS NULL AND external_id = ANY(ARRAY(SELECT json_array_elements_text(${JSON.stringify(externalIds)}::text::json)))`;
}

/** How much waits. */
export async function selectWaitingTotals(tx: Tx): Promise<WaitingTotals> {
  const [row] = await tx<[WaitingTotals]>`
    SELECT count(*)::int AS ids, coalesce(sum(events), 0)::int AS events,
           (SELECT removed_until FROM usage_retention) AS "removedUntil"
    FROM unattributed_ids WHERE discarded_at IS NULL`;
  return row;
}

/** Which of these events wait already, as `<number of the id> <digest>`. */
export async function selectWaitingDigests(tx: Tx, events: readonly PlacedEvent[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const rows = await tx<{ key: string }[]>`
    SELECT given.id || ' ' || replace(given.digest::text, '-', '') AS key
    FROM unnest(
      ${listOf(events, ({ unattributedId }) => unattributedId)}::text::bigint[], ${listOf(events, ({ digest }) => digest)}::text::uuid[]
    ) AS given (id, digest)
    WHERE EXISTS (
      SELECT FROM unattributed_events AS waiting WHERE waiting.unattributed_id = given.id AND waiting.digest = given.digest OFFSET 0
    )`;
  return new Set(rows.map(({ key }) => key));
}

/** Adds to the sums of external ids that no company has. @returns their numbers */
export async function upsertWaitingIds(tx: Tx, added: readonly AddedUsage[], now: Date): Promise<WaitingId[]> {
  return tx<WaitingId[]>`
    INSERT INTO unattributed_ids AS known (external_id, first_at, last_at, oldest_time, events, quantity)
    SELECT "externalId", ${now}, ${now}, timestamptz '1970-01-01T00:00:00Z' + "oldestMs" * interval '1 millisecond', events, quantity
    FROM json_to_recordset(${JSON.stringify(added)}::text::json)
      AS given ("externalId" text, events integer, quantity numeric, "oldestMs" bigint)
    ORDER BY "externalId" COLLATE "C"
    ON CONFLICT (external_id) WHERE discarded_at IS NULL DO UPDATE
      SET last_at = greatest(known.last_at, excluded.last_at), oldest_time = least(known.oldest_time, excluded.oldest_time),
          events = known.events + excluded.events, quantity = known.quantity + excluded.quantity
    RETURNING id, external_id AS "externalId", first_at AS "firstAt"`;
}

/** Inserts events, none of which waits already. */
export async function insertUnattributed(tx: Tx, events: readonly PlacedEvent[], now: Date): Promise<void> {
  await tx`
    INSERT INTO unattributed_events (unattributed_id, came_at, digest, happened_at, quantity, path, source, event)
    SELECT id, ${now}, digest, timestamptz '1970-01-01T00:00:00Z' + happened_ms * interval '1 millisecond', quantity, path, source, event
    FROM unnest(${listOf(events, ({ unattributedId }) => unattributedId)}::text::bigint[], ${eventArrays(tx, events)})
      AS given (id, ${tx.unsafe(EVENT_COLUMNS)})`;
}
