import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { removeExpiredAccess } from './accounts/accounts.service.ts';
import type { Db } from './database/database.ts';
import { removeOldEvents } from './events/events.service.ts';
import { removeOldKeys } from './http/idempotency.queries.ts';
import { removeOldNotices } from './payments/payments.notices.queries.ts';
import { removeOldDeliveries } from './webhooks/webhooks.delivery.queries.ts';

/** Not at the start itself, which has enough to do. */
const FIRST_AFTER_MS = 60 * 1000;
const INTERVAL_MS = 10 * 60 * 1000;
/** So many rows a statement stay far below the time that a statement may take. */
const BATCH_SIZE = 5_000;

/** Removes, every ten minutes, what is kept for a time only. Any number of processes may do it. */
export function startHousekeeping(db: Db, log: FastifyBaseLogger): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    for (let pauseMs = FIRST_AFTER_MS; await pause(pauseMs, stopping.signal); pauseMs = INTERVAL_MS) {
      const failed = (error: unknown) => log.warn({ err: error }, 'housekeeping failed; it is tried again');
      await tidy(db, stopping.signal).catch(failed);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** One round, in batches until nothing is left. */
export async function tidy(db: Db, signal?: AbortSignal): Promise<void> {
  for (const remove of [removeOldKeys, removeExpiredAccess, removeOldDeliveries, removeOldEvents, removeOldNotices]) {
    while (!signal?.aborted && (await remove(db, BATCH_SIZE)) >= BATCH_SIZE);
  }
}

/** False when it was ended early. */
async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  return sleep(durationMs, true, { signal, ref: false }).catch(() => false);
}
