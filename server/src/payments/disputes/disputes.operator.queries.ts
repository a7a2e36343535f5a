import { companyName } from '../../identity/companies/names.parts.queries.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { JsonList } from '../../platform/http/schema/json.ts';
import { disputeJson } from './disputes.parts.queries.ts';
import type { DisputeList } from './disputes.schema.ts';

export type DisputeFilter = {
  companyId: string | null;
  state: string | null;
  currency: string | null;
  /** Opened at this instant or later. */
  from: Date | null;
  /** Opened before this instant. */
  to: Date | null;
};

function matches(db: Queryable, { companyId, state, currency, from, to }: DisputeFilter) {
  return db`true
    ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
    ${state === null ? db`` : db`AND state = ${state}`}
    ${currency === null ? db`` : db`AND currency = ${currency}`}
    ${from === null ? db`` : db`AND opened_at >= ${from}`}
    ${to === null ? db`` : db`AND opened_at < ${to}`}`;
}

/** Reads a page of disputes as JSON text, the newest first, and how many there are. */
export async function selectDisputes(
  db: Queryable,
  filter: DisputeFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: string; data: JsonList<typeof DisputeList> }> {
  const [row] = await db<[{ total: string; data: JsonList<typeof DisputeList> }]>`
    SELECT (SELECT count(*) FROM disputes WHERE ${matches(db, filter)})::text AS total, (
      SELECT coalesce(json_agg(${listedDispute(db)} ORDER BY id DESC), '[]')::text
      FROM (
        SELECT * FROM disputes WHERE ${matches(db, filter)} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
      ) AS disputes
    ) AS data`;
  return row;
}

/** Reads the matching disputes after the one with this id, or the first ones, as JSON text, the newest first. */
export async function selectDisputesAfter(
  db: Queryable,
  filter: DisputeFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<string> {
  const [row] = await db<[{ data: string }]>`
    SELECT coalesce(json_agg(${listedDispute(db)} ORDER BY id DESC), '[]')::text AS data
    FROM (
      SELECT * FROM disputes WHERE ${matches(db, filter)} ${after === null ? db`` : db`AND id < ${after}`} ORDER BY id DESC LIMIT ${limit}
    ) AS disputes`;
  return row.data;
}

/** A row of `disputes` as the list shows it. */
function listedDispute(db: Queryable) {
  return db`(${disputeJson(db)}::jsonb || jsonb_build_object(
    'companyName', ${companyName(db, db`disputes.company_id`)},
    'invoiceNumber', (SELECT number FROM invoices WHERE invoices.company_id = disputes.company_id AND invoices.id = disputes.invoice_id)
  ))`;
}
