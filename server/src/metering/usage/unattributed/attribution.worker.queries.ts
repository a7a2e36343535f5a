import { constantPart, type Db, type Queryable, type Tx } from '../../../platform/database/database.ts';
import type { Question } from '../../../platform/queue/due/due.ts';
import { COUNTED_FAILURES, type JobTable } from '../../../platform/queue/job-table.ts';
import { EVENT_COLUMNS, listOf, storeAccepted } from '../ingest/events.parts.queries.ts';
import type { TakenUntil } from '../ingest/ingest-late.ts';

/**
 * Companies that got an external id of which usage waited, until all of it is theirs. The transaction that moves some of it locks the row,
 * so there is no lease: what a process that dies was moving is where it was.
 */
export const ATTRIBUTION_JOBS: JobTable = {
  kind: 'usage_attributions',
  table: 'usage_attributions',
  key: ['company_id', 'unattributed_id'],
  company: 'company_id',
  record: 'company_id::text',
  isNamed: 'company_id = failed_company',
  isOpen: 'true',
  dueAt: 'due_at',
  isRunning: 'false',
  attempts: COUNTED_FAILURES,
  makeDue: 'due_at = least(due_at, now())',
  claim: null,
};

/** Whether usage is due to be moved to a company. */
export const DUE_ATTRIBUTIONS: Question = {
  name: ATTRIBUTION_JOBS.kind,
  isDue: constantPart((db) => db`EXISTS (SELECT FROM usage_attributions WHERE due_at <= now())`),
};

/** The companies whose usage is due to be moved, the longest due first. */
export async function selectDueAttributions(db: Db): Promise<string[]> {
  const rows = await db<{ companyId: string }[]>`
    SELECT company_id AS "companyId" FROM usage_attributions WHERE due_at <= now() ORDER BY due_at, company_id`;
  return rows.map(({ companyId }) => companyId);
}

/** Usage on its way to a company. `id` is the number of the external id, digits; `oldest` is the earliest time that an event has. */
export type Attribution = { id: string; movedThrough: string; oldest: Date; lastCame: Date };

/**
 * Locks the usage that is on its way to a company. @returns null when all of it is there; with `wait` false also while another transaction
 * moves some
 */
export async function lockAttribution(
  tx: Tx,
  companyId: string,
  { wait }: { wait: boolean },
): Promise<Attribution | null> {
  const [row] = await tx<Attribution[]>`
    SELECT unattributed_id AS id, moved_through AS "movedThrough", oldest_time AS oldest, last_at AS "lastCame"
    FROM usage_attributions WHERE company_id = ${companyId} FOR UPDATE ${wait ? tx`` : tx`SKIP LOCKED`}`;
  return row ?? null;
}

/**
 * Copies up to `limit` events to the usage of a company, in the order of their digests, as ingestion inserts them, so that the two never
 * deadlock. Housekeeping removes them from where they were, because that takes longer. A repeat of an event that the company has is
 * dropped. An event that came later than its time was taken is kept as a key only: it is a duplicate when it comes again, and no usage.
 * The IN inside a CASE is that of `insertUsage`.
 * @returns how many were moved, and the last digest
 */
export async function moveEvents(
  tx: Tx,
  companyId: string,
  { id, movedThrough }: Attribution,
  { taken, limit }: { taken: readonly TakenUntil[]; limit: number },
): Promise<{ moved: number; movedThrough: string | null }> {
  const cameTooLate = tx`EXISTS (
    SELECT FROM unnest(
      ${listOf(taken, ({ startMs }) => startMs)}::text::bigint[], ${listOf(taken, ({ endMs }) => endMs)}::text::bigint[],
      ${listOf(taken, ({ untilMs }) => untilMs)}::text::bigint[]
    ) AS taken_until (start_ms, end_ms, until_ms)
    WHERE happened_ms >= start_ms AND happened_ms < end_ms AND came_ms > until_ms
    OFFSET 0
  )`;
  const [row] = await tx<[{ moved: number; movedThrough: string | null }]>`
    WITH moved AS MATERIALIZED (
      SELECT ${companyId}::uuid AS company_id, digest, (extract(epoch FROM happened_at) * 1000)::bigint AS happened_ms,
             (extract(epoch FROM came_at) * 1000)::bigint AS came_ms, quantity, path, source, event
      FROM unattributed_events
      WHERE unattributed_id = ${id}::bigint AND digest > ${movedThrough}::uuid
      ORDER BY unattributed_id, digest LIMIT ${limit}
    ), new_keys AS MATERIALIZED (
      INSERT INTO usage_event_keys (company_id, digest)
      SELECT company_id, digest FROM moved ORDER BY digest
      ON CONFLICT DO NOTHING
      RETURNING digest
    ), accepted AS MATERIALIZED (
      SELECT company_id, ${tx.unsafe(EVENT_COLUMNS)} FROM moved
      WHERE CASE WHEN (SELECT count(*) FROM new_keys) = (SELECT count(*) FROM moved) THEN true
                 WHEN digest IN (SELECT digest FROM new_keys) THEN true
                 ELSE false END
        ${taken.length === 0 ? tx`` : tx`AND NOT ${cameTooLate}`}
    ), ${storeAccepted(tx)}
    SELECT (SELECT count(*)::int FROM moved) AS moved, (SELECT digest FROM moved ORDER BY digest DESC LIMIT 1) AS "movedThrough"`;
  return row;
}

/** Records how far the usage is moved. */
export async function updateMovedThrough(
  tx: Tx,
  companyId: string,
  { id }: Attribution,
  movedThrough: string,
): Promise<void> {
  await tx`
    UPDATE usage_attributions SET moved_through = ${movedThrough}::uuid
    WHERE company_id = ${companyId} AND unattributed_id = ${id}::bigint`;
}

/** Ends the move: all is there. */
export async function deleteAttribution(tx: Tx, companyId: string, { id }: Attribution): Promise<void> {
  await tx`DELETE FROM usage_attributions WHERE company_id = ${companyId} AND unattributed_id = ${id}::bigint`;
}

/** Puts the next attempt off. */
export async function delayAttribution(db: Queryable, companyId: string, seconds: number): Promise<void> {
  await db`
    UPDATE usage_attributions SET due_at = now() + make_interval(secs => ${seconds}) WHERE company_id = ${companyId}`;
}
