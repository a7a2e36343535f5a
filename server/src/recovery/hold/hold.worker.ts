import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { whileLocked } from '../../platform/database/locks.ts';
import { correctBeginning, endHold, type HoldDependencies, notePass, readHold } from './hold.service.ts';
import { selectIsPassDue, selectIsSettled, selectJournals } from './hold.worker.queries.ts';
import { hasLasted } from './lag.ts';
import { mayEnd, type Pass } from './may-end.ts';

type HoldWatch = HoldDependencies & {
  /** Reads the journals that this process can read. */
  readJournals: (signal?: AbortSignal) => Promise<void>;
  /** Compares the database with the gateways and the journals, and changes nothing. */
  makePass: (signal?: AbortSignal) => Promise<Omit<Pass, 'isLagOver'>>;
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

/** Makes one pass if charges are held by the database. @returns whether that ended the hold, which the pass may have begun anew */
export async function watchHold(watch: Omit<HoldWatch, 'readJournals'>, signal?: AbortSignal): Promise<boolean> {
  const { db, makePass, gatewayLagSeconds } = watch;
  await correctBeginning(db);
  const hold = await readHold(db);
  if (hold === null) return false;
  const wasLagOver = hasLasted(db, hold, gatewayLagSeconds);
  const made = await makePass(signal);
  const isTheSame = (await readHold(db))?.begunAt.getTime() === hold.begunAt.getTime();
  const pass = { isLagOver: wasLagOver && isTheSame, ...made };
  await notePass(db, hold.id, { begunAt: hold.readAt, found: pass.found });
  // Another process may find something meanwhile, or that the database went back again.
  return mayEnd(pass, await selectJournals(db)) && endHold(watch, hold.id, (tx) => selectIsSettled(tx, hold));
}
