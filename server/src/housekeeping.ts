import type { FastifyBaseLogger } from 'fastify';
import { removeExpiredAccess } from './accounts/accounts.service.ts';
import type { Db } from './database/database.ts';
import { removeOldKeys } from './http/idempotency.queries.ts';

const INTERVAL_MS = 10 * 60 * 1000;

/** Removes, every ten minutes, what is kept for a time only. Any number of processes may do it. */
export function startHousekeeping(db: Db, log: FastifyBaseLogger): { stop: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = tidy(db).catch((error) => log.warn({ err: error }, 'housekeeping failed; it is tried again'));
  }, INTERVAL_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function tidy(db: Db): Promise<void> {
  await removeOldKeys(db);
  await removeExpiredAccess(db);
}
