import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type DueAt, selectDueCompanies } from './pass/pass.worker.queries.ts';
import { findMonthEnds, startByHand } from './pass/passes.ts';
import {
  type BillingRunRow,
  selectFailures,
  selectRun,
  selectRunPage,
  selectUnpricedPaths,
} from './pass/run.operator.queries.ts';
import type { BillingRun, BillingRunQuery, BillingRunSummary } from './runs.schema.ts';

// Used to show a company's usage of months that are not billed yet.
export { listOpenPeriods } from './batch/open-periods.ts';
export { type PreviewedInvoice, previewInvoices } from './batch/preview.ts';
// Used by previews, which refuse the same months.
export { refuseMonthNotOver } from './pass/passes.ts';
export { BillingRunBody } from './runs.schema.ts';

const MAX_UNPRICED_PATHS = 1_000;
const MAX_FAILED_COMPANIES = 100;

/**
 * Starts the run of a month, which a worker then does: every company that is not billed for it yet is billed now, without the grace time.
 * @throws ApiError charges_held, period_not_over
 */
export async function createBillingRun(tx: Tx, period: string, now: Date): Promise<BillingRun> {
  await assertNotHeld(tx);
  await startByHand(tx, period, now);
  return withDetails(tx, await selectRun(tx, { period }));
}

/** Reads the run with its progress. @throws ApiError not_found */
export async function readBillingRun(db: Queryable, id: string): Promise<BillingRun> {
  return withDetails(db, await selectRun(db, { id }));
}

/** Lists a page of runs, the newest month first. */
export async function listBillingRuns(db: Queryable, { page, perPage }: BillingRunQuery) {
  const { total, data } = await selectRunPage(db, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, perPage, data: data.map(toSummary) };
}

async function withDetails(db: Queryable, row: BillingRunRow | null): Promise<BillingRun> {
  if (row === null) throw notFound('billing run');
  const failedCompanies = await findFailedCompanies(db, row);
  return {
    ...toSummary(row),
    failedCompanies,
    failed: await selectFailures(db, row.period, failedCompanies),
    unpricedPaths: await selectUnpricedPaths(db, row.id, MAX_UNPRICED_PATHS),
  };
}

/** Finds the companies that the last pass has covered and that are not billed. */
async function findFailedCompanies(db: Queryable, row: BillingRunRow): Promise<string[]> {
  const { failures, asOf, lastCompanyId, period, withoutGrace } = row;
  if (failures === 0 || asOf === null || lastCompanyId === null) return [];
  const dueAt: DueAt = { period, asOf, withoutGrace, ends: await findMonthEnds(db, period) };
  const limit = Math.min(failures, MAX_FAILED_COMPANIES);
  const companyIds = await selectDueCompanies(db, dueAt, { afterCompanyId: null, limit });
  return companyIds.filter((companyId) => companyId <= lastCompanyId);
}

function toSummary(row: BillingRunRow): BillingRunSummary {
  const { id, period, status, companies, done, invoices, failures, passes } = row;
  const { passCompanies, passDone, runningSeconds, nextPassAt, createdAt, finishedAt } = row;
  const isKnown = status === 'running' && passDone > 0;
  return {
    id,
    period,
    status,
    companies,
    done,
    invoices,
    // Invoices are counted one by one, the rest after each batch.
    skipped: Math.max(0, done - failures - invoices),
    failures,
    passes,
    remainingSeconds: isKnown ? Math.ceil((runningSeconds / passDone) * Math.max(0, passCompanies - passDone)) : null,
    nextPassAt: nextPassAt === null ? null : nextPassAt.toISOString(),
    createdAt,
    finishedAt: finishedAt === null ? null : finishedAt.toISOString(),
  };
}
