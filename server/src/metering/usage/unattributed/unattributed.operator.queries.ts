import type { Db, Queryable, Tx } from '../../../platform/database/database.ts';
import { constantPart } from '../../../platform/database/database.ts';
import type { UnattributedUsage } from './unattributed.schema.ts';

const columns = constantPart(
  (db) =>
    db`external_id AS "externalId", events, quantity::text AS quantity, first_at AS "firstAt", last_at AS "lastAt"`,
);

/** Waits for requests that found an external id unknown, and keeps others from doing so until the transaction ends. */
export async function lockGivenIds(tx: Queryable): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock_shared(hashtextextended('external ids given', 0))`;
}

/** A page of the external ids of which usage waits, that whose first event came longest ago first. */
export async function selectUnattributed(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: UnattributedUsage[] }> {
  const rows = await db<(UnattributedUsage & { total: number })[]>`
    SELECT counted.total, page.*
    FROM (SELECT count(*)::int AS total FROM unattributed_ids WHERE discarded_at IS NULL) AS counted
    LEFT JOIN (
      SELECT ${columns(db)}, id FROM unattributed_ids WHERE discarded_at IS NULL ORDER BY first_at, id LIMIT ${limit} OFFSET ${offset}
    ) AS page ON true
    ORDER BY "firstAt", id`;
  const data = rows.flatMap(({ total: _, ...row }) => (row.externalId === null ? [] : [row]));
  return { total: rows[0]?.total ?? 0, data };
}

/** The usage that waits for an external id. */
export async function selectWaiting(db: Queryable, externalId: string): Promise<UnattributedUsage | null> {
  const [row] = await db<UnattributedUsage[]>`
    SELECT ${columns(db)} FROM unattributed_ids WHERE external_id = ${externalId} AND discarded_at IS NULL`;
  return row ?? null;
}

/** Marks the usage that waits for an external id as deleted. @returns whether there was any */
export async function discardWaiting(tx: Tx, externalId: string): Promise<boolean> {
  const rows = await tx`
    UPDATE unattributed_ids SET discarded_at = now() WHERE external_id = ${externalId} AND discarded_at IS NULL RETURNING 1`;
  return rows.length > 0;
}

/** How many events wait, and of how many external ids, that first came before an instant. */
export async function countWaiting(db: Queryable, before: Date): Promise<{ ids: number; events: number }> {
  const [row] = await db<[{ ids: number; events: number }]>`
    SELECT count(*)::int AS ids, coalesce(sum(events), 0)::int AS events
    FROM unattributed_ids WHERE discarded_at IS NULL AND first_at < ${before}`;
  return row;
}

/** How many events wait. */
export async function countAllWaiting(db: Queryable): Promise<number> {
  const [row] = await db<[{ events: number }]>`
    SELECT coalesce(sum(events), 0)::int AS events FROM unattributed_ids WHERE discarded_at IS NULL`;
  return row.events;
}

/**
 * Removes up to `limit` events of one external id whose usage was deleted or has been moved to its company, and the id with the last of
 * them. @returns 0 when there is none
 */
export async function removeDiscarded(db: Db, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`
    WITH discarded AS MATERIALIZED (
      SELECT id FROM unattributed_ids
      WHERE discarded_at IS NOT NULL AND NOT EXISTS (SELECT FROM usage_attributions WHERE unattributed_id = unattributed_ids.id)
      ORDER BY id LIMIT 1
    ), events AS (
      DELETE FROM unattributed_events
      WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM unattributed_events WHERE unattributed_id = (SELECT id FROM discarded) LIMIT ${limit}
      ))
      RETURNING 1
    ), ids AS (
      DELETE FROM unattributed_ids WHERE id = (SELECT id FROM discarded) AND (SELECT count(*) FROM events) < ${limit}
    )
    SELECT CASE WHEN EXISTS (SELECT FROM discarded) THEN ${limit}::int ELSE 0 END AS removed`;
  return row.removed;
}
