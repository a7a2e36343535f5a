import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { repeat, type Worker } from '../background.ts';
import { type CollectionDependencies, collect } from './collection.collect.ts';
import { claimDue, shortenLease } from './collection.queries.ts';

const IDLE_MS = 1_000;
/** While the gateway is away, one attempt is made this often; the others wait for it. */
const AWAY_MS = 30_000;
/** How many attempts one process makes at a time. */
const CONCURRENCY = 8;
/** No oftener does it begin one, and never several at once, so that thousands of due invoices leave the process to its requests. */
const PACE_MS = 40;

/** Collects what is due, in the background. Any number of processes may; each attempt is made once. */
export function startCollector(dependencies: CollectionDependencies, log: FastifyBaseLogger): Worker {
  let isAway = false;
  return repeat(
    async (signal) => {
      try {
        const concurrency = isAway ? 1 : CONCURRENCY;
        ({ isAway } = await collectDue(dependencies, log, { concurrency, paceMs: PACE_MS, signal }));
      } catch (error) {
        log.error({ err: error }, 'the collection could not read what is due');
      }
      return isAway ? AWAY_MS : IDLE_MS;
    },
    { firstAfterMs: IDLE_MS },
  );
}

/**
 * Collects everything that is due, some at a time, the longest due first. Ends early when the gateway gives no answer: what is due
 * stays so, and one attempt tells whether it is back.
 */
export async function collectDue(
  dependencies: CollectionDependencies,
  log: FastifyBaseLogger,
  {
    concurrency = CONCURRENCY,
    paceMs = 0,
    signal,
  }: { concurrency?: number; paceMs?: number; signal?: AbortSignal } = {},
): Promise<{ isAway: boolean }> {
  const { db, clock } = dependencies;
  let isAway = false;
  let nextBeginMs = performance.now();
  const waitForTurn = async () => {
    const waitMs = Math.max(0, nextBeginMs - performance.now());
    nextBeginMs = performance.now() + waitMs + paceMs;
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  };
  const runner = async () => {
    for (;;) {
      await waitForTurn();
      if (isAway || signal?.aborted) return;
      const lease = uuidv7();
      const due = await claimDue(db, clock(), lease);
      if (due === null) return;
      try {
        if ((await collect(dependencies, due)).isAway) isAway = true;
      } catch (error) {
        const { companyId, invoiceId } = due;
        log.error({ err: error, companyId, invoiceId }, 'an invoice could not be collected; it is tried again');
        await shortenLease(db, companyId, { invoiceId, lease }).catch(() => undefined); // It runs out by itself.
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runner));
  return { isAway };
}
