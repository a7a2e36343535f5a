import type { FastifyBaseLogger } from 'fastify';
import type { IdHandover } from '../../../customers/companies/companies.fields.service.ts';
import { repeatEvery, type Worker } from '../../../platform/background/background.ts';
import { afterCommit, type Db, transaction } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { whenDue } from '../../../platform/queue/due/due.ts';
import { forgetFailure, noteFailure } from '../../../platform/queue/failures.service.ts';
import { ensurePartitions } from '../ingest/ingest.ts';
import { type FindPeriodsSince, findTakenUntil } from '../ingest/ingest-late.ts';
import { insertAttribution, isUsageOnItsWay } from './attribution.queries.ts';
import {
  ATTRIBUTION_JOBS,
  DUE_ATTRIBUTIONS,
  delayAttribution,
  deleteAttribution,
  lockAttribution,
  moveEvents,
  selectDueAttributions,
  updateMovedThrough,
} from './attribution.worker.queries.ts';
import { lockGivenIds } from './unattributed.operator.queries.ts';

/** So many events at a time take a fraction of the statement timeout. */
const STEP_SIZE = 5_000;
/** The answer that gives an external id waits until so many events are moved; more follow in the background. */
const BEFORE_THE_ANSWER = 10_000;
const IDLE_MS = 1_000;
const RETRY_SECONDS = 30;

type AttributionDependencies = { db: Db; findPeriodsSince: FindPeriodsSince };

/** Makes what an external id needs that a company gets or loses: the usage that waits for it becomes the company's. */
export function handOverUsage({ findPeriodsSince }: Pick<AttributionDependencies, 'findPeriodsSince'>): IdHandover {
  return {
    beforeGiven: lockGivenIds,
    given: async (tx, companyId, externalId) => {
      const events = await insertAttribution(tx, companyId, externalId);
      if (events === null || events > BEFORE_THE_ANSWER) return;
      // What fails here is left to the worker: the company has its id.
      afterCommit(tx, (db) => moveAll({ db, findPeriodsSince }, companyId).catch(() => undefined));
    },
    beforeTaken: async (tx, companyId) => {
      if (await isUsageOnItsWay(tx, companyId)) {
        throw new ApiError('usage_waiting', 'Usage that came before the company is still being moved to it.', {
          retryAfterSeconds: IDLE_MS / 1_000,
        });
      }
    },
  };
}

/**
 * Moves usage to companies in the background, in steps of which each company gets one at a time. Any number of processes may run it: each
 * event is moved once.
 */
export function startAttribution(dependencies: AttributionDependencies, log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: (signal) => attributeDue(dependencies, log, signal),
    logFailure: (error) => log.warn({ err: error }, 'usage to attribute could not be read; it will be retried'),
    ...whenDue(dependencies.db, DUE_ATTRIBUTIONS, IDLE_MS),
  });
}

/** Goes on until nothing is due. A company whose usage can't be moved delays no other. */
export async function attributeDue(
  dependencies: AttributionDependencies,
  log: FastifyBaseLogger,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = dependencies;
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const companyId of await selectDueAttributions(db)) {
      if (signal?.aborted) return;
      try {
        if (await moveStep(dependencies, companyId, { wait: false })) isMore = true;
      } catch (error) {
        log.warn({ err: error, companyId }, 'usage could not be attributed; it will be retried');
        await noteFailure(db, companyId, { kind: ATTRIBUTION_JOBS.kind, record: companyId }, error);
        await delayAttribution(db, companyId, RETRY_SECONDS);
      }
    }
  }
}

async function moveAll(dependencies: AttributionDependencies, companyId: string): Promise<void> {
  while (await moveStep(dependencies, companyId, { wait: true }));
}

/**
 * Moves some of the usage that waits for a company, in one transaction, so that a process that dies has moved all of it or nothing.
 * @returns whether there is more
 */
async function moveStep(
  { db, findPeriodsSince }: AttributionDependencies,
  companyId: string,
  { wait }: { wait: boolean },
): Promise<boolean> {
  await ensurePartitions(db);
  return transaction(db, async (tx) => {
    const attribution = await lockAttribution(tx, companyId, { wait });
    if (attribution === null) return false;
    const taken = await findTakenUntil(tx, companyId, attribution, findPeriodsSince);
    const { moved, movedThrough } = await moveEvents(tx, companyId, attribution, { taken, limit: STEP_SIZE });
    if (moved === STEP_SIZE && movedThrough !== null) {
      await updateMovedThrough(tx, companyId, attribution, movedThrough);
      return true;
    }
    await deleteAttribution(tx, companyId, attribution);
    await forgetFailure(tx, companyId, { kind: ATTRIBUTION_JOBS.kind, record: companyId });
    return false;
  });
}
