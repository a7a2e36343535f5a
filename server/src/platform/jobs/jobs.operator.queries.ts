import type { Db, Queryable } from '../database/database.ts';
import { COUNT_LIMIT } from '../http/metrics/work-queues.ts';
import { OPERATOR_SCOPE } from '../operator-scope.ts';
import type { JobTable } from '../queue/job-table.ts';

/** A job that is due or running for longer is late: by then every worker has looked several times. */
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
 * `COUNT_LIMIT` rows.
 */
export async function selectJobPage(
  db: Db,
  tables: readonly JobTable[],
  { state, kind }: JobFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: JobRow[] }> {
  const chosen = tables.filter((table) => kind === undefined || table.kind === kind);
  if (chosen.length === 0) return { total: 0, data: [] };
  const found = db`
    WITH jobs AS (
      SELECT * FROM (${db.unsafe(chosen.map((table) => selectListed(table)).join(' UNION ALL '))}) AS listed
      ${state === undefined ? db`` : db`WHERE state = ${state}`}
    )`;
  const [[count], data] = await Promise.all([
    db<[{ total: number }]>`${found} SELECT count(*)::int AS total FROM jobs`,
    db<JobRow[]>`
      ${found}, page AS (SELECT * FROM jobs ORDER BY due_at, kind, id LIMIT ${limit} OFFSET ${offset})
      SELECT ${jobColumns(db, tables)} FROM page ORDER BY due_at, kind, id`,
  ]);
  return { total: count.total, data };
}

/** The job with this id among those that are due, running or have failed, with the position of its table. */
export async function selectJob(
  db: Queryable,
  tables: readonly JobTable[],
  id: string,
): Promise<(JobRow & { table: number }) | null> {
  const [row] = await db<(JobRow & { table: number })[]>`
    WITH page AS (
      SELECT * FROM (${db.unsafe(tables.map((table, position) => selectListed(table, position)).join(' UNION ALL '))}) AS listed
      WHERE id = ${id}
    )
    SELECT ${jobColumns(db, tables)}, "table" FROM page LIMIT 1`;
  return row ?? null;
}

/** Makes a job due now that no process is doing. */
export async function makeJobDue(db: Queryable, table: JobTable, id: string): Promise<void> {
  const { isOpen, isRunning, makeDue } = table;
  await db`
    UPDATE ${db(table.table)} SET ${db.unsafe(makeDue)}
    WHERE ${db.unsafe(isOpen)} AND NOT (${db.unsafe(isRunning)}) AND ${db.unsafe(idOf(table))} = ${id}`;
}

export type ScheduleRow = { name: string; nextAt: Date; lastRunAt: Date | null };

/** The scheduled work, by name. */
export async function selectSchedules(db: Queryable): Promise<ScheduleRow[]> {
  return db<ScheduleRow[]>`SELECT name, next_at AS "nextAt", last_run_at AS "lastRunAt" FROM schedules ORDER BY name`;
}

/** Adds the latest error to the rows of `page`. */
function jobColumns(db: Queryable, tables: readonly JobTable[]) {
  const others = new Map(tables.flatMap(({ kind, error }) => (error === undefined ? [] : [[kind, error]])));
  const cases = [...others].map(([kind, error]) => `WHEN '${kind}' THEN ${error}`).join(' ');
  return db`
    id, kind, company_id AS "companyId", record, state, attempts,
    CASE WHEN attempts > 0 THEN ${db.unsafe(cases === '' ? 'error' : `CASE kind ${cases} ELSE error END`)} END AS error,
    CASE WHEN state <> 'running' THEN due_at END AS "nextAttemptAt"`;
}

/** Selects what is due, running or failing in a table. */
function selectListed(table: JobTable, position = 0): string {
  const { kind, company, record, isOpen, dueAt, isRunning, attempts } = table;
  return `(
    SELECT '${kind}' AS kind, ${position} AS "table", job_id AS id, job_company AS company_id, job_record AS record,
           job_attempts AS attempts, failed_error AS error, job_due_at AS due_at,
           CASE WHEN job_runs THEN 'running' WHEN job_attempts > 0 THEN 'failing'
                WHEN job_due_at < now() - make_interval(secs => ${LATE_AFTER_SECONDS}) THEN 'late' ELSE 'due' END AS state
    FROM (
      SELECT ${idOf(table)} AS job_id, nullif(${company}, '${OPERATOR_SCOPE}') AS job_company, ${record} AS job_record,
             (${attempts})::integer AS job_attempts, (${dueAt})::timestamptz(3) AS job_due_at, coalesce(${isRunning}, false) AS job_runs,
             failed_error
      FROM ${table.table}
      LEFT JOIN (
        SELECT company_id AS failed_company, record AS failed_record, failures AS failed_count, error AS failed_error, failed_at
        FROM job_failures WHERE kind = '${kind}'
      ) AS failed ON failed_company = coalesce(${company}, '${OPERATOR_SCOPE}') AND failed_record = ${record}
      WHERE ${isOpen}
    ) AS job
    WHERE job_runs OR job_attempts > 0 OR job_due_at <= now()
    LIMIT ${COUNT_LIMIT}
  )`;
}

/** The id of a job: a UUID (RFC 9562, version 8) made of its table and key, so that it is the same in every answer. */
function idOf({ table, key }: JobTable): string {
  const text = key.map((column) => `${table}.${column}::text`).join(", ' ', ");
  return `overlay(overlay(md5(concat('${table} ', ${text})) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`;
}
