import { constantPart, type Db, type Queryable } from '../../../platform/database/database.ts';
import type { WorkQueue } from '../../../platform/http/metrics/work-queues.ts';
import { claimJobs } from '../../../platform/queue/claim.parts.queries.ts';
import type { Question } from '../../../platform/queue/due/due.ts';
import { COUNTED_FAILURES, type JobTable, LEASED } from '../../../platform/queue/job-table.ts';
import { acquireLease, extendLease, isUnleased } from '../../../platform/queue/leases.parts.queries.ts';
import type { RunBacklog } from './pass.worker.queries.ts';

/** Much longer than a batch of companies takes. */
const LEASE_SECONDS = 30;

/** Runs with a pass to do. */
export const RUN_JOBS: JobTable = {
  kind: 'billing_runs',
  table: 'billing_runs',
  key: ['id'],
  company: 'NULL::uuid',
  record: 'id::text',
  isNamed: 'id = failed_record::uuid',
  isOpen: "status = 'running'",
  dueAt: 'coalesce(started_at, as_of)',
  attempts: COUNTED_FAILURES,
  makeDue: LEASED.claim.release,
  ...LEASED,
};

/** Whether a run has a pass to do. */
export const RUNNING_RUNS: Question = {
  name: RUN_JOBS.kind,
  isDue: constantPart((db) => db`EXISTS (SELECT FROM billing_runs WHERE status = 'running')`),
};

/** Reads the months before one whose runs have not ended, oldest first, and the newest month with a run. */
export async function selectUnfinishedMonths(
  db: Queryable,
  month: string,
): Promise<{ unfinished: string[]; newest: string | null }> {
  const [row] = await db<[{ unfinished: string | null; newest: string | null }]>`
    SELECT string_agg(period, ',' ORDER BY period) FILTER (WHERE status IN ('running', 'waiting') AND period < ${month}) AS unfinished,
           max(period) AS newest
    FROM billing_runs`;
  return { unfinished: row.unfinished?.split(',') ?? [], newest: row.newest };
}

/** A run that this worker has leased. */
export type ClaimedRun = {
  id: string;
  period: string;
  lease: string;
  /** The pass bills the companies that were due at this time of the billing clock. */
  asOf: Date;
  withoutGrace: boolean;
  cutoff: number | null;
  lastCompanyId: string | null;
};

/**
 * Claims the run of the oldest month with a pass to do, since months are billed in order. Null when there is none, when another worker
 * has it, or when an earlier month waits for companies that are due in this pass too. A lease from before the database's clock was set
 * back does not count.
 */
export async function claimRun(db: Db, lease: string): Promise<ClaimedRun | null> {
  const [row] = await db<ClaimedRun[]>`
    WITH ${claimJobs(db, RUN_JOBS, {
      where: db`
        period = (SELECT min(period) FROM billing_runs WHERE status = 'running') AND status = 'running' AND ${isUnleased(db, LEASE_SECONDS)}
        AND NOT EXISTS (
          SELECT FROM billing_runs AS earlier
          WHERE earlier.period < billing_runs.period AND earlier.status = 'waiting' AND earlier.next_pass_at <= billing_runs.as_of
        )`,
      set: db`${acquireLease(db, lease, LEASE_SECONDS)}, started_at = coalesce(started_at, now())`,
    })}
    SELECT id, period, lease, as_of AS "asOf", without_grace AS "withoutGrace", cutoff, last_company_id AS "lastCompanyId" FROM claimed`;
  return row ?? null;
}

/** Sets the cutoff of the pass, unless it is set already. @returns the cutoff; null when another worker has the run */
export async function settleCutoff(db: Db, { id, lease }: ClaimedRun, cutoff: number): Promise<number | null> {
  const [row] = await db<{ cutoff: number }[]>`
    UPDATE billing_runs SET cutoff = coalesce(cutoff, ${cutoff}) WHERE id = ${id} AND lease = ${lease} RETURNING cutoff`;
  return row?.cutoff ?? null;
}

export type Progress = { lastCompanyId: string; done: number; failures: number };

/** Records progress, and extends the lease. @returns false if another worker has the run by now */
export async function recordProgress(db: Db, { id, lease }: ClaimedRun, progress: Progress): Promise<boolean> {
  const rows = await db`
    UPDATE billing_runs
    SET last_company_id = ${progress.lastCompanyId}, done = done + ${progress.done}, pass_done = pass_done + ${progress.done},
        failures = failures + ${progress.failures}, companies = greatest(companies, done + ${progress.done}),
        pass_companies = greatest(pass_companies, pass_done + ${progress.done}),
        ${extendLease(db, LEASE_SECONDS)}
    WHERE id = ${id} AND lease = ${lease} AND status = 'running'
    RETURNING 1`;
  return rows.length === 1;
}

/** How a pass ended: how many companies it covered, and the new state of the run. */
export type PassResult = {
  status: string;
  passes: number;
  companies: number;
  failures: number;
  nextPassAt: Date | null;
};

/**
 * Ends the pass. The run waits if companies will become due, or became due during the pass; otherwise it is done, or failed when a
 * company could not be billed. Null when another worker has it by now.
 */
export async function finishPass(
  db: Db,
  { id, lease, asOf }: ClaimedRun,
  { companies, due, later, nextDueAt }: RunBacklog,
): Promise<PassResult | null> {
  const [row] = await db<PassResult[]>`
    UPDATE billing_runs
    SET status = CASE WHEN ${later} > 0 OR ${due} > failures THEN 'waiting' WHEN failures > 0 THEN 'failed' ELSE 'done' END,
        next_pass_at = CASE WHEN ${due} > failures THEN ${asOf}::timestamptz ELSE ${nextDueAt}::timestamptz END,
        finished_at = CASE WHEN ${later} > 0 OR ${due} > failures THEN NULL ELSE now() END,
        invoices = CASE WHEN ${later} = 0 AND ${due} <= failures
                   THEN (SELECT count(invoice_id) FROM billed_periods WHERE run_id = ${id}) END,
        companies = ${companies}, done = ${companies - due - later} + least(${due}, failures), lease = NULL, leased_until = NULL
    WHERE id = ${id} AND lease = ${lease} AND status = 'running'
    RETURNING status, passes, pass_done AS companies, failures, next_pass_at AS "nextPassAt"`;
  return row ?? null;
}

/** Releases the run for the next worker. */
export async function releaseRun(db: Db, { id, lease }: ClaimedRun): Promise<void> {
  await db`UPDATE billing_runs SET lease = NULL, leased_until = NULL WHERE id = ${id} AND lease = ${lease}`;
}

/** Counts runs with a pass to do, passes that a worker left unfinished, and failed runs. There is one run for each month. */
export async function readBillingQueue(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    SELECT 'billing_runs' AS name, (count(*) FILTER (WHERE status = 'running'))::int AS depth,
           greatest(0, coalesce(
             extract(epoch FROM now() - min(coalesce(started_at, as_of)) FILTER (WHERE status = 'running')), 0
           ))::float AS "oldestSeconds",
           (count(*) FILTER (WHERE status = 'running' AND leased_until < now()))::int AS retries,
           (count(*) FILTER (WHERE status = 'failed'))::int AS dead
    FROM billing_runs`;
}
