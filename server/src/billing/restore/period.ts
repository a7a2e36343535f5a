import { v7 as uuidv7 } from 'uuid';
import type { BillingSettings } from '../../customers/companies/companies.settings.schema.ts';
import { selectOpenCutoff } from '../../metering/usage/usage.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { updateAssignedItems } from '../items/items.worker.queries.ts';
import { insertBilledPeriods } from '../runs/batch/batch.worker.queries.ts';
import { findMonthsBefore } from '../runs/batch/due.ts';
import { insertRun } from '../runs/pass/pass.worker.queries.ts';
import { selectRun } from '../runs/pass/run.operator.queries.ts';
import { type InvoiceToRestore, selectNeighboringPeriods } from './restore.queries.ts';
import { noteTaken } from './taken.ts';

/** What of a line says how the period was billed. */
type Line = { kind?: string; taxRate?: string; itemId?: string };

/**
 * Counts the month of a billing run's invoice as billed, so that no run bills it again, with a run where that is lost too. The items on the
 * invoice that are here do not wait any more. All usage that is here when the open cutoff is closed counts as billed by this invoice: what
 * was lost and is sent again until then is not billed twice. What it took of each month is noted for usage that comes later.
 * @param asCaptured - as for `noteTaken`
 * @returns a sentence if the month is billed already; null otherwise, and for an invoice of no run
 */
export async function restoreBilledPeriod(
  tx: Tx,
  settings: BillingSettings,
  invoice: InvoiceToRestore,
  asCaptured?: { usage: string | null },
): Promise<string | null> {
  const [, month] = /^usage:[0-9a-f-]{36}:(\d{4}-\d{2})$/.exec(invoice.debt) ?? [];
  if (month === undefined) return null;
  const { companyId, lateUsage } = settings;
  const lines = JSON.parse(invoice.details) as Line[];
  const taken = lines.flatMap(({ itemId }) => (itemId === undefined ? [] : [itemId]));
  await updateAssignedItems(
    tx,
    taken.map((itemId) => ({ companyId, itemId, invoiceId: invoice.id })),
  );
  const { before, repeated } = await selectNeighboringPeriods(tx, companyId, {
    period: month,
    startAt: invoice.startAt,
  });
  const restored = { id: invoice.id, month, currency: invoice.currency, isNew: repeated === null };
  if (repeated !== null) {
    await noteTaken(tx, companyId, restored, asCaptured);
    return `The company was billed for ${repeated} without this invoice; compare the two.`;
  }
  await insertBilledPeriods(tx, [
    {
      companyId,
      period: month,
      startAt: invoice.startAt,
      endAt: invoice.endAt,
      cutoff: await selectOpenCutoff(tx),
      runId: await findRun(tx, month),
      currency: invoice.currency,
      taxRate: lines.find(({ kind }) => kind === 'usage')?.taxRate ?? invoice.taxRate ?? settings.taxRate,
      lateUsage,
      lateAfterPeriod: lateUsage.kind === 'ignore' ? null : before,
      invoiceId: invoice.id,
      unpricedPaths: [],
    },
  ]);
  await noteTaken(tx, companyId, restored, asCaptured);
  return null;
}

/** Finds the run of a month. Without one it is made, like those of the months before: later months are not looked for. */
async function findRun(tx: Tx, month: string): Promise<string> {
  for (const period of [...(await findMonthsBefore(tx, month)), month]) await insertRun(tx, uuidv7(), period);
  const run = await selectRun(tx, { period: month });
  if (run === null) throw new RangeError('The run of the month was inserted.');
  return run.id;
}
