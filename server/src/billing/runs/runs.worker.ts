import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { closeUsageCutoff } from '../../metering/usage/usage.service.ts';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import { whenDue } from '../../platform/queue/due/due.ts';
import { forgetFailure, noteFailure } from '../../platform/queue/failures.service.ts';
import { hasSeller } from '../../seller/seller.service.ts';
import { billCompanies } from './batch/batch.ts';
import { type DueAt, selectDueCompanies, selectRunBacklog } from './pass/pass.worker.queries.ts';
import { findMonthEnds } from './pass/passes.ts';
import {
  type ClaimedRun,
  claimRun,
  finishPass,
  RUN_JOBS,
  RUNNING_RUNS,
  recordProgress,
  releaseRun,
  settleCutoff,
} from './pass/run.worker.queries.ts';

const IDLE_MS = 1_000;
/** Companies that are found together, and recorded together as processed. */
const BATCH_SIZE = 400;

/**
 * Starts the billing runs' worker in the background. Any number of processes may run it; a run is leased to one of them at a time, and
 * even two at one company would bill it once. With `needsSeller`, runs wait until the operator has set the seller.
 */
export function startBillingWorker(
  db: Db,
  log: FastifyBaseLogger,
  { needsSeller = false }: { needsSeller?: boolean } = {},
): Worker {
  return repeatEvery({
    work: (signal) => processNextRun(db, log, { signal, needsSeller }),
    logFailure: (error) => log.warn({ err: error }, 'a billing run was interrupted; it will continue'),
    ...whenDue(db, RUNNING_RUNS, IDLE_MS),
    firstAfterMs: IDLE_MS,
  });
}

/** Works on the pass of the next run to its end, unless another worker has it. Continues where an earlier worker stopped. */
export async function processNextRun(
  db: Db,
  log: FastifyBaseLogger,
  { signal, needsSeller = false }: { signal?: AbortSignal; needsSeller?: boolean } = {},
): Promise<void> {
  if (needsSeller && !(await hasSeller(db))) return;
  const run = await claimRun(db, uuidv7());
  if (run === null) return;
  try {
    const cutoff = run.cutoff ?? (await settleCutoff(db, run, (await closeUsageCutoff(db)).number));
    if (cutoff === null) return;
    const walked = await walkCompanies(db, { ...run, cutoff, needsSeller }, log, signal);
    if (walked === 'to_the_last') await endPass(db, run, log);
  } catch (error) {
    await noteFailure(db, null, { kind: RUN_JOBS.kind, record: run.id }, error);
    throw error;
  } finally {
    await releaseRun(db, run).catch(() => undefined); // The lease expires anyway.
  }
}

type StartedRun = ClaimedRun & { cutoff: number; needsSeller: boolean };

/** Bills company after company, until the last one, until the process stops, or until another worker has the run. */
async function walkCompanies(
  db: Db,
  run: StartedRun,
  log: FastifyBaseLogger,
  signal: AbortSignal | undefined,
): Promise<'to_the_last' | 'stopped' | 'lease_lost'> {
  const dueAt = await readDueAt(db, run);
  let afterCompanyId = run.lastCompanyId;
  while (!signal?.aborted) {
    const companyIds = await selectDueCompanies(db, dueAt, { afterCompanyId, limit: BATCH_SIZE });
    const lastCompanyId = companyIds.at(-1);
    if (lastCompanyId === undefined) return 'to_the_last';
    const { failures } = await billCompanies(db, log, companyIds, run);
    if (!(await recordProgress(db, run, { lastCompanyId, done: companyIds.length, failures }))) return 'lease_lost';
    afterCompanyId = lastCompanyId;
  }
  return 'stopped';
}

async function endPass(db: Db, run: ClaimedRun, log: FastifyBaseLogger): Promise<void> {
  const backlog = await selectRunBacklog(db, await readDueAt(db, run));
  const end = await finishPass(db, run, backlog);
  if (end === null) return;
  await forgetFailure(db, null, { kind: RUN_JOBS.kind, record: run.id });
  log.info({ period: run.period, ...end }, 'a pass of a billing run has ended');
}

async function readDueAt(db: Db, { period, asOf, withoutGrace }: ClaimedRun): Promise<DueAt> {
  return { period, asOf, withoutGrace, ends: await findMonthEnds(db, period) };
}
