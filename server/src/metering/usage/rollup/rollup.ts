import type { FastifyBaseLogger } from 'fastify';
import { repeat, type Worker } from '../../../platform/background/background.ts';
import { type Db, transaction } from '../../../platform/database/database.ts';
import { ensurePartitions } from '../ingest/ingest.ts';
import { closeCutoff, lockOpenCutoff, rollUpDeltas } from './rollup.worker.queries.ts';

const INTERVAL_MS = 2_000;
/** So many take a fraction of the time that a statement may take. */
const BATCH_SIZE = 10_000;

/**
 * Rolls usage up in the background, and makes partitions ahead. Any number of processes may do it; one at a time has its turn.
 * Whether it runs or not, what is read is exact.
 */
export function startUsageRollup(db: Db, log: FastifyBaseLogger): Worker {
  const failed = (error: unknown) => log.warn({ err: error }, 'usage was not rolled up; it is tried again');
  return repeat(
    async (signal) => {
      await ensurePartitions(db)
        .then(() => rollUpUsage(db, signal))
        .catch(failed);
      return INTERVAL_MS;
    },
    { firstAfterMs: INTERVAL_MS },
  );
}

/** Moves what waits into the sums by hour, in batches, each of them whole or not at all. Leaves it to whoever is at it already. */
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
 * Draws a line under all usage that was acknowledged so far: it is in this cutoff or an earlier one, and whatever commits later
 * is in a later one, for ever. A number, not a time, because transactions don't commit in the order of their clocks.
 */
export async function closeUsageCutoff(db: Db): Promise<UsageCutoff> {
  await rollUpUsage(db);
  return transaction(db, async (tx) => {
    const number = (await lockOpenCutoff(tx, { wait: true })) ?? 0;
    while ((await rollUpDeltas(tx, number, BATCH_SIZE)) >= BATCH_SIZE);
    return { number, closedAt: await closeCutoff(tx, number) };
  });
}
