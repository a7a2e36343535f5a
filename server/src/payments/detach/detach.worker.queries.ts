import type { DeletedRow } from '../../methods/saved/saved.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { PROCESS_ID } from '../../platform/processes/processes.service.ts';
import { claimJobs } from '../../platform/queue/claim.parts.queries.ts';
import { COUNTED_FAILURES, type JobTable, movedAhead } from '../../platform/queue/job-table.ts';

const TABLES = ['cards', 'paypal_accounts'] as const satisfies DeletedRow['table'][];
const KEY = ['company_id', 'id'];

/** One that may still be chargeable at its gateway. */
export type DeletedSource = DeletedRow & { companyId: string; gatewayToken: string };

/**
 * Whether it may be detached: a running payment may still charge it, and another source here may be the same at the gateway. During a hold
 * of the database it waits, because a copy of the database must not detach what the original charges.
 */
function isFree(table: DeletedSource['table']): string {
  return `
    NOT EXISTS (SELECT FROM charges_holds WHERE ended_at IS NULL)
    AND NOT EXISTS (
      SELECT FROM payments
      WHERE payments.company_id = ${table}.company_id AND coalesce(card_id, paypal_account_id) = ${table}.id
        AND state IN ('created', 'sending', 'requires_action', 'unknown')
    )
    AND NOT EXISTS (
      SELECT FROM ${table} AS other
      WHERE other.company_id = ${table}.company_id AND other.gateway = ${table}.gateway
        AND other.gateway_token = ${table}.gateway_token AND other.deleted_at IS NULL
    )`;
}

/** Deleted cards and accounts, each to be detached at its gateway. */
export const DETACH_JOBS: readonly JobTable[] = TABLES.map((table) => ({
  kind: 'source_detachment',
  table,
  key: KEY,
  company: 'company_id',
  record: 'id::text',
  isNamed: 'company_id = failed_company AND id = failed_record::uuid',
  attempts: COUNTED_FAILURES,
  ...movedAhead('detach_at', 'detach_at IS NOT NULL'),
}));

const isDue = (table: DeletedSource['table']) => `detach_at <= now() AND ${isFree(table)}`;

/** The gateways at which sources of any company are due to be detached. */
export async function selectGatewaysToDetachAt(db: Db): Promise<string[]> {
  const queries = TABLES.map((table) => `SELECT gateway FROM ${table} WHERE ${isDue(table)}`);
  const rows = await db.unsafe<{ gateway: string }[]>(queries.join(' UNION '));
  return rows.map(({ gateway }) => gateway);
}

/**
 * Claims deleted sources of any company at a gateway. The next attempt follows after as long again as the source has
 * been deleted, between half a minute and six hours, unless it is recorded as detached.
 */
export async function claimSourcesToDetach(
  db: Db,
  { gateway, limit }: { gateway: string; limit: number },
): Promise<DeletedSource[]> {
  const claimed = TABLES.map(
    (table) => db<DeletedSource[]>`
      WITH ${claimJobs(
        db,
        { table, key: KEY },
        {
          where: db`gateway = ${gateway} AND ${db.unsafe(isDue(table))}`,
          first: db`ORDER BY detach_at LIMIT ${limit}`,
          set: db`
            detach_at = now() + least(greatest(now() - deleted_at, interval '30 seconds'), interval '6 hours'), process_id = ${PROCESS_ID}`,
        },
      )}
      SELECT ${table} AS "table", company_id AS "companyId", id, gateway_token AS "gatewayToken" FROM claimed`,
  );
  return (await Promise.all(claimed)).flat();
}

/**
 * Claims a source for the request that has just deleted it; null when it may not be detached, or the worker has claimed it, for half a
 * minute or longer.
 */
export async function claimDeletedSource(
  db: Db,
  companyId: string,
  { table, id }: DeletedRow,
): Promise<(DeletedSource & { gateway: string }) | null> {
  const [source] = await db<(DeletedSource & { gateway: string })[]>`
    UPDATE ${db(table)} SET detach_at = now() + interval '5 seconds'
    WHERE company_id = ${companyId} AND id = ${id} AND detach_at < deleted_at + interval '30 seconds' AND ${db.unsafe(isFree(table))}
    RETURNING ${table} AS "table", company_id AS "companyId", id, gateway, gateway_token AS "gatewayToken"`;
  return source ?? null;
}

/** Records that the source can't be charged at its gateway any more. */
export async function recordDetached(db: Db, companyId: string, { table, id }: DeletedSource): Promise<void> {
  await db`UPDATE ${db(table)} SET detach_at = NULL WHERE company_id = ${companyId} AND id = ${id} AND detach_at IS NOT NULL`;
}

/** Leaves a source that could not be detached until its next attempt. */
export async function leaveSource(db: Db, companyId: string, { table, id }: DeletedRow): Promise<void> {
  await db`UPDATE ${db(table)} SET process_id = NULL WHERE company_id = ${companyId} AND id = ${id} AND process_id = ${PROCESS_ID}`;
}
