import type { TString } from 'typebox';
import type { Queryable } from '../../platform/database/database.ts';
import { writeCsvFile } from '../../platform/http/limits/csv-file.ts';
import type { JsonParts } from '../../platform/http/schema/json.ts';
import { INVOICE_COLUMNS, type InvoiceLine } from './invoices.file.parts.queries.ts';
import { selectInvoiceLines } from './invoices.file.queries.ts';
import type { InvoiceFileQuery } from './invoices.schema.ts';
import { readFilter } from './invoices.service.ts';

const ROWS_AT_ONCE = 200;

/** The company's matching invoices as a CSV file in parts, newest period first. @throws ApiError 400 */
export function writeInvoices(
  db: Queryable,
  companyId: string,
  query: InvoiceFileQuery,
  now: Date,
): JsonParts<TString> {
  const filter = readFilter(query, now);
  const readAfter = (last: InvoiceLine | null) =>
    selectInvoiceLines(db, companyId, filter, { last, limit: ROWS_AT_ONCE });
  return writeCsvFile({ columns: INVOICE_COLUMNS, readAfter });
}
