import { selectPeriodsSince } from './billing/periods/periods.operator.queries.ts';
import { runUnlessHeld } from './continuity/hold/workers-unless-held.ts';
import { FEATURES, JOB_TABLES, openMails, type ServiceContext, type WorkContext } from './features.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Worker } from './platform/background/background.ts';
import { startReleasing } from './platform/queue/releasing.ts';
import { startSchedules } from './platform/queue/schedules/schedules.ts';

/**
 * Starts all work in the background. Any number of processes may do all of it on one database, and one that dies loses nothing: what is
 * to be done stands in the tables until it is done.
 */
export function startWorkers(service: ServiceContext): Worker {
  const work = { ...service, findPeriodsSince: selectPeriodsSince };
  const context: WorkContext = { ...work, mails: openMails(work) };
  const { config, db, logger, chargesHold } = context;
  const workers: Worker[] = [
    runUnlessHeld(chargesHold, () => FEATURES.flatMap((feature) => feature.workersHeldWithCharges?.(context) ?? [])),
    ...FEATURES.flatMap((feature) => feature.workers?.(context) ?? []),
    startReleasing(db, JOB_TABLES, logger),
    startHousekeeping({ db, usageRetentionYears: config.usageRetentionYears }, logger),
    startSchedules(
      db,
      FEATURES.flatMap((feature) => feature.schedules?.(context) ?? []),
      logger,
    ),
  ];
  return {
    stop: async () => {
      await Promise.all(workers.map(({ stop }) => stop()));
    },
  };
}

/** What waits to be done in the background, of all features: for the metrics. */
export const WORK_QUEUES = FEATURES.flatMap(({ workQueues }) => workQueues ?? []);
