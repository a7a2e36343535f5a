import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { repeatEvery, type Worker } from '../background/background.ts';
import type { Db } from '../database/database.ts';
import {
  deleteOtherProcesses,
  deleteProcess,
  recordHeartbeat,
  selectOthersAtWork,
} from './processes.worker.queries.ts';

/** The id of this process, which its leases name. */
export const PROCESS_ID = uuidv7();

const BEAT_MS = 1_000;

/**
 * Records each second that this process lives, until it is stopped. If it can't do so in time, other processes may take over its work
 * meanwhile. @param isAlone - no other process can use this database, so the leases of earlier processes are released at once
 */
export async function startHeartbeat(db: Db, { isAlone }: { isAlone: boolean }): Promise<Worker> {
  if (isAlone) await deleteOtherProcesses(db, PROCESS_ID);
  await recordHeartbeat(db, PROCESS_ID);
  const beats = repeatEvery({
    work: () => recordHeartbeat(db, PROCESS_ID),
    logFailure: () => undefined, // While the database is unavailable, all other work reports it.
    everyMs: BEAT_MS,
    firstAfterMs: BEAT_MS,
  });
  return {
    stop: async () => {
      await beats.stop();
      // If this fails, the other processes notice it by themselves.
      await deleteProcess(db, PROCESS_ID).catch(() => undefined);
    },
  };
}

/** Waits for the next heartbeats. @returns whether another process works on this database */
export async function isAnotherProcessAtWork(db: Db): Promise<boolean> {
  const before = await selectOthersAtWork(db, PROCESS_ID);
  if (before.size === 0) return false;
  await sleep(BEAT_MS * 2.5);
  const after = await selectOthersAtWork(db, PROCESS_ID);
  return [...after].some(([id, seenAtMs]) => seenAtMs > (before.get(id) ?? Number.NEGATIVE_INFINITY));
}
