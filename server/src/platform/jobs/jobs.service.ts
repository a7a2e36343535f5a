import type { FastifyBaseLogger } from 'fastify';
import type { ConstructorOptions, PgBoss } from 'pg-boss';
import { type Job, pause } from '../background/background.ts';
import type { Db } from '../database/database.ts';
import { describeFailure } from '../logging/logger.ts';
import { executeForJobs } from './jobs.worker.queries.ts';

/** The schema of pg-boss's tables, which migration 0011 makes. */
export const JOBS_SCHEMA = 'paydesk_jobs';
/** pg-boss is loaded when the first requests are answered. */
const START_AFTER_MS = 3_000;
const RETRY_START_MS = 10_000;
/** A handler that takes longer is aborted, and its job retried. */
const EXPIRE_SECONDS = 15 * 60;
/** How long finished and failed jobs are kept. */
const KEEP_SECONDS = 14 * 24 * 60 * 60;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Few and slow queries: an idle service makes one or two in three quarters of a minute, and a due job begins at most a
 * minute and a half late. pg-boss must not change its schema (`migrate`, `reindex`), because the service's role may
 * not.
 */
const SETTINGS = {
  schema: JOBS_SCHEMA,
  migrate: false,
  createSchema: false,
  reindex: false,
  monitorVacuum: false,
  cronMonitorIntervalSeconds: 45,
  cronWorkerIntervalSeconds: 45,
  superviseIntervalSeconds: 10 * 60,
  monitorIntervalSeconds: 10 * 60,
  maintenanceIntervalSeconds: 60 * 60,
  queueCacheIntervalSeconds: 60 * 60,
  flowIntervalSeconds: 60 * 60,
} satisfies ConstructorOptions;
const POLL_SECONDS = 45;

/**
 * Runs the listed jobs, each once at the start and then on schedule, in any one process. It begins after a short delay,
 * and keeps trying while the database is unavailable.
 */
export function startJobs(
  { db, jobs, startAfterMs = START_AFTER_MS }: { db: Db; jobs: readonly Job[]; startAfterMs?: number },
  log: FastifyBaseLogger,
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<PgBoss | null> => {
    for (let pauseMs = startAfterMs; await pause(pauseMs, signal); pauseMs = RETRY_START_MS) {
      const boss = await startBoss(db, jobs, log, signal).catch((error: unknown) => {
        log.warn({ err: error }, 'the job queue could not be started; it will be retried');
        return null;
      });
      if (boss !== null) return boss;
    }
    return null;
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await (await running)?.stop({ close: false, timeout: STOP_TIMEOUT_MS });
    },
  };
}

/** pg-boss on the service's own pool. It does nothing before it is started. */
export async function openBoss(db: Db, options: ConstructorOptions = {}): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const executeSql = (text: string, values?: unknown[]) => executeForJobs(db, text, values);
  return new PgBoss({ ...SETTINGS, ...options, db: { executeSql } });
}

async function startBoss(db: Db, jobs: readonly Job[], log: FastifyBaseLogger, signal: AbortSignal): Promise<PgBoss> {
  const boss = await openBoss(db);
  boss.on('error', (error) => log.warn({ err: error }, 'jobs could not be read or updated; it will be retried'));
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue reported a warning'));
  try {
    await boss.start();
    for (const job of jobs) await startJob(boss, job, log, signal);
    return boss;
  } catch (error) {
    await boss.stop({ close: false, graceful: false });
    throw error;
  }
}

async function startJob(boss: PgBoss, { name, cron, work }: Job, log: FastifyBaseLogger, signal: AbortSignal) {
  const keep = { expireInSeconds: EXPIRE_SECONDS, retentionSeconds: KEEP_SECONDS, deleteAfterSeconds: KEEP_SECONDS };
  // At most one waits, however many processes request it.
  await boss.createQueue(name, { policy: 'short', ...keep });
  await boss.updateQueue(name, keep);
  await boss.schedule(name, cron, null, { tz: 'UTC' });
  await boss.send(name);
  await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
    try {
      await work(signal);
    } catch (error) {
      log.warn({ err: error, job: name }, 'a job failed; it will be retried');
      // pg-boss keeps all that an error holds, and the operator reads it: no statement, no value, no place.
      throw Object.assign(new Error(describeFailure(error)), { stack: '' });
    }
  });
}
