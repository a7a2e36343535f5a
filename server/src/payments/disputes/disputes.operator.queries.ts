import type { Queryable } from '../../platform/database/database.ts';
import type { JsonList } from '../../platform/http/schema/json.ts';
import { disputeJson } from './disputes.parts.queries.ts';
import type { DisputeList } from './disputes.schema.ts';

export type DisputeFilter = { companyId: string | null; state: string | null };

function matches(db: Queryable, { companyId, state }: DisputeFilter) {
  return db`true
    ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
    ${state === null ? db`` : db`AND state = ${state}`}`;
}

/** Reads a page of disputes as JSON text, the newest first, and how many there are. */
export async function selectDisputes(
  db: Queryable,
  filter: DisputeFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: string; data: JsonList<typeof DisputeList> }> {
  const [row] = await db<[{ total: string; data: JsonList<typeof DisputeList> }]>`
    SELECT (SELECT count(*) FROM disputes WHERE ${matches(db, filter)})::text AS total, (
      SELECT coalesce(json_agg(${disputeJson(db)} ORDER BY id DESC), '[]')::text
      FROM (
        SELECT * FROM disputes WHERE ${matches(db, filter)} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
      ) AS disputes
    ) AS data`;
  return row;
}
