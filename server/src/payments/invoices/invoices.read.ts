import { type Db, planForValues, type Queryable } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { writeFrom } from '../../platform/http/limits/batches.ts';
import { parseStart } from '../../platform/http/schema/instants.ts';
import type { Json, JsonParts } from '../../platform/http/schema/json.ts';
import {
  countInvoicesOfAll,
  type OperatorInvoiceFilter,
  selectInvoiceBatch,
  selectInvoicesOfAll,
} from './invoices.operator.queries.ts';
import type { OperatorInvoiceFileQuery, OperatorInvoiceList, OperatorInvoiceQuery } from './invoices.read.schema.ts';
import { checkAmounts, readMethod, readPeriodBounds, readState, readStatus } from './invoices.service.ts';

/**
 * Reads a page of the invoices of all companies as JSON text, newest first. Filters combine with AND. @throws ApiError
 * 400
 */
export async function listInvoicesOfAll(
  db: Db,
  query: OperatorInvoiceQuery,
  now: Date,
): Promise<OperatorInvoiceList | Json<typeof OperatorInvoiceList> | JsonParts<typeof OperatorInvoiceList>> {
  const { page, perPage, ...filters } = query;
  const filter = readOperatorFilter(filters, now);
  const hasAmount = filter.min !== null || filter.max !== null;
  // Whether an amount is rare depends on its value.
  const read = <T>(work: (reading: Queryable) => Promise<T>) => (hasAmount ? planForValues(db, work) : work(db));
  const total = await read((reading) => countInvoicesOfAll(reading, filter));
  const head = { total: Number(total), page, perPage };
  const offset = (page - 1) * perPage;
  // Reading a page past the end would scan the whole table.
  if (offset >= Number(total)) return { ...head, data: [] };
  const { invoices, ...first } = await read((reading) =>
    selectInvoicesOfAll(reading, filter, { limit: perPage, offset }),
  );
  return writeFrom(first, head, invoices, (batch) => selectInvoiceBatch(db, batch));
}

/** @throws ApiError 400 */
export function readOperatorFilter(query: OperatorInvoiceFileQuery, now: Date): OperatorInvoiceFilter {
  const { companyId, number, status, state, method, currency, min, max, runId } = query;
  checkAmounts(query);
  const [from, to] = [parseStart(query.from), parseStart(query.to)];
  if (from !== null && to !== null && from > to) throw invalidField('from', 'must not be after to');
  return {
    companyId: companyId ?? null,
    number: number?.toUpperCase() ?? null,
    status: readStatus(status),
    state: readState(state, now),
    ...readPeriodBounds(query),
    method: readMethod(method),
    currency: currency ?? null,
    min: min ?? null,
    max: max ?? null,
    from,
    to,
    runId: runId ?? null,
  };
}
