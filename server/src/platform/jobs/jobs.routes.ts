import type { FastifyInstance } from 'fastify';
import type { Db } from '../database/database.ts';
import { route } from '../http/route/route.ts';
import type { JobTable } from '../queue/job-table.ts';
import { listJobs, retryJob } from './jobs.operator.ts';
import { BackgroundJob, JobList, jobQuery } from './jobs.schema.ts';

const tag = 'Jobs';

/** The work in the background, for the operator. */
export function registerJobRoutes(
  app: FastifyInstance,
  { db, jobTables }: { db: Db; jobTables: readonly JobTable[] },
): void {
  const kinds = [...new Set(jobTables.map(({ kind }) => kind))];
  route(app, {
    method: 'GET',
    url: '/operator/jobs',
    operationId: 'listJobs',
    tag,
    summary: 'List jobs',
    description:
      'Lists the background work that is due, running or failing. The jobs that have been due for longest come ' +
      'first. The list has up to 100,000 jobs of each kind in each state.',
    access: 'operator',
    query: jobQuery(kinds),
    response: { 200: JobList },
    errors: [],
    handler: ({ query }) => listJobs(db, jobTables, query),
  });
  route(app, {
    method: 'POST',
    url: '/operator/jobs/:job_id/retry',
    operationId: 'retryJob',
    tag,
    summary: 'Retry a job now',
    description:
      'Makes the job due. A worker does it within a few seconds. The attempt counts like any other. A job that is done is a 404.',
    access: 'operator',
    resource: 'job',
    response: { 200: BackgroundJob },
    errors: ['job_running'],
    idempotency: 'run',
    audit: { unrecorded: 'The request only makes Paydesk do earlier what it does anyway.' },
    handler: ({ ids }) => retryJob(db, jobTables, ids.job_id),
  });
}
