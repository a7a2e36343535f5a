import type { Db, Queryable, Tx } from '../platform/database/database.ts';
import { COUNT_LIMIT } from '../platform/http/metrics/work-queues.ts';
import type { Json, JsonList } from '../platform/http/schema/json.ts';
import { alertJson } from './alerts.parts.queries.ts';
import type { Alert, AlertList } from './alerts.schema.ts';

export type AlertFilter = { companyId: string | null; kind: string | null; isAcknowledged: boolean | null };

/** A page of alerts as JSON text, newest first, of every company unless one is named; and how many there are. */
export async function selectAlerts(
  db: Queryable,
  { companyId, kind, isAcknowledged }: AlertFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: JsonList<typeof AlertList> }> {
  const matching = db`
    FROM alerts
    WHERE true
      ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
      ${kind === null ? db`` : db`AND kind = ${kind}`}
      ${isAcknowledged === null ? db`` : isAcknowledged ? db`AND acknowledged_at IS NOT NULL` : db`AND acknowledged_at IS NULL`}`;
  const [row] = await db<[{ total: number; data: JsonList<typeof AlertList> }]>`
    SELECT (SELECT count(*)::int ${matching}) AS total, (
      SELECT coalesce(json_agg(json ORDER BY id DESC), '[]')::text
      FROM (SELECT id, ${alertJson(db)} AS json ${matching} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}) AS page
    ) AS data`;
  return row;
}

/**
 * How many alerts of all companies nobody has acknowledged. Counts no more than 100,000, because a scrape waits for it.
 */
export async function countOpenAlerts(db: Queryable): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM (SELECT FROM alerts WHERE acknowledged_at IS NULL LIMIT ${COUNT_LIMIT}) AS open`;
  return row.count;
}

/**
 * Acknowledges the alert, keeping the time of the first acknowledgement. @returns it as JSON text; null when there is
 * none
 */
export async function acknowledge(tx: Tx, id: string): Promise<Json<typeof Alert> | null> {
  await tx`UPDATE alerts SET acknowledged_at = now() WHERE id = ${id} AND acknowledged_at IS NULL`;
  const [row] = await tx<
    { json: Json<typeof Alert> }[]
  >`SELECT ${alertJson(tx)}::text AS json FROM alerts WHERE id = ${id}`;
  return row?.json ?? null;
}

/** Removes up to `limit` alerts that were acknowledged more than two years ago. @returns how many were removed */
export async function removeOldAlerts(db: Db, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`SELECT remove_old_alerts(${limit}::integer) AS removed`;
  return row.removed;
}
