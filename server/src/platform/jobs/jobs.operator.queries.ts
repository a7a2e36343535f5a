import type { Db, Queryable } from '../database/database.ts';
import { COUNT_LIMIT } from '../http/metrics/work-queues.ts';
import { OPERATOR_SCOPE } from '../operator-scope.ts';
import type { JobTable } from '../queue/job-table.ts';

/** A job that has been due for longer is late: by then every worker has looked several times. */
const LATE_AFTER_SECONDS = 60;

export const JOB_STATES = ['due', 'running', 'late', 'failing'] as const;
export type JobState = (typeof JOB_STATES)[number];

export type JobRow = {
  id: string;
  kind: string;
  companyId: string | null;
  record: string;
  state: JobState;
  attempts: number;
  error: string | null;
  nextAttemptAt: Date | null;
};

export type JobFilter = { state?: JobState | undefined; kind?: string | undefined };

/**
 * A page of the jobs that are due, running or have failed, those that have been due for longest first. Of each table it reads up to
 * `COUNT_LIMIT` rows of each state, by their indexes.
 */
export async function selectJobPage(
  db: Db,
  tables: readonly JobTable[],
  { state, kind }: JobFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: JobRow[] }> {
  const chosen = tables.filter((table) => kind === undefined || table.kind === kind);
  const rows = await db<(JobRow & { total: number; isJob: boolean })[]>`
    WITH jobs AS MATERIALIZED (
      SELECT * FROM (${db.unsafe(chosen.map((table) => selectListed(table)).join(' UNION ALL '))}) AS listed
      ${state === undefined ? db`` : db`WHERE state = ${state}`}
    ), page AS (
      SELECT * FROM jobs ORDER BY due_at, kind, id LIMIT ${limit} OFFSET ${offset}
    )
    SELECT all_jobs.total, page.id IS NOT NULL AS "isJob", ${jobColumns(db)}
    FROM (SELECT count(*)::int AS total FROM jobs) AS all_jobs LEFT JOIN page ON true
    ORDER BY due_at, kind, id`;
  const data = rows.filter(({ isJob }) => isJob).map(({ total: _, isJob: __, ...job }) => job);
  return { total: rows[0]?.total ?? 0, data };
}

/** The job with this id among those that are due, running or have failed, with the position of its table. */
export async function selectJob(
  db: Queryable,
  tables: readonly JobTable[],
  id: string,
): Promise<(JobRow & { table: number }) | null> {
  const [row] = await db<(JobRow & { table: number })[]>`
    SELECT ${jobColumns(db)}, "table"
    FROM (${db.unsafe(tables.map((table, position) => selectListed(table, position)).join(' UNION ALL '))}) AS page
    WHERE id = ${id} LIMIT 1`;
  return row ?? null;
}

/** Makes a job due now that no process is doing. */
export async function makeJobDue(
  db: Queryable,
  table: JobTable,
  { id, companyId, record }: Pick<JobRow, 'id' | 'companyId' | 'record'>,
): Promise<void> {
  const { isNamed, isOpen, isRunning, makeDue } = table;
  await db`
    UPDATE ${db(table.table)} SET ${db.unsafe(makeDue)}
    FROM (SELECT ${companyId ?? OPERATOR_SCOPE}::uuid AS failed_company, ${record}::text AS failed_record) AS job
    WHERE ${db.unsafe(isNamed)} AND ${db.unsafe(isOpen)} AND NOT (${db.unsafe(isRunning)}) AND ${db.unsafe(idOf(table))} = ${id}`;
}

export type ScheduleRow = { name: string; nextAt: Date; lastRunAt: Date | null };

/** The scheduled work, by name. */
export async function selectSchedules(db: Queryable): Promise<ScheduleRow[]> {
  return db<ScheduleRow[]>`SELECT name, next_at AS "nextAt", last_run_at AS "lastRunAt" FROM schedules ORDER BY name`;
}

function jobColumns(db: Queryable) {
  return db`
    id, kind, company_id AS "companyId", record, state, attempts, CASE WHEN attempts > 0 THEN error END AS error,
    CASE WHEN state <> 'running' THEN due_at END AS "nextAttemptAt"`;
}

/**
 * Selects what is due, running or failing in a table: the due rows by the index of their times, the running ones by that of the claimed
 * ones, and those that wait after a failure by the failure.
 */
function selectListed(table: JobTable, position = 0): string {
  const { kind, company, record, isNamed, isOpen, dueAt, isRunning, attempts, claim } = table;
  const isFailure = `failed_company = coalesce(${company}, '${OPERATOR_SCOPE}') AND failed_record = ${record}`;
  const select = (join: string, where: string) => `(
    SELECT ${idOf(table)} AS job_id, nullif(${company}, '${OPERATOR_SCOPE}') AS job_company, ${record} AS job_record,
           (${attempts})::integer AS job_attempts, (${dueAt})::timestamptz(3) AS job_due_at, coalesce(${isRunning}, false) AS job_runs,
           failed_error
    FROM ${join} WHERE ${isOpen} AND ${where}
    LIMIT ${COUNT_LIMIT}
  )`;
  const failed = `(
    SELECT company_id AS failed_company, record AS failed_record, failures AS failed_count, error AS failed_error, failed_at
    FROM job_failures WHERE kind = '${kind}'
  ) AS failed`;
  const parts = [
    select(`${table.table} LEFT JOIN ${failed} ON ${isFailure}`, `${dueAt} <= now()`),
    select(
      `${failed} JOIN ${table.table} ON ${isNamed}`,
      `${dueAt} > now() AND (${isRunning}) IS NOT true AND ${attempts} > 0`,
    ),
  ];
  if (claim !== null) {
    const where = `${claim.isClaimed} AND ${isRunning} AND ${dueAt} > now()`;
    parts.push(select(`${table.table} LEFT JOIN ${failed} ON ${isFailure}`, where));
  }
  return `
    SELECT '${kind}' AS kind, ${position} AS "table", job_id AS id, job_company AS company_id, job_record AS record,
           job_attempts AS attempts, failed_error AS error, job_due_at AS due_at,
           CASE WHEN job_runs THEN 'running' WHEN job_attempts > 0 THEN 'failing'
                WHEN job_due_at < now() - make_interval(secs => ${LATE_AFTER_SECONDS}) THEN 'late' ELSE 'due' END AS state
    FROM (${parts.join(' UNION ALL ')}) AS job`;
}

/** The id of a job: a UUID (RFC 9562, version 8) made of its table and key, so that it is the same in every answer. */
function idOf({ table, key }: JobTable): string {
  const text = key.map((column) => `${table}.${column}::text`).join(", ' ', ");
  return `overlay(overlay(md5(concat('${table} ', ${text})) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`;
}
