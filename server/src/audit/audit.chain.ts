import type { Logger } from 'pino';
import { repeatEvery, type Worker } from '../platform/background/background.ts';
import type { Db, Queryable } from '../platform/database/database.ts';
import { whenDue } from '../platform/queue/due/due.ts';
import { chainEntries } from './audit.queries.ts';
import { chainPending, PENDING_ENTRIES } from './audit.worker.queries.ts';

/*
 * An entry is written in the transaction of its change and gets its position in the chain after the commit (decision 29): by this
 * worker, or by whoever reads the log first.
 */

const ROUND_MS = 500;
const ENTRIES_AT_ONCE = 500;
/** A round takes few entries of each company together with those of others: their commits would cost more than the entries. */
const TOGETHER = { companies: 100, most: 50 };

/** Chains what is committed. Any number of processes may do so. */
export function startChaining(db: Db, logger: Pick<Logger, 'warn'>): Worker {
  return repeatEvery({
    work: (signal) => chainAll(db, signal),
    logFailure: (error) =>
      logger.warn({ err: error }, 'entries of the audit log could not be chained; Paydesk tries again'),
    ...whenDue(db, PENDING_ENTRIES, ROUND_MS),
  });
}

/** Chains every entry of the company that is committed. */
export async function chainCompany(db: Queryable, companyId: string, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await chainEntries(db, companyId, ENTRIES_AT_ONCE)) === ENTRIES_AT_ONCE);
}

/** Chains every entry of all companies that is committed. */
export async function chainAll(db: Queryable, signal?: AbortSignal): Promise<void> {
  let last: string | null = null;
  let found: Awaited<ReturnType<typeof chainPending>>;
  do {
    found = await chainPending(db, last, TOGETHER);
    for (const { companyId, chained } of found)
      if (chained === TOGETHER.most) await chainCompany(db, companyId, signal);
    last = found.at(-1)?.companyId ?? null;
  } while (found.length === TOGETHER.companies && !signal?.aborted);
}
