import type { Queryable } from '../../platform/database/database.ts';
import { writeInBatches } from '../../platform/http/limits/batches.ts';
import { type Json, type JsonParts, withData } from '../../platform/http/schema/json.ts';
import { countInvoicesOfAll, selectInvoiceBatch, selectInvoicesOfAll } from './invoices.operator.queries.ts';
import type { OperatorInvoiceQuery } from './invoices.read.schema.ts';
import type { InvoiceList } from './invoices.schema.ts';
import { readPeriodBounds, readState, readStatus } from './invoices.service.ts';

/**
 * Reads a page of the invoices of all companies as JSON text, newest first. Filters combine with AND. @throws ApiError
 * 400
 */
export async function listInvoicesOfAll(
  db: Queryable,
  query: OperatorInvoiceQuery,
  now: Date,
): Promise<InvoiceList | Json<typeof InvoiceList> | JsonParts<typeof InvoiceList>> {
  const { page, perPage, companyId, number, status, state } = query;
  const filter = {
    companyId: companyId ?? null,
    number: number?.toUpperCase() ?? null,
    status: readStatus(status),
    state: readState(state, now),
    ...readPeriodBounds(query),
  };
  const total = await countInvoicesOfAll(db, filter);
  const head = { total: Number(total), page, perPage };
  const offset = (page - 1) * perPage;
  // Reading a page past the end would scan the whole table.
  if (offset >= Number(total)) return { ...head, data: [] };
  const { data, invoices } = await selectInvoicesOfAll(db, filter, { limit: perPage, offset });
  return data === null
    ? writeInBatches(head, invoices, (batch) => selectInvoiceBatch(db, batch))
    : withData(head, data);
}
