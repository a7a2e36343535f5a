import type { Clock } from '../../platform/calendar/clock.ts';
import type { Db, Part, Queryable } from '../../platform/database/database.ts';
import { COUNT_LIMIT, type WorkQueue } from '../../platform/http/metrics/work-queues.ts';
import { claimJobs } from '../../platform/queue/claim.parts.queries.ts';
import type { Question } from '../../platform/queue/due/due.ts';
import { type JobTable, LEASED } from '../../platform/queue/job-table.ts';
import { acquireLease, isUnleased } from '../../platform/queue/leases.parts.queries.ts';
import { distinctGateways } from '../outcomes/gateways.parts.queries.ts';
import type { DueCollection } from './collection.queries.ts';

/** Longer than an attempt takes with all the timeouts of its calls. The lease ends sooner if the worker is known to be dead. */
const LEASE_SECONDS = 180;

/** Worded as in the index. What waits for a release is not tried. */
const IS_SCHEDULED = "state = 'scheduled' AND NOT awaits_release";
const SCHEDULED_GATEWAYS = distinctGateways('collections', IS_SCHEDULED);

/**
 * Collections with an attempt to make. A process that was only suspended makes no second payment for its attempt and does not record an
 * attempt that is recorded already.
 */
export const COLLECTION_JOBS: JobTable = {
  kind: 'collections',
  table: 'collections',
  key: ['company_id', 'invoice_id'],
  company: 'company_id',
  record: 'invoice_id::text',
  isNamed: 'company_id = failed_company AND invoice_id = failed_record::uuid',
  isOpen: IS_SCHEDULED,
  dueAt: 'next_attempt_at',
  // A decline is no failure: the next step of the schedule follows from it.
  attempts: 'CASE WHEN outages > 0 THEN outages WHEN failed_at >= updated_at THEN failed_count ELSE 0 END',
  makeDue: 'next_attempt_at = least(next_attempt_at, now())',
  ...LEASED,
};

/** Whether a collection of any company is due, by this clock. */
export function dueCollections(clock: Clock): Question {
  return { name: COLLECTION_JOBS.kind, isDue: (db) => db`EXISTS (${dueGateways(db, clock())})` };
}

/** Lists the gateways at which a collection of any company is due; `none` is for those that have nothing to charge. */
export async function selectDueGateways(db: Db, now: Date): Promise<string[]> {
  const rows = await db<{ gateway: string }[]>`${dueGateways(db, now)}`;
  return rows.map(({ gateway }) => gateway);
}

function dueGateways(db: Queryable, now: Date): Part {
  return db`
    WITH RECURSIVE ${db.unsafe(SCHEDULED_GATEWAYS)}
    SELECT gateway FROM awaited
    WHERE EXISTS (
      SELECT FROM collections
      WHERE ${db.unsafe(IS_SCHEDULED)} AND collections.gateway = awaited.gateway AND next_attempt_at <= ${now}
    )`;
}

/**
 * Claims the collection, of any company, that has been due at this gateway for longest; null when there is none. A lease of a dead worker
 * expires, and so does a lease from before the database's clock was set back.
 */
export async function claimDue(
  db: Db,
  { gateway, now, lease }: { gateway: string; now: Date; lease: string },
): Promise<DueCollection | null> {
  const [row] = await db<DueCollection[]>`
    WITH ${claimJobs(db, COLLECTION_JOBS, {
      where: db`
        ${db.unsafe(IS_SCHEDULED)} AND gateway = ${gateway} AND next_attempt_at <= ${now} AND ${isUnleased(db, LEASE_SECONDS)}`,
      first: db`ORDER BY next_attempt_at LIMIT 1`,
      set: acquireLease(db, lease, LEASE_SECONDS),
    })}
    SELECT company_id AS "companyId", invoice_id AS "invoiceId", attempts + 1 AS attempt, payment_id AS "foundPaymentId", gateway
    FROM claimed`;
  return row ?? null;
}

/**
 * Counts what is due by the machine's clock, which is the billing clock wherever metrics are read. The collector never gives up, so it
 * reports no failures.
 */
export async function readCollectionQueue(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    WITH RECURSIVE ${db.unsafe(SCHEDULED_GATEWAYS)}
    SELECT 'collections' AS name, count(*)::int AS depth, (
             SELECT greatest(0, coalesce(extract(epoch FROM now() - min((
               SELECT min(next_attempt_at) FROM collections
               WHERE ${db.unsafe(IS_SCHEDULED)} AND collections.gateway = awaited.gateway
             ))), 0))::float FROM awaited
           ) AS "oldestSeconds",
           (count(*) FILTER (WHERE attempts > 0))::int AS retries, 0 AS dead
    FROM (
      SELECT attempts FROM awaited CROSS JOIN LATERAL (
        SELECT attempts FROM collections
        WHERE ${db.unsafe(IS_SCHEDULED)} AND collections.gateway = awaited.gateway AND next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT ${COUNT_LIMIT}
      ) AS its
      LIMIT ${COUNT_LIMIT}
    ) AS due`;
}

/** Deletes the collections of invoices that were settled more than a year ago, up to a limit. @returns how many there were */
export async function removeClosedCollections(db: Db, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`SELECT remove_closed_collections(${limit}::integer) AS removed`;
  return row.removed;
}
