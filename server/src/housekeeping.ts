import type { FastifyBaseLogger } from 'fastify';
import { removeOldJournals, removeOldMarks } from './continuity/journal/journal.service.ts';
import { FEATURES, JOB_TABLES } from './features.ts';
import { repeatEvery, type Worker } from './platform/background/background.ts';
import type { Db } from './platform/database/database.ts';
import { whileLocked } from './platform/database/locks.ts';
import type { Retention } from './platform/feature/feature.ts';
import { removeOldKeys } from './platform/http/route/idempotency.worker.queries.ts';
import { removeEndedFailures } from './platform/queue/failures.worker.queries.ts';

/** Not at the start itself, which has enough to do. */
const FIRST_AFTER_MS = 60 * 1000;
const INTERVAL_MS = 10 * 60 * 1000;
/** So many rows a statement stay far below the time that a statement may take. */
const BATCH_SIZE = 5_000;

export type HousekeepingDependencies = { db: Db } & Retention;

/**
 * Removes, every ten minutes, what is kept for a time only, and closes the hours of the ledger. Any number of processes may do it, one at a
 * time, so that two never remove the same rows in different orders.
 */
export function startHousekeeping(dependencies: HousekeepingDependencies, log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: async (signal) => {
      await whileLocked(dependencies.db, 'housekeeping', () => runHousekeeping(dependencies, signal));
    },
    logFailure: (error) => log.warn({ err: error }, 'housekeeping failed; it will be retried'),
    everyMs: INTERVAL_MS,
    firstAfterMs: FIRST_AFTER_MS,
  });
}

/** One round for all features, each removal in batches until nothing is left. */
export async function runHousekeeping(
  { db, ...retention }: HousekeepingDependencies,
  signal?: AbortSignal,
): Promise<void> {
  const removals = [
    removeOldKeys,
    (pool: Db, limit: number) => removeEndedFailures(pool, JOB_TABLES, limit),
    removeOldMarks,
    removeOldJournals,
    ...FEATURES.flatMap(({ removeOld }) => removeOld ?? []),
  ];
  for (const remove of removals) {
    while (!signal?.aborted && (await remove(db, BATCH_SIZE, retention)) >= BATCH_SIZE);
  }
  for (const feature of FEATURES) await feature.maintain?.(db, signal);
}
