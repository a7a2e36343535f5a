import type { TString } from 'typebox';
import type { Queryable } from '../../platform/database/database.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { writeCsvFile } from '../../platform/http/limits/csv-file.ts';
import type { JsonParts } from '../../platform/http/schema/json.ts';
import { INVOICE_COLUMNS, type InvoiceLine } from './invoices.file.parts.queries.ts';
import { selectInvoiceLines } from './invoices.file.queries.ts';
import { type OperatorInvoiceLine, selectInvoiceLinesOfAll } from './invoices.operator.queries.ts';
import type { OperatorInvoiceFileQuery } from './invoices.read.schema.ts';
import { readOperatorFilter } from './invoices.read.ts';
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

const OPERATOR_COLUMNS = ['companyId', 'companyExternalId', 'companyName', ...INVOICE_COLUMNS];

/** The matching invoices of all companies as a CSV file in parts, the newest first. @throws ApiError 400 */
export function writeInvoicesOfAll(
  db: Queryable,
  query: OperatorInvoiceFileQuery,
  { now, externalIds }: { now: Date; externalIds: ExternalIds },
): JsonParts<TString> {
  const filter = readOperatorFilter(query, now);
  const readAfter = (last: OperatorInvoiceLine | null) =>
    selectInvoiceLinesOfAll(db, filter, { last, limit: ROWS_AT_ONCE });
  return writeCsvFile({ columns: OPERATOR_COLUMNS, readAfter, externalIds });
}
