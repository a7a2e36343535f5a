import type { Db, Queryable } from '../database/database.ts';
import { COUNT_LIMIT, type WorkQueue } from '../http/metrics/work-queues.ts';

/** pg-boss's word for each state of a job. */
const STATES = {
  waiting: 'created',
  retrying: 'retry',
  running: 'active',
  done: 'completed',
  canceled: 'cancelled',
  failed: 'failed',
} as const;

export type JobState = keyof typeof STATES;
export const JOB_STATES = Object.keys(STATES) as JobState[];

export type JobRow = {
  id: string;
  name: string;
  state: JobState;
  attempts: number;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  error: string | null;
};

export type JobFilter = { state: JobState | undefined; name: string | undefined };

function jobColumns(db: Queryable) {
  const state = Object.entries(STATES)
    .map(([ours, theirs]) => `WHEN '${theirs}' THEN '${ours}'`)
    .join(' ');
  return db`
    job.id, job.name, CASE job.state ${db.unsafe(state)} END AS state,
    CASE WHEN job.started_on IS NULL THEN 0 ELSE job.retry_count + 1 END AS attempts, job.created_on AS "createdAt",
    job.started_on AS "startedAt", job.completed_on AS "endedAt",
    -- Of what is kept about an error, its text alone. What pg-boss says itself stands one level further in.
    left(coalesce(job.output ->> 'message', job.output -> 'value' ->> 'message'), 500) AS error`;
}

/** What pg-boss does for itself is not listed. */
function isOurs(db: Queryable) {
  return db`job.name NOT LIKE '\\_\\_pgboss\\_\\_%'`;
}

/** A page of jobs, the newest first. */
export async function selectJobPage(
  db: Queryable,
  { state, name }: JobFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: JobRow[] }> {
  const where = db`
    ${isOurs(db)} ${state === undefined ? db`` : db`AND job.state = ${STATES[state]}::paydesk_jobs.job_state`}
    ${name === undefined ? db`` : db`AND job.name = ${name}`}`;
  const [[count], data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM paydesk_jobs.job WHERE ${where}`,
    db<JobRow[]>`
      SELECT ${jobColumns(db)} FROM paydesk_jobs.job WHERE ${where}
      ORDER BY job.created_on DESC, job.id DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: count.total, data };
}

/** The job with this id, found in each queue by the key of the table. */
export async function selectJob(db: Queryable, id: string): Promise<JobRow | null> {
  const [row] = await db<JobRow[]>`
    SELECT ${jobColumns(db)}
    FROM paydesk_jobs.queue CROSS JOIN LATERAL (
      SELECT * FROM paydesk_jobs.job WHERE job.name = queue.name AND job.id = ${id}
    ) AS job
    WHERE ${isOurs(db)}`;
  return row ?? null;
}

export type ScheduleRow = { name: string; cron: string; timezone: string };

/** What comes by itself, by name. */
export async function selectSchedules(db: Queryable): Promise<ScheduleRow[]> {
  return db<ScheduleRow[]>`SELECT name, cron, timezone FROM paydesk_jobs.schedule ORDER BY name, key`;
}

/** A queue for each name of a job. */
export async function readJobQueues(db: Db): Promise<WorkQueue[]> {
  return db<WorkQueue[]>`
    SELECT 'job:' || queue.name AS name, due.depth, due."oldestSeconds", due.retries, failed.dead
    FROM paydesk_jobs.queue
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS depth, greatest(0, coalesce(extract(epoch FROM now() - min(start_after)), 0))::float AS "oldestSeconds",
             (count(*) FILTER (WHERE state = 'retry'))::int AS retries
      FROM (
        SELECT start_after, state FROM paydesk_jobs.job
        WHERE job.name = queue.name AND state < 'active' AND NOT blocked AND start_after <= now()
        ORDER BY priority DESC, created_on LIMIT ${COUNT_LIMIT}
      ) AS waiting
    ) AS due
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS dead
      FROM (SELECT FROM paydesk_jobs.job WHERE job.name = queue.name AND state = 'failed' LIMIT ${COUNT_LIMIT}) AS ended
    ) AS failed
    WHERE queue.name NOT LIKE '\\_\\_pgboss\\_\\_%'
    ORDER BY queue.name`;
}
