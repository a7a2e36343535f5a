import { v7 as uuidv7 } from 'uuid';
import { periodOf } from '../billing-periods/billing-periods.service.ts';
import type { Queryable, Tx } from '../database/database.ts';
import { ApiError, notFound } from '../errors.ts';
import {
  type BillingRunRow,
  selectRun,
  selectRunPage,
  selectUnpricedPaths,
  startRun,
} from './billing-runs.run.queries.ts';
import type { BillingRun, BillingRunQuery, BillingRunSummary } from './billing-runs.schema.ts';

/** Where a month ends last. */
const LAST_TIMEZONE = 'Etc/GMT+12';
const MAX_UNPRICED_PATHS = 1_000;

/**
 * The run of a month, which a worker then does. Made once: later it is the same run; one that failed goes on.
 * @throws ApiError period_not_over
 */
export async function createBillingRun(tx: Tx, period: string, now: Date): Promise<BillingRun> {
  const { endAt } = periodOf(period, LAST_TIMEZONE);
  if (endAt > now) {
    throw new ApiError('period_not_over', `${period} is over in every time zone from ${endAt.toISOString()} on.`);
  }
  await startRun(tx, uuidv7(), period);
  return withUnpricedPaths(tx, await selectRun(tx, { period }));
}

/** The run with its progress. @throws ApiError not_found */
export async function readBillingRun(db: Queryable, id: string): Promise<BillingRun> {
  return withUnpricedPaths(db, await selectRun(db, { id }));
}

/** A page of runs, the newest month first. */
export async function listBillingRuns(db: Queryable, { page, perPage }: BillingRunQuery) {
  const { total, data } = await selectRunPage(db, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, perPage, data: data.map(toSummary) };
}

async function withUnpricedPaths(db: Queryable, row: BillingRunRow | null): Promise<BillingRun> {
  if (row === null) throw notFound('billing run');
  return { ...toSummary(row), unpricedPaths: await selectUnpricedPaths(db, row.id, MAX_UNPRICED_PATHS) };
}

function toSummary({ runningSeconds, finishedAt, ...run }: BillingRunRow): BillingRunSummary {
  const { status, companies, done, invoices, failures } = run;
  const isKnown = status === 'running' && done > 0;
  return {
    ...run,
    finishedAt: finishedAt === null ? null : finishedAt.toISOString(),
    // Invoices are counted as they are made, the rest batch by batch.
    skipped: Math.max(0, done - failures - invoices),
    remainingSeconds: isKnown ? Math.ceil((runningSeconds / done) * Math.max(0, companies - done)) : null,
  };
}
