import type { FastifyBaseLogger } from 'fastify';
import { NIL } from 'uuid';
import { type PathSum, sumUsageUntilNow } from '../../metering/usage/usage.service.ts';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { forgetFailure, noteFailure } from '../../platform/queue/failures.service.ts';
import { listOpenPeriods } from '../runs/runs.service.ts';
import {
  claimChecks,
  type FreshHours,
  insertCheck,
  insertCrossing,
  selectUnreachedThresholds,
} from './thresholds.check.queries.ts';
import { usageThresholdEvents } from './thresholds.events.ts';
import type { UsageThresholdReached } from './thresholds.schema.ts';
import { selectCompaniesToCheck, THRESHOLD_JOBS } from './thresholds.worker.queries.ts';

export type ThresholdDependencies = { db: Db; clock: Clock };

/** How often each process checks a company with continuous usage. */
const INTERVAL_MS = 5_000;
const PAGE_SIZE = 500;
const HOUR_MS = 3_600_000;

/**
 * Records in the background that usage has reached a threshold. Any number of processes may run it; each crossing is
 * recorded once.
 */
export function startThresholdWorker(dependencies: ThresholdDependencies, log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: (signal) => checkThresholds(dependencies, log, signal),
    logFailure: (error) => log.warn({ err: error }, 'usage thresholds could not be checked; it will be retried'),
    everyMs: INTERVAL_MS,
    firstAfterMs: INTERVAL_MS,
  });
}

/**
 * Runs one round: checks each company with thresholds and fresh usage separately, so that a failure does not block
 * others.
 */
export async function checkThresholds(
  { db, clock }: ThresholdDependencies,
  log: FastifyBaseLogger,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock();
  for (let afterCompanyId: string = NIL; ; ) {
    const companyIds = await selectCompaniesToCheck(db, now, { afterCompanyId, limit: PAGE_SIZE });
    for (const companyId of companyIds) {
      if (signal?.aborted) return;
      await transaction(db, (tx) => checkCompany(tx, companyId, now)).catch(async (error) => {
        log.warn({ err: error, companyId }, 'usage thresholds could not be checked; it will be retried');
        await noteFailure(db, companyId, { kind: THRESHOLD_JOBS.kind, record: companyId }, error);
      });
    }
    const last = companyIds.at(-1);
    if (last === undefined || companyIds.length < PAGE_SIZE) return;
    afterCompanyId = last;
  }
}

/**
 * Removes the mark of fresh usage and records what was reached in one transaction, so a process that dies in between
 * has done neither.
 */
async function checkCompany(tx: Tx, companyId: string, now: Date): Promise<void> {
  const fresh = await claimChecks(tx, companyId, now);
  if (fresh === null) return;
  await forgetFailure(tx, companyId, { kind: THRESHOLD_JOBS.kind, record: companyId });
  const periods = await listOpenPeriods(tx, companyId, now);
  for (const period of periods) if (touches(fresh, period)) await recordReachedThresholds(tx, companyId, period);
  // Usage may be dated a few minutes ahead, into a month that has not begun.
  const dueAt = periods.at(-1)?.endAt ?? now;
  if (fresh.lastHour.getTime() + HOUR_MS > dueAt.getTime()) {
    await insertCheck(tx, companyId, {
      firstHour: dueAt,
      lastHour: fresh.lastHour < dueAt ? dueAt : fresh.lastHour,
      dueAt,
    });
  }
}

type Period = Awaited<ReturnType<typeof listOpenPeriods>>[number];

function touches({ firstHour, lastHour }: FreshHours, { startAt, endAt }: Period): boolean {
  return firstHour < endAt && lastHour.getTime() + HOUR_MS > startAt.getTime();
}

async function recordReachedThresholds(tx: Tx, companyId: string, { month, startAt, endAt }: Period): Promise<void> {
  const unreached = await selectUnreachedThresholds(tx, companyId, month);
  if (unreached.length === 0) return;
  const sums = await sumUsageUntilNow(tx, companyId, { from: startAt, to: endAt, afterCutoff: 0 });
  for (const threshold of unreached) {
    const used = addUp(sums, threshold.path);
    if (used < BigInt(threshold.quantity)) continue;
    const quantity = String(used);
    if (!(await insertCrossing(tx, companyId, { thresholdId: threshold.id, period: month, quantity }))) continue;
    const data: UsageThresholdReached = { threshold, period: month, startAt, endAt, quantity };
    const subject = { id: threshold.id, detail: month };
    await usageThresholdEvents.record(tx, companyId, { type: 'usage.threshold_reached', data, subject });
  }
}

/** The usage of a path, or of all paths with the prefix before the `*`. */
function addUp(sums: readonly PathSum[], path: string): bigint {
  const prefix = path.endsWith('*') ? path.slice(0, -1) : null;
  const isMeant = (used: string) => (prefix === null ? used === path : used.startsWith(prefix));
  return sums.reduce((sum, { path: used, quantity }) => (isMeant(used) ? sum + BigInt(quantity) : sum), 0n);
}
