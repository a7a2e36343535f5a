import { readBillingSettingsOfMany } from '../../../customers/companies/companies.service.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { computeInvoice } from '../../invoices/invoices.service.ts';
import { selectLastPeriods } from './batch.worker.queries.ts';
import { loadBills, rateBill } from './bill.ts';
import { findMonthsBefore, requestPreview } from './due.ts';

/** What the run of a month would issue to a company. Amounts are in major units; without lines there is no invoice. */
export type PreviewedInvoice = {
  companyId: string;
  startAt: Date;
  endAt: Date;
  method: 'Card' | 'paypal';
  currency: string;
  subTotal: string;
  tax: string;
  total: string;
  lines: number;
  unpricedPaths: string[];
};

/**
 * Computes what the run of a month would issue to these companies now, as `readUpcomingInvoice` does for one. Leaves out companies that
 * are billed for the month already. Stores nothing.
 * @throws the error that keeps one of them from being billed
 */
export async function previewInvoices(
  db: Queryable,
  companyIds: readonly string[],
  month: string,
): Promise<PreviewedInvoice[]> {
  const [settingsOfMany, lastPeriods, before] = await Promise.all([
    readBillingSettingsOfMany(db, companyIds),
    selectLastPeriods(db, companyIds),
    findMonthsBefore(db, month),
  ]);
  const lastOf = new Map(lastPeriods.map((period) => [period.companyId, period]));
  const due = settingsOfMany.flatMap((settings) => {
    const request = requestPreview(settings, { billed: lastOf.get(settings.companyId) ?? null, month, before });
    return request === null ? [] : [{ settings, request }];
  });
  return (await loadBills(db, due)).map(({ settings, request: { companyId, currency, taxRate, period }, basis }) => {
    const { lines, unpricedPaths } = rateBill(basis);
    const { subTotal, tax, total } = computeInvoice(lines, taxRate, currency);
    const method = settings.invoiceMethod;
    return { companyId, ...period, method, currency, subTotal, tax, total, lines: lines.length, unpricedPaths };
  });
}
