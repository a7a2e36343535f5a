import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../../../platform/background/background.ts';
import { type Db, transaction } from '../../../platform/database/database.ts';
import { ensurePartitions } from '../ingest/ingest.ts';
import { closeCutoff, lockOpenCutoff, rollUpDeltas } from './rollup.worker.queries.ts';

const INTERVAL_MS = 2_000;
/** Moving this many takes a fraction of the statement timeout. */
const BATCH_SIZE = 10_000;

/**
 * Rolls usage up in the background and creates partitions ahead. Any number of processes may run it; they take turns.
 * Reads are exact whether it runs or not.
 */
export function startUsageRollup(db: Db, log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: async (signal) => {
      await ensurePartitions(db);
      await rollUpUsage(db, signal);
    },
    logFailure: (error) => log.warn({ err: error }, 'usage could not be rolled up; it will be retried'),
    everyMs: INTERVAL_MS,
    firstAfterMs: INTERVAL_MS,
  });
}

/**
 * Moves waiting usage into the hourly sums in batches, each of them atomic. Returns at once if another process is doing
 * it.
 */
export async function rollUpUsage(db: Db, signal?: AbortSignal): Promise<void> {
  let moved = BATCH_SIZE;
  while (moved >= BATCH_SIZE && !signal?.aborted) {
    moved = await transaction(db, async (tx) => {
      const cutoff = await lockOpenCutoff(tx, { wait: false });
      return cutoff === null ? 0 : rollUpDeltas(tx, cutoff, BATCH_SIZE);
    });
  }
}

export type UsageCutoff = { number: number; closedAt: Date };

/**
 * Closes the current cutoff: all usage acknowledged so far is in it or an earlier one, and whatever commits later is in
 * a later one. A cutoff is a number, not a time, because transactions do not commit in the order of their clocks.
 */
export async function closeUsageCutoff(db: Db): Promise<UsageCutoff> {
  await rollUpUsage(db);
  return transaction(db, async (tx) => {
    const number = (await lockOpenCutoff(tx, { wait: true })) ?? 0;
    while ((await rollUpDeltas(tx, number, BATCH_SIZE)) >= BATCH_SIZE);
    return { number, closedAt: await closeCutoff(tx, number) };
  });
}
