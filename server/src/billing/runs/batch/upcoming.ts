import { readBillingSettings } from '../../../customers/companies/companies.service.ts';
import { monthAt } from '../../../platform/calendar/billing-periods.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import { type Json, withParts } from '../../../platform/http/schema/json.ts';
import { computeInvoice } from '../../invoices/invoices.service.ts';
import { computeBill } from './bill.ts';
import { selectLastPeriod } from './billed-periods.queries.ts';
import { findMonthsBefore, requestPreview } from './due.ts';
import type { UpcomingInvoice } from './upcoming.schema.ts';

/**
 * Computes the company's invoice of a month from what is known now, as JSON text; without a month, of the current one.
 * @throws ApiError 400 on a month that has not begun; not_found, period_billed
 */
export async function readUpcomingInvoice(
  db: Queryable,
  companyId: string,
  now: Date,
  asked?: string,
): Promise<Json<typeof UpcomingInvoice>> {
  const settings = await readBillingSettings(db, companyId);
  const { currency, invoiceMethod: method } = settings;
  const running = monthAt(now, settings.timezone);
  const month = asked ?? running;
  if (month > running) throw invalidField('period', `must not be after ${running}, the month that is running`);
  const [billed, before] = await Promise.all([selectLastPeriod(db, companyId), findMonthsBefore(db, month)]);
  const request = requestPreview(settings, { billed, month, before });
  if (request === null) {
    const until = billed?.endAt.toISOString();
    throw new ApiError('period_billed', `The company is billed until ${until}: read the invoice of ${month} instead.`);
  }
  const { period } = request;
  const bill = await computeBill(db, companyId, request);
  const { details, ...amounts } = computeInvoice(bill.lines, request.taxRate, currency);
  const { unpricedPaths } = bill;
  const fields = {
    ...{ companyId: settings.companyId, period: month, ...period, method, currency },
    ...amounts,
    unpricedPaths,
  };
  return withParts(fields, { details });
}
