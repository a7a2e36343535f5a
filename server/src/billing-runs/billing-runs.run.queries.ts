import type { Db, Queryable, Tx } from '../database/database.ts';

/** Much more than a batch of companies takes; whoever takes over from a worker that died waits as long. */
const LEASE_SECONDS = 30;

export type BillingRunRow = {
  id: string;
  period: string;
  status: 'running' | 'done' | 'failed';
  companies: number;
  done: number;
  invoices: number;
  failures: number;
  /** Since a worker began. */
  runningSeconds: number;
  createdAt: Date;
  finishedAt: Date | null;
};

/** Makes the run of a month, unless there is one; one that failed begins anew, and finds what it has done already. */
export async function startRun(tx: Tx, id: string, period: string): Promise<void> {
  await tx`
    INSERT INTO billing_runs AS runs (id, period) VALUES (${id}, ${period})
    ON CONFLICT (period) DO UPDATE
      SET status = 'running', done = 0, failures = 0, last_company_id = NULL, started_at = NULL, finished_at = NULL, lease = NULL,
          leased_until = NULL
      WHERE runs.status = 'failed'`;
}

function runColumns(db: Queryable) {
  return db`
    id, period, status, companies, done, failures, created_at AS "createdAt", finished_at AS "finishedAt",
    coalesce(extract(epoch FROM now() - started_at), 0)::int AS "runningSeconds",
    (SELECT count(invoice_id)::int FROM billed_periods WHERE run_id = billing_runs.id) AS invoices`;
}

/** The run with this id, or of this month. */
export async function selectRun(
  db: Queryable,
  { id, period }: { id: string; period?: never } | { id?: never; period: string },
): Promise<BillingRunRow | null> {
  const [row] = await db<BillingRunRow[]>`
    SELECT ${runColumns(db)} FROM billing_runs
    WHERE ${id === undefined ? db`period = ${period}` : db`id = ${id}`}`;
  return row ?? null;
}

/** A page of runs, the newest month first. */
export async function selectRunPage(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: BillingRunRow[] }> {
  const [[count], data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM billing_runs`,
    db<BillingRunRow[]>`
      SELECT ${runColumns(db)} FROM billing_runs ORDER BY period DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: count.total, data };
}

/** The paths that had no price when they were billed, each with how many companies used it; so many of them, by path. */
export async function selectUnpricedPaths(
  db: Queryable,
  id: string,
  limit: number,
): Promise<{ path: string; companies: number }[]> {
  return db<{ path: string; companies: number }[]>`
    SELECT path COLLATE "C" AS path, count(*)::int AS companies
    FROM billed_periods CROSS JOIN LATERAL json_array_elements_text(unpriced_paths) AS unpriced (path)
    WHERE run_id = ${id} AND unpriced_paths IS NOT NULL
    GROUP BY path COLLATE "C" ORDER BY 1 LIMIT ${limit}`;
}

/** A run that this worker has for a time. */
export type ClaimedRun = {
  id: string;
  period: string;
  lease: string;
  cutoff: number | null;
  lastCompanyId: string | null;
};

/**
 * Claims the run of the oldest month that is not at its end: months are billed in their order. Null when there is none, or when
 * another worker is at it.
 */
export async function claimRun(db: Db, lease: string): Promise<ClaimedRun | null> {
  const [row] = await db<ClaimedRun[]>`
    WITH oldest AS (
      SELECT id FROM billing_runs
      WHERE period = (SELECT min(period) FROM billing_runs WHERE status = 'running')
        AND status = 'running' AND (leased_until IS NULL OR leased_until < now())
      FOR UPDATE SKIP LOCKED
    )
    UPDATE billing_runs
    SET lease = ${lease}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), started_at = coalesce(started_at, now()),
        companies = (SELECT count(*) FROM companies)
    FROM oldest WHERE billing_runs.id = oldest.id
    RETURNING billing_runs.id, period, lease, cutoff, last_company_id AS "lastCompanyId"`;
  return row ?? null;
}

/** Says which cutoff the run bills, unless that is settled. @returns the one that it bills */
export async function settleCutoff(db: Db, id: string, cutoff: number): Promise<number> {
  const [row] = await db<[{ cutoff: number }]>`
    UPDATE billing_runs SET cutoff = coalesce(cutoff, ${cutoff}) WHERE id = ${id} RETURNING cutoff`;
  return row.cutoff;
}

/** The companies that come next, by id. */
export async function selectNextCompanies(db: Db, afterCompanyId: string | null, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM companies
    WHERE id > coalesce(${afterCompanyId}::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

export type Progress = { lastCompanyId: string; done: number; failures: number };

/** Notes what was done, and keeps the run for a further time. False when another worker has it by now. */
export async function noteProgress(db: Db, { id, lease }: ClaimedRun, progress: Progress): Promise<boolean> {
  const rows = await db`
    UPDATE billing_runs
    SET last_company_id = ${progress.lastCompanyId}, done = done + ${progress.done}, failures = failures + ${progress.failures},
        companies = greatest(companies, done + ${progress.done}),
        leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ${id} AND lease = ${lease} AND status = 'running'
    RETURNING 1`;
  return rows.length === 1;
}

/** The run is at its end: done, or failed when a company could not be billed. */
export async function finishRun(db: Db, { id, lease }: ClaimedRun): Promise<void> {
  await db`
    UPDATE billing_runs
    SET status = CASE failures WHEN 0 THEN 'done' ELSE 'failed' END, companies = done, finished_at = now(), lease = NULL,
        leased_until = NULL
    WHERE id = ${id} AND lease = ${lease} AND status = 'running'`;
}

/** Leaves the run to whoever comes next. */
export async function releaseRun(db: Db, { id, lease }: ClaimedRun): Promise<void> {
  await db`UPDATE billing_runs SET lease = NULL, leased_until = NULL WHERE id = ${id} AND lease = ${lease}`;
}
