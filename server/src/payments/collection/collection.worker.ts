import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { pause, repeatRounds, type Worker } from '../../platform/background/background.ts';
import { hasCode } from '../../platform/errors.ts';
import { whenDue } from '../../platform/queue/due/due.ts';
import { noteFailure } from '../../platform/queue/failures.service.ts';
import { runPool } from '../../platform/queue/pool.ts';
import { type CollectionDependencies, collect, type GatewayResponse } from './collection.collect.ts';
import { type DueCollection, shortenLease } from './collection.queries.ts';
import { COLLECTION_JOBS, claimDue, dueCollections, selectDueGateways } from './collection.worker.queries.ts';

const IDLE_MS = 1_000;
/** While a gateway is away, one attempt in this time is made there; its other invoices wait. */
const PROBE_INTERVAL_MS = 30_000;
/** How many attempts one process makes at a time at a gateway. */
const CONCURRENCY = 8;
/** The least time between two attempts of a process, at any gateway, so that thousands of due invoices leave capacity for requests. */
const PACE_MS = 40;

/**
 * Starts the collection in the background. Any number of processes may run it; each attempt is made once. Each gateway has passes of its
 * own, so one that is slow or away delays its own invoices and no others.
 */
export function startCollector(dependencies: CollectionDependencies, log: FastifyBaseLogger): Worker {
  const { db, clock } = dependencies;
  const waitForTurn = createPace(PACE_MS);
  const collectAt = async (gateway: string, signal: AbortSignal) => {
    let isAway = false;
    do {
      ({ isAway } = await collectDue(dependencies, log, { gateway, isProbe: isAway, waitForTurn, signal }));
    } while (isAway && (await pause(PROBE_INTERVAL_MS, signal)));
  };
  return repeatRounds({
    find: () => selectDueGateways(db, clock()),
    work: collectAt,
    logFailure: (error) => log.error({ err: error }, 'the collection could not read what is due'),
    ...whenDue(db, dueCollections(clock), IDLE_MS),
    firstAfterMs: IDLE_MS,
  });
}

type Round = {
  gateway: string;
  /** Whether the gateway was away at the last try. Then one attempt is made at a time until one gets an answer. */
  isProbe?: boolean;
  waitForTurn?: WaitForTurn;
  signal?: AbortSignal;
};

type Claimed = { due: DueCollection; lease: string };

const NEVER = new AbortController().signal;

/**
 * Collects everything that is due at a gateway, some at a time, the longest due first. Stops early when the gateway gives no answer: the
 * rest stays due, and a single attempt finds out whether the gateway is back.
 */
export async function collectDue(
  dependencies: CollectionDependencies,
  log: FastifyBaseLogger,
  { gateway, isProbe = false, waitForTurn = async () => undefined, signal = NEVER }: Round,
): Promise<{ isAway: boolean }> {
  const { db, clock } = dependencies;
  let concurrency = isProbe ? 1 : CONCURRENCY;
  let isAway = false;
  const claim = async (): Promise<Claimed[] | null> => {
    await waitForTurn(signal);
    if (isAway || signal.aborted) return null;
    const lease = uuidv7();
    const due = await claimDue(db, { gateway, now: clock(), lease });
    return due === null ? [] : [{ due, lease }];
  };
  const perform = async (claimed: Claimed): Promise<void> => {
    const response = await tryToCollect(dependencies, log, claimed);
    if (response === 'no_answer') isAway = true;
    if (response === 'answered') concurrency = CONCURRENCY;
  };
  // Something may be due again while others are tried, by a card that was saved in the meantime.
  await runPool(
    { claim, perform, atOnce: () => concurrency, claimedAtOnce: 1, idleMs: IDLE_MS, endsWhenIdle: true },
    signal,
  );
  return { isAway };
}

/** Never rejects: after an error another worker tries again some seconds later. */
async function tryToCollect(
  dependencies: CollectionDependencies,
  log: FastifyBaseLogger,
  { due, lease }: Claimed,
): Promise<GatewayResponse> {
  const { db } = dependencies;
  const { companyId, invoiceId } = due;
  const job = { kind: COLLECTION_JOBS.kind, record: invoiceId };
  try {
    const response = await collect(dependencies, due);
    if (response === 'no_answer') await noteFailure(db, companyId, job, `No answer from the gateway ${due.gateway}.`);
    return response;
  } catch (error) {
    await shortenLease(db, companyId, { invoiceId, lease }).catch(() => undefined); // The lease expires anyway.
    if (hasCode(error, 'charges_held')) return 'not_asked';
    log.error({ err: error, companyId, invoiceId }, 'an invoice could not be collected; it will be retried');
    await noteFailure(db, companyId, job, error);
    return 'not_asked';
  }
}

type WaitForTurn = (signal?: AbortSignal) => Promise<void>;

/** Lets callers proceed one after the other, at least this far apart, or all at once when the signal aborts. */
function createPace(paceMs: number): WaitForTurn {
  let nextMs = performance.now();
  return async (signal) => {
    const waitMs = Math.max(0, nextMs - performance.now());
    nextMs = performance.now() + waitMs + paceMs;
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  };
}
