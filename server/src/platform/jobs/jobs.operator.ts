import type { Db } from '../database/database.ts';
import { ApiError, notFound } from '../errors.ts';
import { type JobRow, selectJob, selectJobPage, selectSchedules } from './jobs.operator.queries.ts';
import type { JobList, JobQuery } from './jobs.schema.ts';
import { openBoss } from './jobs.service.ts';

/** A page of jobs, newest first, and the schedules. */
export async function listJobs(db: Db, { page, perPage, state, name }: JobQuery): Promise<JobList> {
  const [jobs, schedules, boss] = await Promise.all([
    selectJobPage(db, { state, name }, { limit: perPage, offset: (page - 1) * perPage }),
    selectSchedules(db),
    openBoss(db),
  ]);
  return {
    ...jobs,
    page,
    perPage,
    schedules: schedules.map((schedule) => {
      const [nextAt = null] = boss.previewSchedule(schedule.cron, { tz: schedule.timezone, count: 1 });
      return { ...schedule, nextAt };
    }),
  };
}

/**
 * Retries a failed job, in whichever process next looks for jobs.
 * @throws ApiError when there is no such job (404), or when it has not failed (409)
 */
export async function retryJob(db: Db, id: string): Promise<JobRow> {
  const job = await selectJob(db, id);
  if (job === null) throw notFound('job');
  if (job.state !== 'failed') {
    throw new ApiError('job_not_failed', 'The job has not failed, so it cannot be retried.');
  }
  // Only writes: this process may run no jobs.
  const boss = await openBoss(db, { supervise: false, schedule: false });
  await boss.start();
  await boss.retry(job.name, id).finally(() => boss.stop({ close: false, graceful: false }));
  const retried = await selectJob(db, id);
  if (retried === null) throw notFound('job');
  return retried;
}
