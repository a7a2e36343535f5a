import type { FastifyInstance } from 'fastify';
import type { Db } from '../database/database.ts';
import { route } from '../http/route/route.ts';
import { listJobs, retryJob } from './jobs.operator.ts';
import { BackgroundJob, JobList, JobQuery } from './jobs.schema.ts';

const tag = 'Jobs';

/** Scheduled jobs, for the operator. */
export function registerJobRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, {
    method: 'GET',
    url: '/operator/jobs',
    operationId: 'listJobs',
    tag,
    summary: 'List jobs',
    description: 'What was begun by the clock, the newest first, and when it comes again.',
    access: 'operator',
    query: JobQuery,
    response: { 200: JobList },
    errors: [],
    handler: ({ query }) => listJobs(db, query),
  });
  route(app, {
    method: 'POST',
    url: '/operator/jobs/:job_id/retry',
    operationId: 'retryJob',
    tag,
    summary: 'Try a failed job again',
    description: 'A worker begins it within a minute, and once only: if it fails, it has failed again.',
    access: 'operator',
    resource: 'job',
    response: { 200: BackgroundJob },
    examples: { 200: { state: 'retrying', endedAt: null } },
    errors: ['job_not_failed'],
    idempotency: 'run',
    audit: { unrecorded: 'It only begins again what the clock had begun.' },
    handler: ({ ids }) => retryJob(db, ids.job_id),
  });
}
