import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { periodAfter, periodOf } from '../billing-periods/billing-periods.service.ts';
import { lockCompany, readBillingSettings, taxRateToBill } from '../companies/companies.service.ts';
import { type Db, isDatabaseUnavailable, transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { createInvoice } from '../invoices/invoices.service.ts';
import { closeUsageCutoff } from '../usage/usage.service.ts';
import { computeBill } from './billing-runs.bill.ts';
import { insertBilledPeriod, selectLastPeriod } from './billing-runs.queries.ts';
import {
  type ClaimedRun,
  claimRun,
  finishRun,
  noteProgress,
  releaseRun,
  selectNextCompanies,
  settleCutoff,
} from './billing-runs.run.queries.ts';

const IDLE_MS = 1_000;
const BATCH_SIZE = 50;

/**
 * Does billing runs in the background. Any number of processes may; a run is leased to one of them at a time, and two at one
 * company would do no harm.
 */
export function startBillingWorker(db: Db, log: FastifyBaseLogger): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    while (await pause(stopping.signal)) {
      const failed = (error: unknown) =>
        log.warn({ err: error }, 'a billing run was interrupted; it goes on by itself');
      await workOnRun(db, log, stopping.signal).catch(failed);
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

/** False when it was ended early. */
async function pause(signal: AbortSignal): Promise<boolean> {
  return sleep(IDLE_MS, true, { signal, ref: false }).catch(() => false);
}

/** Works on the run whose turn it is until its end, unless another worker is at it. What is done is not done again. */
export async function workOnRun(db: Db, log: FastifyBaseLogger, signal?: AbortSignal): Promise<void> {
  const run = await claimRun(db, uuidv7());
  if (run === null) return;
  try {
    const cutoff = run.cutoff ?? (await settleCutoff(db, run.id, (await closeUsageCutoff(db)).number));
    if (await walkCompanies(db, { ...run, cutoff }, log, signal)) await finishRun(db, run);
  } finally {
    await releaseRun(db, run).catch(() => undefined); // It runs out by itself.
  }
}

type StartedRun = ClaimedRun & { cutoff: number };

/** @returns whether it came to the last company */
async function walkCompanies(
  db: Db,
  run: StartedRun,
  log: FastifyBaseLogger,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let afterCompanyId = run.lastCompanyId;
  while (!signal?.aborted) {
    const companyIds = await selectNextCompanies(db, afterCompanyId, BATCH_SIZE);
    const lastCompanyId = companyIds.at(-1);
    if (lastCompanyId === undefined) return true;
    let failures = 0;
    for (const companyId of companyIds) {
      if (signal?.aborted) return false;
      if (!(await tryToBill(db, companyId, run, log))) failures += 1;
    }
    if (!(await noteProgress(db, run, { lastCompanyId, done: companyIds.length, failures }))) return false;
    afterCompanyId = lastCompanyId;
  }
  return false;
}

/** A company that can't be billed does not keep the others from it; a database that is away does. */
async function tryToBill(db: Db, companyId: string, run: StartedRun, log: FastifyBaseLogger): Promise<boolean> {
  try {
    await billCompany(db, companyId, run);
    return true;
  } catch (error) {
    const isAway = error instanceof ApiError && error.code === 'service_unavailable';
    if (isAway || isDatabaseUnavailable(error)) throw error;
    log.error({ err: error, companyId, period: run.period }, 'a company could not be billed');
    return false;
  }
}

/** One transaction: the invoice, its number and the word that the period is billed stand together or not at all. */
async function billCompany(db: Db, companyId: string, run: StartedRun): Promise<void> {
  const { id: runId, period: month, cutoff } = run;
  await transaction(db, async (tx) => {
    await lockCompany(tx, companyId);
    const settings = await readBillingSettings(tx, companyId);
    const { currency, timezone, lateUsage } = settings;
    const last = await selectLastPeriod(tx, companyId);
    const period = last === null ? periodOf(month, timezone) : periodAfter(last.endAt, month, timezone);
    // A month that is billed already: `last` is that one, or a later one.
    if (period === null || (last !== null && last.period >= month)) return;

    const bill = await computeBill(tx, companyId, {
      currency,
      period,
      upToCutoff: cutoff,
      last: lateUsage.kind === 'ignore' ? null : last,
    });
    const invoiceId =
      bill.lines.length === 0
        ? null
        : readId(
            await createInvoice(tx, companyId, {
              companyId,
              startAt: period.startAt.toISOString(),
              endAt: period.endAt.toISOString(),
              taxRate: taxRateToBill(settings),
              details: bill.lines,
            }),
          );
    const { unpricedPaths } = bill;
    await insertBilledPeriod(tx, companyId, {
      period: month,
      ...period,
      cutoff,
      runId,
      currency,
      invoiceId,
      unpricedPaths,
    });
  });
}

function readId(invoice: string): string {
  return (JSON.parse(invoice) as { id: string }).id;
}
