import { v7 as uuidv7 } from 'uuid';
import { repeatEvery, type Worker } from '../background/background.ts';
import type { Db } from '../database/database.ts';
import { forgetProcess, giveUpOthers, noteAlive } from './processes.worker.queries.ts';

/** This process, as what it has in hand names it. */
export const PROCESS_ID = uuidv7();

const BEAT_MS = 1_000;

/**
 * Says each second that this process lives, until it is stopped. What it could not say in time it says as soon as it can; in the
 * meantime others may take its work for left behind.
 * @param isAlone - nobody else can be at work on this database: what earlier processes had in hand is left behind at once
 */
export async function startHeartbeat(db: Db, { isAlone }: { isAlone: boolean }): Promise<Worker> {
  if (isAlone) await giveUpOthers(db, PROCESS_ID);
  await noteAlive(db, PROCESS_ID);
  const beats = repeatEvery({
    work: () => noteAlive(db, PROCESS_ID),
    logFailure: () => undefined, // While the database is away, all other work says so.
    everyMs: BEAT_MS,
    firstAfterMs: BEAT_MS,
  });
  return {
    stop: async () => {
      await beats.stop();
      // Otherwise the others find out.
      await forgetProcess(db, PROCESS_ID).catch(() => undefined);
    },
  };
}
