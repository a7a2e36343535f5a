import { monthAfter, monthAt } from '../billing-periods/billing-periods.service.ts';
import { readBillingSettings, taxRateToBill } from '../companies/companies.service.ts';
import type { Queryable } from '../database/database.ts';
import { computeInvoice } from '../invoices/invoices.service.ts';
import { computeBill } from './billing-runs.bill.ts';
import { periodToBill } from './billing-runs.open-periods.ts';
import { selectLastPeriod } from './billing-runs.queries.ts';

/** What the invoice of the company's current month would be by now, as JSON text. @throws ApiError not_found */
export async function readUpcomingInvoice(db: Queryable, companyId: string, now: Date): Promise<string> {
  const settings = await readBillingSettings(db, companyId);
  const { currency, timezone, lateUsage, invoiceMethod: method } = settings;
  const taxRate = taxRateToBill(settings);
  const month = monthAt(now, timezone);
  const billed = await selectLastPeriod(db, companyId);
  // While a month before this one still waits for its run, that one takes what came late.
  const last = billed !== null && monthAfter(billed.period) === month ? billed : null;
  const period = periodToBill(billed, month, timezone);
  const bill = await computeBill(db, companyId, {
    currency,
    period,
    upToCutoff: null,
    last: lateUsage.kind === 'ignore' ? null : last,
  });
  const { details, ...amounts } = computeInvoice(bill.lines, taxRate, currency);
  const { unpricedPaths } = bill;
  const fields = JSON.stringify({
    companyId,
    period: month,
    ...period,
    method,
    currency,
    taxRate,
    ...amounts,
    unpricedPaths,
  });
  return `${fields.slice(0, -1)},"details":${details}}`;
}
