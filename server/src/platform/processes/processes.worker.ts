import type { FastifyBaseLogger } from 'fastify';
import { repeatEvery, type Worker } from '../background/background.ts';
import { type Db, transaction } from '../database/database.ts';
import type { ReleaseLeases } from '../feature/feature.ts';
import { PROCESS_ID } from './processes.service.ts';
import { forgetDead, lockProcesses, selectDead } from './processes.worker.queries.ts';

const LOOK_MS = 1_000;

/**
 * Releases, in the background, what dead processes have in hand, for others to go on with at once. Any number may run on one database.
 * A process that only stood still finds its work in other hands, as after a lease that has run out: a lease saves work, and nothing is
 * safe because of one.
 */
export function startReleasing(db: Db, releases: readonly ReleaseLeases[], log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: () => releaseLeasesOfDead(db, releases, log),
    logFailure: (error) =>
      log.warn({ err: error }, 'the leases of dead processes could not be released; it will be retried'),
    everyMs: LOOK_MS,
  });
}

/** One look. A process that is dead is looked at for a minute, because of what was locked at first. */
export async function releaseLeasesOfDead(
  db: Db,
  releases: readonly ReleaseLeases[],
  log: FastifyBaseLogger,
): Promise<void> {
  const dead = await selectDead(db, PROCESS_ID);
  if (dead.length === 0) return;
  const released = await transaction(db, async (tx) => {
    const processIds = await lockProcesses(tx, dead);
    let count = 0;
    if (processIds.length === 0) return count;
    for (const release of releases) count += await release(tx, processIds);
    await forgetDead(tx, processIds);
    return count;
  });
  if (released > 0) log.info({ processIds: dead, released }, 'released the leases of dead processes');
}
