import type { FastifyBaseLogger } from 'fastify';
import { catchUpJournal } from '../../continuity/journal/journal.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import type { ConfiguredGateway, Gateways } from '../../gateways/gateways.ts';
import { repeatRounds, type Worker } from '../../platform/background/background.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { hasCode } from '../../platform/errors.ts';
import { whenDue } from '../../platform/queue/due/due.ts';
import { noteFailure } from '../../platform/queue/failures.service.ts';
import { type OpenJob, type OutcomeQueue, postponeCheck } from './outcomes.queries.ts';
import { claimDue, openJobsOf, selectGatewaysWithOpenJobs } from './outcomes.worker.queries.ts';

const BATCH_SIZE = 10;
/** The next check of a job that met a hold; it uses up none of the job's delays. */
const HELD_CHECK_SECONDS = 5;

/** What a check found out: the outcome, which is written, none yet, or that it waits for somebody, as it should. */
export type Finding = 'decided' | 'undecided' | 'waiting';

/** How the reconciler finds out the outcomes of one kind of job. */
export type Reconciler<Row extends object, Job extends OpenJob> = {
  /** The name of the kind in logs. */
  name: 'payment' | 'refund' | 'confirmation' | 'debit';
  queue: OutcomeQueue<Row, Job>;
  everyMs: number;
  /** The delay before the next check, after each check that found no outcome. After the last one the job goes under review, if it may. */
  checkDelaysSeconds: readonly number[];
  /** Asks the gateway, and writes the outcome. @throws GatewayError */
  findOut: (db: Db, gateway: ConfiguredGateway, job: Job) => Promise<Finding>;
  /** Acts on a gateway's error. Without this function no error decides anything. */
  applyError?: (db: Db, gateway: ConfiguredGateway, job: Job, error: GatewayError) => Promise<Finding>;
  /** Puts the job under review. Null: the last delay repeats. */
  writeUnresolved: ((tx: Tx, job: Job) => Promise<void>) | null;
  paymentIdOf: (job: Job) => string;
  /** Claims of jobs before their next check is due; without them there are none. */
  earlyChecks?: {
    /** Claims one job of the gateway from time to time. */
    claimProbe: (db: Db, gateway: string) => Promise<Job[]>;
    claimWaiting: (db: Db, batch: { gateway: string; limit: number }) => Promise<Job[]>;
  };
};

type Dependencies = { db: Db; gateways: Gateways };

/**
 * Starts to find out, in the background, the outcomes of payments or refunds whose process died or whose answer was lost. Any number of
 * reconcilers may run on one database; each job is leased to one of them at a time. Each gateway has passes of its own, so one that hangs
 * delays its own jobs and no others.
 */
export function startReconciler<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  dependencies: Dependencies,
  log: FastifyBaseLogger,
): Worker {
  const { name, queue, everyMs } = reconciler;
  return repeatRounds({
    find: () => selectGatewaysWithOpenJobs(dependencies.db, queue),
    work: async (gateway, signal) => {
      let dueCount: number;
      do dueCount = await reconcileAt(reconciler, dependencies, log, { gateway, signal });
      while (dueCount >= BATCH_SIZE && !signal.aborted);
    },
    logFailure: (error) => log.error({ err: error }, `the reconciler could not read its ${name}s`),
    ...whenDue(dependencies.db, openJobsOf(queue), everyMs),
  });
}

/**
 * Checks once the jobs that are due at a gateway, up to a batch. When none is due, it tries from time to time one that waits. As soon as
 * the gateway answers, everything that waits there is checked, since the gateway may have been away.
 * @returns how many were due
 */
export async function reconcileAt<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  { db, gateways }: Dependencies,
  log: FastifyBaseLogger,
  { gateway, signal }: { gateway: string; signal?: AbortSignal },
): Promise<number> {
  const { queue, earlyChecks } = reconciler;
  const batch = { gateway, limit: BATCH_SIZE };
  const checkAll = async (jobs: readonly Job[], areDue: boolean) => {
    const checks = jobs.map((job) =>
      reconcile(reconciler, { db, gateway: gateways.of(job.gateway), log }, job, areDue),
    );
    return (await Promise.all(checks)).some((checked) => checked !== 'no_answer');
  };
  const due = await claimDue(db, queue, batch);
  // Their process may have died before its journal had them.
  if (due.length > 0) await catchUpJournal(db);
  let answers = await checkAll(due, true);
  if (earlyChecks === undefined) return due.length;
  if (due.length === 0) answers = await checkAll(await earlyChecks.claimProbe(db, gateway), false);
  while (answers && !signal?.aborted) answers = await checkAll(await earlyChecks.claimWaiting(db, batch), false);
  return due.length;
}

/** `no_answer`: the gateway gave none. */
type Checked = Finding | 'no_answer';

type CheckContext = { db: Db; gateway: ConfiguredGateway; log: FastifyBaseLogger };

/** Makes one check, which moves the schedule on only when it was due. Never rejects. */
async function reconcile<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  { db, gateway, log }: CheckContext,
  job: Job,
  isDue: boolean,
): Promise<Checked> {
  const { name, queue } = reconciler;
  const checkLater = async () => {
    if (isDue) await scheduleNextCheck(reconciler, db, job);
  };
  try {
    const checked = await check(reconciler, { db, gateway, log }, job);
    if (checked !== 'decided') await checkLater();
    return checked;
  } catch (error) {
    if (hasCode(error, 'charges_held')) {
      if (isDue) await postponeCheck(db, job.companyId, queue, job, HELD_CHECK_SECONDS).catch(() => undefined);
      return 'no_answer';
    }
    log.error({ err: error, ...idsOf(reconciler, job) }, `a ${name} could not be reconciled`);
    await noteFailure(db, job.companyId, { kind: queue.name, record: job.id }, error);
    await checkLater().catch(() => undefined);
    return 'no_answer';
  }
}

async function check<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  { db, gateway, log }: CheckContext,
  job: Job,
): Promise<Checked> {
  const failed = { kind: reconciler.queue.name, record: job.id };
  try {
    const finding = await reconciler.findOut(db, gateway, job);
    if (finding === 'undecided') await noteFailure(db, job.companyId, failed, 'The gateway knows no outcome yet.');
    return finding;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await noteFailure(db, job.companyId, failed, error);
    const outage = await alertOutage(db, { ...job, id: reconciler.paymentIdOf(job) }, error.kind);
    if (outage !== null) log.error(idsOf(reconciler, job), outage);
    const finding = (await reconciler.applyError?.(db, gateway, job, error)) ?? 'undecided';
    const isAnswer = error.kind === 'rejected' || error.kind === 'conflict';
    return finding === 'undecided' && !isAnswer ? 'no_answer' : finding;
  }
}

/** The ids under which logs show the job. */
function idsOf<Row extends object, Job extends OpenJob>({ name }: Reconciler<Row, Job>, { companyId, id }: Job) {
  return { companyId, [`${name}Id`]: id };
}

/** Plans the next check, or puts the job under review after the last one. Leaves a job alone when another process has its lease. */
async function scheduleNextCheck<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  db: Db,
  job: Job,
): Promise<void> {
  const { checkDelaysSeconds, writeUnresolved } = reconciler;
  const last = writeUnresolved === null ? checkDelaysSeconds.at(-1) : undefined;
  const seconds = checkDelaysSeconds[job.reconcileCount] ?? last;
  if (seconds === undefined) await settleUnresolved(reconciler, db, job);
  else await postponeCheck(db, job.companyId, reconciler.queue, job, seconds);
}

/** Puts the job under review, since no check found its outcome, unless another process has its lease. */
export async function settleUnresolved<Row extends object, Job extends OpenJob>(
  { queue, writeUnresolved }: Reconciler<Row, Job>,
  db: Db,
  job: Job,
): Promise<void> {
  await transaction(db, async (tx) => {
    const isStillOurs = await postponeCheck(tx, job.companyId, queue, job, 0);
    if (isStillOurs) await writeUnresolved?.(tx, job);
  });
}
