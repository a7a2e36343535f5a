import type { Db } from '../database/database.ts';
import { ApiError, notFound } from '../errors.ts';
import type { JobTable } from '../queue/job-table.ts';
import { makeJobDue, selectJob, selectJobPage, selectSchedules } from './jobs.operator.queries.ts';
import type { BackgroundJob, JobList, JobQuery } from './jobs.schema.ts';

/** A page of the jobs of these tables that are due, running or failing, and the schedules. */
export async function listJobs(
  db: Db,
  tables: readonly JobTable[],
  { page, perPage, state, kind }: JobQuery,
): Promise<JobList> {
  const [jobs, schedules] = await Promise.all([
    selectJobPage(db, tables, { state, kind }, { limit: perPage, offset: (page - 1) * perPage }),
    selectSchedules(db),
  ]);
  return { ...jobs, page, perPage, schedules };
}

/**
 * Makes a job due now, for whichever worker next looks for jobs of its kind.
 * @throws ApiError not_found when the job is neither due nor failing, because it is done for example; job_running
 */
export async function retryJob(db: Db, tables: readonly JobTable[], id: string): Promise<BackgroundJob> {
  const job = await selectJob(db, tables, id);
  const table = job === null ? undefined : tables[job.table];
  if (job === null || table === undefined) throw notFound('job');
  if (job.state === 'running') throw new ApiError('job_running', 'The job is running.');
  await makeJobDue(db, table, job);
  // A worker may have done it meanwhile.
  return (await selectJob(db, tables, id)) ?? job;
}
