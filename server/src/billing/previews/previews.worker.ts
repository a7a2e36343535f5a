import type { FastifyBaseLogger } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { monthBefore } from '../../platform/calendar/billing-periods.ts';
import { type Db, isDatabaseUnavailable, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { addDecimals, compareDecimals, toDecimal } from '../../platform/money/decimal.ts';
import { whenDue } from '../../platform/queue/due/due.ts';
import { noteFailure } from '../../platform/queue/failures.service.ts';
import { type PreviewedInvoice, previewInvoices } from '../runs/runs.service.ts';
import {
  type ClaimedPreview,
  claimPreview,
  finishPreview,
  PREVIEW_JOBS,
  type PreviewInvoiceRow,
  RUNNING_PREVIEWS,
  recordInvoices,
  releasePreview,
  selectCompaniesAfter,
  selectSubTotals,
} from './previews.operator.queries.ts';

const IDLE_MS = 1_000;
const BATCH_SIZE = 200;

/** Starts to compute previews in the background. Any number of processes may; a preview is leased to one of them at a time. */
export function startPreviewWorker(db: Db, log: FastifyBaseLogger): Worker {
  return repeatEvery({
    work: (signal) => computeNextPreview(db, log, signal),
    logFailure: (error) => log.warn({ err: error }, 'a billing preview was interrupted; it will continue'),
    ...whenDue(db, RUNNING_PREVIEWS, IDLE_MS),
    firstAfterMs: IDLE_MS,
  });
}

/** Computes the oldest preview to its end, unless another worker has it. Continues where an earlier worker stopped. */
export async function computeNextPreview(db: Db, log: FastifyBaseLogger, signal?: AbortSignal): Promise<void> {
  const preview = await claimPreview(db, uuidv7());
  if (preview === null) return;
  try {
    await computePreview(db, log, preview, signal);
  } catch (error) {
    await noteFailure(db, null, { kind: PREVIEW_JOBS.kind, record: preview.id }, error);
    throw error;
  } finally {
    await releasePreview(db, preview).catch(() => undefined); // The lease expires anyway.
  }
}

async function computePreview(
  db: Db,
  log: FastifyBaseLogger,
  preview: ClaimedPreview,
  signal: AbortSignal | undefined,
): Promise<void> {
  let { lastCompanyId } = preview;
  while (!signal?.aborted) {
    const companyIds = await selectCompaniesAfter(db, lastCompanyId, BATCH_SIZE);
    const last = companyIds.at(-1);
    if (last === undefined) return finishPreview(db, preview);
    const { rows, failures } = await previewCompanies(db, log, preview, companyIds);
    const progress = { lastCompanyId: last, done: companyIds.length, failures };
    if (!(await transaction(db, (tx) => recordInvoices(tx, preview, rows, progress)))) return;
    lastCompanyId = last;
  }
}

async function previewCompanies(
  db: Db,
  log: FastifyBaseLogger,
  { period }: ClaimedPreview,
  companyIds: readonly string[],
): Promise<{ rows: PreviewInvoiceRow[]; failures: number }> {
  let failures = 0;
  const previewEach = async (error: unknown) => {
    refuseWhenAway(error);
    const found: PreviewedInvoice[] = [];
    for (const companyId of companyIds) {
      try {
        found.push(...(await previewInvoices(db, [companyId], period)));
      } catch (reason) {
        refuseWhenAway(reason);
        failures += 1;
        log.error({ err: reason, companyId, period }, 'the invoice of a company could not be computed');
      }
    }
    return found;
  };
  const invoices = await previewInvoices(db, companyIds, period).catch(previewEach);
  const before = new Map(
    (await selectSubTotals(db, companyIds, monthBefore(period))).map(({ companyId, currency, subTotal }) => [
      `${companyId} ${currency}`,
      subTotal,
    ]),
  );
  const rows = invoices.flatMap(({ lines, ...invoice }) => {
    const subTotalBefore = before.get(`${invoice.companyId} ${invoice.currency}`) ?? null;
    if (lines === 0 && subTotalBefore === null) return [];
    return [
      {
        ...invoice,
        subTotalBefore,
        outlier: lines === 0 ? 'gone' : compareWithBefore(invoice.subTotal, subTotalBefore),
      },
    ];
  });
  return { rows, failures };
}

function refuseWhenAway(error: unknown): void {
  const isAway = error instanceof ApiError && error.code === 'service_unavailable';
  if (isAway || isDatabaseUnavailable(error)) throw error;
}

/**
 * Compares with the month before: at least twice as much is higher, at most half is lower. Two invoices of zero are
 * neither.
 */
function compareWithBefore(subTotal: string, before: string | null): 'higher' | 'lower' | null {
  if (before === null) return null;
  const [now, then] = [toDecimal(subTotal), toDecimal(before)];
  if (compareDecimals(now, then) === 0) return null;
  if (compareDecimals(now, addDecimals(then, then)) >= 0) return 'higher';
  return compareDecimals(addDecimals(now, now), then) <= 0 ? 'lower' : null;
}
