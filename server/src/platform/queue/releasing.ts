import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../background/background.ts';
import { type Db, transaction } from '../database/database.ts';
import { PROCESS_ID } from '../processes/processes.service.ts';
import { deleteDeadProcesses, isAnyDead, lockProcesses, selectDead } from '../processes/processes.worker.queries.ts';
import { type Question, whenDue } from './due/due.ts';
import type { JobTable } from './job-table.ts';
import { releaseJobs } from './release.worker.queries.ts';

const CHECK_INTERVAL_MS = 1_000;
const ANY_DEAD: Question = { name: 'dead_processes', isDue: (db) => isAnyDead(db, PROCESS_ID) };

/**
 * Releases the leases of dead processes in the background, so that other processes continue the work at once. Any number of processes may
 * do so on one database. A process that was only suspended finds that others have its work, as after an expired lease: leases save work,
 * but correctness never depends on them.
 */
export function startReleasing(db: Db, tables: readonly JobTable[], log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: () => releaseLeasesOfDead(db, tables, log),
    logFailure: (error) =>
      log.warn({ err: error }, 'the leases of dead processes could not be released; Paydesk tries again'),
    ...whenDue(db, ANY_DEAD, CHECK_INTERVAL_MS),
  });
}

/** Checks once. A dead process is checked for a minute, because some of its rows may be locked at first. */
export async function releaseLeasesOfDead(db: Db, tables: readonly JobTable[], log: FastifyBaseLogger): Promise<void> {
  const dead = await selectDead(db, PROCESS_ID);
  if (dead.length === 0) return;
  const released = await transaction(db, async (tx) => {
    const processIds = await lockProcesses(tx, dead);
    let count = 0;
    if (processIds.length === 0) return count;
    for (const table of tables) count += await releaseJobs(tx, table, processIds);
    await deleteDeadProcesses(tx, processIds);
    return count;
  });
  if (released > 0) log.info({ processIds: dead, released }, 'released the leases of dead processes');
}
