import type { Db, Queryable, Tx } from '../../../platform/database/database.ts';

/** The end of a month in each time zone: ISO instants by the zone's name. */
export type MonthEnds = Record<string, string>;

/**
 * Decides which companies are due for a month: those not billed for it or a later one whose month is over, with or without the grace
 * time.
 */
export type DueAt = { period: string; ends: MonthEnds; asOf: Date; withoutGrace: boolean };

/** The number of companies, of those that are due now and of those that will be, and when the first of these will be. */
export type RunBacklog = { companies: number; due: number; later: number; nextDueAt: Date | null };

export type RunState = {
  id: string;
  period: string;
  status: 'running' | 'waiting' | 'done' | 'failed';
  withoutGrace: boolean;
  failures: number;
};

/** Reads the time zones of the companies. */
export async function selectTimezones(db: Queryable): Promise<string[]> {
  const rows = await db<{ timezone: string }[]>`SELECT DISTINCT timezone FROM companies`;
  return rows.map(({ timezone }) => timezone);
}

/**
 * Null in a time zone that is not among the ends, when a company has just moved there. The subquery makes PostgreSQL parse the JSON once,
 * and not for each company.
 */
function dueTime(db: Queryable, { ends, withoutGrace }: DueAt) {
  return db`
    (((SELECT ${JSON.stringify(ends)}::text::jsonb) ->> timezone)::timestamptz
      + make_interval(hours => CASE WHEN ${withoutGrace} THEN 0 ELSE invoice_grace_hours END))`;
}

/** Counts what the run of a month has to do. A company whose time zone is not among the ends is checked again soon. */
export async function selectRunBacklog(db: Queryable, dueAt: DueAt): Promise<RunBacklog> {
  const { period, asOf } = dueAt;
  const [row] = await db<[RunBacklog]>`
    WITH billed AS (
      SELECT DISTINCT company_id FROM billed_periods WHERE run_id IN (SELECT id FROM billing_runs WHERE period >= ${period})
    ), alike AS MATERIALIZED (
      -- Groups of companies that are due at the same time. There are few groups, however many companies there are.
      SELECT timezone, invoice_grace_hours, count(*) AS companies, count(*) FILTER (WHERE billed.company_id IS NULL) AS unbilled
      FROM companies LEFT JOIN billed ON billed.company_id = companies.id
      GROUP BY timezone, invoice_grace_hours
    ), judged AS MATERIALIZED (
      SELECT companies, unbilled, ${dueTime(db, dueAt)} AS due_at FROM alike
    )
    SELECT coalesce(sum(companies), 0)::int AS companies,
           coalesce(sum(unbilled) FILTER (WHERE due_at <= ${asOf}), 0)::int AS due,
           coalesce(sum(unbilled) FILTER (WHERE due_at IS NULL OR due_at > ${asOf}), 0)::int AS later,
           min(coalesce(due_at, ${asOf})) FILTER (WHERE unbilled > 0 AND (due_at IS NULL OR due_at > ${asOf})) AS "nextDueAt"
    FROM judged`;
  return row;
}

/** Lists the companies that are due and come after one, by id, up to a limit. */
export async function selectDueCompanies(
  db: Queryable,
  dueAt: DueAt,
  { afterCompanyId, limit }: { afterCompanyId: string | null; limit: number },
): Promise<string[]> {
  const { period, asOf } = dueAt;
  const rows = await db<{ id: string }[]>`
    SELECT id FROM companies
    WHERE id > coalesce(${afterCompanyId}::uuid, '00000000-0000-0000-0000-000000000000')
      AND ${dueTime(db, dueAt)} <= ${asOf}
      -- With OFFSET 0, PostgreSQL looks this up for one company after the other, only as far as needed.
      AND NOT EXISTS (
        SELECT FROM billed_periods WHERE company_id = companies.id AND billed_periods.period >= ${period} OFFSET 0
      )
    ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Reads the first instant of usage, to the quarter of an hour, for a number of companies after one; none for those without usage. */
export async function selectFirstUsage(
  db: Queryable,
  { afterCompanyId, limit }: { afterCompanyId: string | null; limit: number },
): Promise<{ timezone: string; usedAt: Date | null; lastCompanyId: string }[]> {
  return db<{ timezone: string; usedAt: Date | null; lastCompanyId: string }[]>`
    SELECT timezone, max(companies.id::text) AS "lastCompanyId",
           min(hour + CASE WHEN quarter_1 > 0 THEN interval '0' WHEN quarter_2 > 0 THEN interval '15 minutes'
                           WHEN quarter_3 > 0 THEN interval '30 minutes' ELSE interval '45 minutes' END) AS "usedAt"
    FROM (
      SELECT id, timezone FROM companies
      WHERE id > coalesce(${afterCompanyId}::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT ${limit}
    ) AS companies
    LEFT JOIN LATERAL (
      (SELECT hour, quarter_1, quarter_2, quarter_3 FROM usage_hours
       WHERE company_id = companies.id AND quarter_1 + quarter_2 + quarter_3 + quarter_4 > 0 ORDER BY hour LIMIT 1)
      UNION ALL
      (SELECT hour, quarter_1, quarter_2, quarter_3 FROM usage_deltas
       WHERE company_id = companies.id AND quarter_1 + quarter_2 + quarter_3 + quarter_4 > 0 ORDER BY hour LIMIT 1)
    ) AS used ON true
    GROUP BY timezone`;
}

/** Reads the newest month with a run; null when there is none. */
export async function selectNewestPeriod(db: Queryable): Promise<string | null> {
  const [row] = await db<[{ period: string | null }]>`SELECT max(period) AS period FROM billing_runs`;
  return row.period;
}

/** Writes the run of a month, in the state waiting, unless there is one. */
export async function insertRun(db: Queryable, id: string, period: string): Promise<void> {
  await db`INSERT INTO billing_runs (id, period) VALUES (${id}, ${period}) ON CONFLICT (period) DO NOTHING`;
}

/** Lists the months whose runs wait, the oldest first. */
export async function selectWaitingPeriods(db: Db): Promise<string[]> {
  const rows = await db<{ period: string }[]>`SELECT period FROM billing_runs WHERE status = 'waiting' ORDER BY period`;
  return rows.map(({ period }) => period);
}

/** Locks the run of a month and the unfinished runs of earlier months; the oldest first. */
export async function selectRunsUpTo(tx: Tx, period: string): Promise<RunState[]> {
  return tx<RunState[]>`
    SELECT id, period, status, without_grace AS "withoutGrace", failures FROM billing_runs
    WHERE period = ${period} OR (period < ${period} AND status IN ('running', 'waiting'))
    ORDER BY period FOR UPDATE`;
}

/** Locks the run of a month while it waits; null when it does not wait, or another process has it locked. */
export async function selectWaitingRun(tx: Tx, period: string): Promise<RunState | null> {
  const [row] = await tx<RunState[]>`
    SELECT id, period, status, without_grace AS "withoutGrace", failures FROM billing_runs
    WHERE period = ${period} AND status = 'waiting' FOR UPDATE SKIP LOCKED`;
  return row ?? null;
}

/** Begins a pass over the companies that are due; a worker in the middle of another pass has to leave it. */
export async function beginPass(
  tx: Tx,
  id: string,
  { companies, due, later }: RunBacklog,
  { asOf, withoutGrace }: Pick<DueAt, 'asOf' | 'withoutGrace'>,
): Promise<void> {
  await tx`
    UPDATE billing_runs
    SET status = 'running', without_grace = ${withoutGrace}, as_of = ${asOf}, passes = passes + 1, next_pass_at = NULL,
        invoices = NULL,
        companies = ${companies}, done = ${companies - due - later}, pass_companies = ${due}, pass_done = 0, failures = 0,
        cutoff = NULL, last_company_id = NULL, started_at = NULL, finished_at = NULL, lease = NULL, leased_until = NULL
    WHERE id = ${id}`;
}

/** Writes the state of a run without a worker: it waits, or it has ended. */
export async function settleRun(
  tx: Tx,
  { id, failures, withoutGrace }: RunState,
  { companies, later, nextDueAt }: RunBacklog,
): Promise<void> {
  await tx`
    UPDATE billing_runs
    SET status = CASE WHEN ${later} > 0 THEN 'waiting' WHEN ${failures} > 0 THEN 'failed' ELSE 'done' END,
        without_grace = ${withoutGrace}, failures = ${failures}, next_pass_at = ${nextDueAt},
        invoices = CASE WHEN ${later} = 0 THEN (SELECT count(invoice_id) FROM billed_periods WHERE run_id = ${id}) END,
        companies = ${companies}, done = ${companies - later}, finished_at = CASE WHEN ${later} > 0 THEN NULL ELSE now() END
    WHERE id = ${id}`;
}
