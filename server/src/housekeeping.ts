import type { FastifyBaseLogger } from 'fastify';
import { removeExpiredAccess } from './accounts/accounts.service.ts';
import { repeat, type Worker } from './background.ts';
import { removeOldPreviews } from './billing-previews/billing-previews.operator.queries.ts';
import type { Db } from './database/database.ts';
import { removeOldEvents } from './events/events.service.ts';
import { removeClosedCollections, removeOldAlerts, removeOldUsage } from './housekeeping.queries.ts';
import { removeOldKeys } from './http/idempotency.queries.ts';
import { closeLedgerHours } from './ledger/ledger.service.ts';
import { removeOldAskedCharges } from './card-testing/card-testing.queries.ts';
import { removeOldNotices } from './payments/payments.notices.queries.ts';
import { removeOldDeliveries } from './webhooks/webhooks.delivery.queries.ts';

/** Not at the start itself, which has enough to do. */
const FIRST_AFTER_MS = 60 * 1000;
const INTERVAL_MS = 10 * 60 * 1000;
/** So many rows a statement stay far below the time that a statement may take. */
const BATCH_SIZE = 5_000;

export type HousekeepingDependencies = { db: Db; usageRetentionYears: number };

/** Removes, every ten minutes, what is kept for a time only, and closes the hours of the ledger. Any number of processes may do it. */
export function startHousekeeping(dependencies: HousekeepingDependencies, log: FastifyBaseLogger): Worker {
  const failed = (error: unknown) => log.warn({ err: error }, 'housekeeping failed; it is tried again');
  return repeat(
    async (signal) => {
      await tidy(dependencies, signal).catch(failed);
      return INTERVAL_MS;
    },
    { firstAfterMs: FIRST_AFTER_MS },
  );
}

/** One round, in batches until nothing is left. */
export async function tidy({ db, usageRetentionYears }: HousekeepingDependencies, signal?: AbortSignal): Promise<void> {
  const removeUsage = (pool: Db, limit: number) => removeOldUsage(pool, usageRetentionYears, limit);
  for (const remove of [
    removeOldKeys,
    removeExpiredAccess,
    removeOldDeliveries,
    removeOldEvents,
    removeOldNotices,
    removeOldAskedCharges,
    removeClosedCollections,
    removeOldAlerts,
    removeUsage,
    removeOldPreviews,
  ]) {
    while (!signal?.aborted && (await remove(db, BATCH_SIZE)) >= BATCH_SIZE);
  }
  await closeLedgerHours(db, signal);
}
