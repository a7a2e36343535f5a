import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { correctBeginning, endHold, type HoldDependencies, notePass, readHold } from './hold.service.ts';
import { selectJournals } from './hold.worker.queries.ts';
import { mayEnd, type Pass } from './may-end.ts';

type HoldWatch = HoldDependencies & {
  /** Compares the database with the gateways and the journals, and changes nothing. */
  makePass: (signal?: AbortSignal) => Promise<Omit<Pass, 'begunAt'>>;
  marksCheckSeconds: number;
  gatewayLagSeconds: number;
};

/** Makes passes during a hold, and ends it after one that allows it. Any number of processes may do so. */
export function startHoldWatcher(watch: HoldWatch, log: FastifyBaseLogger): Worker {
  const everyMs = watch.marksCheckSeconds * 1_000;
  return repeatEvery({
    work: async (signal) => {
      await watchHold(watch, signal);
    },
    logFailure: (error) => log.warn({ err: error }, 'a pass during the hold failed; it will be retried'),
    everyMs,
    firstAfterMs: everyMs,
  });
}

/** Makes one pass if charges are held by the database. @returns whether that ended the hold */
export async function watchHold(watch: HoldWatch, signal?: AbortSignal): Promise<boolean> {
  const { db, makePass, gatewayLagSeconds } = watch;
  await correctBeginning(db);
  const hold = await readHold(db);
  if (hold === null) return false;
  const pass = { begunAt: hold.readAt, ...(await makePass(signal)) };
  await notePass(db, hold.id, pass);
  const isOver = mayEnd(hold, pass, await selectJournals(db), gatewayLagSeconds);
  return isOver && endHold(watch, hold.id);
}
