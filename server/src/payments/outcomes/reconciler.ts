import type { FastifyBaseLogger } from 'fastify';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { repeatRounds, type Worker } from '../../platform/background/background.ts';
import type { Db } from '../../platform/database/database.ts';
import { type OpenJob, type OutcomeQueue, postponeLook } from './outcomes.queries.ts';
import { claimDue, selectAwaitedGateways } from './outcomes.worker.queries.ts';

const BATCH_SIZE = 10;

/** How the outcomes of one kind are found out. */
export type Reconciler<Row extends object, Job extends OpenJob> = {
  /** As logs call one. */
  name: 'payment' | 'refund';
  queue: OutcomeQueue<Row, Job>;
  everyMs: number;
  /** When to look again, after each look that brought no outcome; after the last one a person has to look. */
  nextLookSeconds: readonly number[];
  /** Asks the gateway, and writes down what it says. @returns false when there is no outcome yet. @throws GatewayError */
  findOut: (db: Db, gateway: Gateway, job: Job) => Promise<boolean>;
  /** Whether this answer of the gateway is an end; without it none is. */
  applyFailure?: (db: Db, gateway: Gateway, job: Job, error: GatewayError) => Promise<boolean>;
  /** Leaves it to a person, unless its lease went to somebody else. */
  settleUnresolved: (db: Db, job: Job) => Promise<void>;
  paymentIdOf: (job: Job) => string;
  /** Claims of what is looked at before its turn; without them nothing is. */
  outOfTurn?: {
    /** One of the gateway's, now and then. */
    claimProbe: (db: Db, gateway: string) => Promise<Job[]>;
    claimWaiting: (db: Db, batch: { gateway: string; limit: number }) => Promise<Job[]>;
  };
};

type Dependencies = { db: Db; gateways: Gateways };

/**
 * Finds out, in the background, what became of payments or refunds whose request died or whose answer was lost. Any number may run on
 * one database; each is its own job, leased to one of them at a time. Each gateway has rounds of its own: one that hangs holds up
 * what waits for it and nothing else.
 */
export function startReconciler<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  dependencies: Dependencies,
  log: FastifyBaseLogger,
): Worker {
  const { name, queue, everyMs } = reconciler;
  return repeatRounds({
    find: () => selectAwaitedGateways(dependencies.db, queue),
    work: async (gateway, signal) => {
      let lookedAt: number;
      do lookedAt = await reconcileAt(reconciler, dependencies, log, { gateway, signal });
      while (lookedAt === BATCH_SIZE && !signal.aborted);
    },
    logFailure: (error) => log.error({ err: error }, `the reconciler could not read its ${name}s`),
    everyMs,
  });
}

/**
 * Looks once at those whose turn it is at a gateway, up to a batch; when there are none, at one that waits for it, now and then. As soon
 * as the gateway answers, everything that waits for it is looked at: it may have been away.
 * @returns how many had their turn
 */
export async function reconcileAt<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  { db, gateways }: Dependencies,
  log: FastifyBaseLogger,
  { gateway, signal }: { gateway: string; signal?: AbortSignal },
): Promise<number> {
  const { queue, outOfTurn } = reconciler;
  const batch = { gateway, limit: BATCH_SIZE };
  const lookAtAll = async (jobs: readonly Job[], isTheirTurn: boolean) => {
    const looks = jobs.map((job) =>
      reconcile(reconciler, { db, gateway: gateways.of(job.gateway), log }, job, isTheirTurn),
    );
    return (await Promise.all(looks)).includes(true);
  };
  const due = await claimDue(db, queue, batch);
  let answers = await lookAtAll(due, true);
  if (outOfTurn === undefined) return due.length;
  if (due.length === 0) answers = await lookAtAll(await outOfTurn.claimProbe(db, gateway), false);
  while (answers && !signal?.aborted) answers = await lookAtAll(await outOfTurn.claimWaiting(db, batch), false);
  return due.length;
}

type Look = { db: Db; gateway: Gateway; log: FastifyBaseLogger };

/** One look, which changes the schedule when it was its turn. It never rejects. @returns whether the gateway answered */
async function reconcile<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  { db, gateway, log }: Look,
  job: Job,
  isItsTurn: boolean,
): Promise<boolean> {
  const { name } = reconciler;
  const lookLater = async () => {
    if (isItsTurn) await lookAgainLater(reconciler, db, job);
  };
  try {
    const { answered, decided } = await look(reconciler, { db, gateway, log }, job);
    if (!decided) await lookLater();
    return answered;
  } catch (error) {
    log.error({ err: error, ...idsOf(reconciler, job) }, `a ${name} could not be reconciled`);
    await lookLater().catch(() => undefined);
    return false;
  }
}

async function look<Row extends object, Job extends OpenJob>(
  reconciler: Reconciler<Row, Job>,
  { db, gateway, log }: Look,
  job: Job,
): Promise<{ answered: boolean; decided: boolean }> {
  try {
    return { answered: true, decided: await reconciler.findOut(db, gateway, job) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const outage = await alertOutage(db, { ...job, id: reconciler.paymentIdOf(job) }, error.kind);
    if (outage !== null) log.error(idsOf(reconciler, job), outage);
    const answered = error.kind === 'rejected' || error.kind === 'conflict';
    return { answered, decided: (await reconciler.applyFailure?.(db, gateway, job, error)) ?? false };
  }
}

/** As logs name it. */
function idsOf<Row extends object, Job extends OpenJob>({ name }: Reconciler<Row, Job>, { companyId, id }: Job) {
  return { companyId, [`${name}Id`]: id };
}

/** After the last look a person has to. What this process no longer holds the lease of is left alone. */
async function lookAgainLater<Row extends object, Job extends OpenJob>(
  { queue, nextLookSeconds, settleUnresolved }: Reconciler<Row, Job>,
  db: Db,
  job: Job,
): Promise<void> {
  const seconds = nextLookSeconds[job.reconcileCount];
  if (seconds === undefined) await settleUnresolved(db, job);
  else await postponeLook(db, job.companyId, queue, job, seconds);
}
