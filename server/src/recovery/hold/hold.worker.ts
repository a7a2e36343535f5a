import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { whileLocked } from '../../platform/database/locks.ts';
import { endHold, type HoldDependencies, readHold } from './hold.service.ts';
import { selectIsPassDue, selectMayEnd, updateLastPass } from './hold.worker.queries.ts';

type HoldWatch = HoldDependencies & {
  /** Reads the journals that this process can read. */
  readJournals: (signal?: AbortSignal) => Promise<void>;
  /** Compares the database with the gateways and the journals. `settled`: the journals that were read or given up before the gateways. */
  makePass: (signal?: AbortSignal) => Promise<{ found: number; settled: readonly string[] }>;
  marksCheckSeconds: number;
  gatewayLagSeconds: number;
};

/** A process makes the next pass a little early rather than leaving it to the next time. */
const OF_INTERVAL = 0.9;

/**
 * Reads the journals of this machine during a hold, makes passes, and ends it after one that allows it. Any number of processes may do so;
 * one at a time makes a pass, since it may list everything that a gateway has.
 */
export function startHoldWatcher(watch: HoldWatch, log: FastifyBaseLogger): Worker {
  const everyMs = watch.marksCheckSeconds * 1_000;
  return repeatEvery({
    work: async (signal) => {
      await watch.readJournals(signal);
      await whileLocked(watch.db, 'recovery_passes', async () => {
        if (await selectIsPassDue(watch.db, watch.marksCheckSeconds * OF_INTERVAL)) await watchHold(watch, signal);
      });
    },
    logFailure: (error) => log.warn({ err: error }, 'a pass during the hold failed; it will be retried'),
    everyMs,
    firstAfterMs: everyMs,
  });
}

/**
 * Makes one pass if charges are held by the database. It ends the hold if it found nothing, began when the gateways showed all that was
 * requested before the hold, and each journal was read before or is given up. @returns whether that ended the hold, and what was found
 */
export async function watchHold(
  watch: Omit<HoldWatch, 'readJournals' | 'marksCheckSeconds'>,
  signal?: AbortSignal,
): Promise<{ hasEnded: boolean; found: number }> {
  const { db, makePass, gatewayLagSeconds } = watch;
  const hold = await readHold(db);
  if (hold === null) return { hasEnded: false, found: 0 };
  const { found, settled } = await makePass(signal);
  await updateLastPass(db, hold.id, { begunAt: hold.readAt, found });
  const isLagOver = hold.readAt.getTime() - hold.begunAt.getTime() >= gatewayLagSeconds * 1_000;
  // Another process may find something meanwhile, or that the database went back again.
  const mayEnd = found === 0 && isLagOver;
  const hasEnded = mayEnd && (await endHold(watch, hold.id, (tx) => selectMayEnd(tx, { ...hold, settled })));
  return { hasEnded, found };
}
