import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../../../platform/background/background.ts';
import { type Db, sideBySide, type Tx, transaction } from '../../../platform/database/database.ts';
import { ensurePartitions } from '../ingest/ingest.ts';
import { closeCutoff, isUsageWaiting, lockOpenCutoff, rollUpDeltas } from './rollup.worker.queries.ts';

const INTERVAL_MS = 2_000;
/** Moving this many takes a tenth of a second, for which a billing run may have to wait. */
const BATCH_SIZE = 4_000;

/**
 * Rolls usage up in the background and creates partitions ahead. Any number of processes may run it; they take turns.
 * Reads are exact whether it runs or not.
 */
export function startUsageRollup(db: Db, log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: async (signal) => {
      await ensurePartitions(db);
      if (await isUsageWaiting(db)) await rollUpUsage(db, signal);
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
  await moveBatches(db, (tx) => lockOpenCutoff(tx, { whenHeld: 'skip' }), { signal });
}

/** Two transactions side by side, each with half of the companies, so that they write different rows. */
async function rollUpHalves(db: Db): Promise<void> {
  const lock = (tx: Tx) => lockOpenCutoff(tx, { share: true, whenHeld: 'wait' });
  await sideBySide([moveBatches(db, lock, { half: 0 }), moveBatches(db, lock, { half: 1 })]);
}

async function moveBatches(
  db: Db,
  lock: (tx: Tx) => Promise<number | null>,
  { half = null, signal }: { half?: 0 | 1 | null; signal?: AbortSignal | undefined },
): Promise<void> {
  let moved = BATCH_SIZE;
  while (moved >= BATCH_SIZE && !signal?.aborted) {
    moved = await transaction(db, async (tx) => {
      const cutoff = await lock(tx);
      return cutoff === null ? 0 : rollUpDeltas(tx, cutoff, { half, limit: BATCH_SIZE });
    });
  }
}

export type UsageCutoff = { number: number; closedAt: Date };

/**
 * Closes the current cutoff: all usage acknowledged so far is in it or an earlier one, and whatever commits later is in
 * a later one. A cutoff is a number, not a time, because transactions do not commit in the order of their clocks.
 */
export async function closeUsageCutoff(db: Db): Promise<UsageCutoff> {
  await rollUpHalves(db);
  return transaction(db, async (tx) => {
    const number = (await lockOpenCutoff(tx, { whenHeld: 'wait' })) ?? 0;
    while ((await rollUpDeltas(tx, number, { limit: BATCH_SIZE })) >= BATCH_SIZE);
    return { number, closedAt: await closeCutoff(tx, number) };
  });
}
