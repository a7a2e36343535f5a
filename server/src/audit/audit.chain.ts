import type { Logger } from 'pino';
import { repeatEvery, type Worker } from '../platform/background/background.ts';
import type { Db, Queryable } from '../platform/database/database.ts';
import { chainEntries } from './audit.queries.ts';
import { findPendingCompanies } from './audit.worker.queries.ts';

/*
 * An entry is written in the transaction of its change and gets its place in the chain after the commit (decision 0029): by this worker, or
 * by whoever reads the log first.
 */

const ROUND_MS = 500;
const COMPANIES_PER_READ = 100;
const ENTRIES_AT_ONCE = 500;

/** Chains what is committed. Any number of processes may do so. */
export function startChaining(db: Db, logger: Pick<Logger, 'warn'>): Worker {
  return repeatEvery({
    work: (signal) => chainAll(db, signal),
    logFailure: (error) =>
      logger.warn({ err: error }, 'entries of the audit log could not be chained; they are tried again'),
    everyMs: ROUND_MS,
  });
}

/** Chains every entry of the company that is committed. */
export async function chainCompany(db: Queryable, companyId: string, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await chainEntries(db, companyId, ENTRIES_AT_ONCE)) === ENTRIES_AT_ONCE);
}

/** Chains every entry of all companies that is committed. */
export async function chainAll(db: Queryable, signal?: AbortSignal): Promise<void> {
  let last: string | null = null;
  let companies: string[];
  do {
    companies = await findPendingCompanies(db, last, COMPANIES_PER_READ);
    for (const companyId of companies) await chainCompany(db, companyId, signal);
    last = companies.at(-1) ?? null;
  } while (companies.length === COMPANIES_PER_READ && !signal?.aborted);
}
