import { METHODS } from '../billing/invoices/record/invoices.schema.ts';
import { PAYMENT_STATUSES } from '../payments/payment/payment.schema.ts';
import { REFUND_STATUSES } from '../payments/refunds/issue/refunds.schema.ts';
import { describeRefund } from '../payments/refunds/issue/refunds.service.ts';
import type { Queryable } from '../platform/database/database.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import { writeFrom } from '../platform/http/limits/batches.ts';
import { parseStart } from '../platform/http/schema/instants.ts';
import { type Json, type JsonParts, withData } from '../platform/http/schema/json.ts';
import { compareDecimals, toDecimal } from '../platform/money/decimal.ts';
import {
  type CreditNoteFilter,
  countCreditNotesOfAll,
  selectCreditNoteBatch,
  selectCreditNotesOfAll,
} from './credit-notes.operator.queries.ts';
import type { CommonFilter } from './lists.parts.queries.ts';
import type {
  OperatorCreditNoteFileQuery,
  OperatorCreditNoteList,
  OperatorCreditNoteQuery,
  OperatorPayment,
  OperatorPaymentFileQuery,
  OperatorPaymentList,
  OperatorPaymentQuery,
  OperatorRefundFileQuery,
  OperatorRefundList,
  OperatorRefundQuery,
} from './operator-lists.schema.ts';
import {
  countPaymentsOfAll,
  type PaymentFilter,
  selectPaymentOfAny,
  selectPaymentsOfAll,
} from './payments.operator.queries.ts';
import { countRefundsOfAll, type RefundFilter, selectRefundsOfAll } from './refunds.operator.queries.ts';

/** A page of the payments of all companies as JSON text, newest first. @throws ApiError 400 */
export async function listPaymentsOfAll(
  db: Queryable,
  query: OperatorPaymentQuery,
): Promise<OperatorPaymentList | Json<typeof OperatorPaymentList>> {
  const filter = readPaymentFilter(query);
  const total = await countPaymentsOfAll(db, filter);
  const head = headOf(total, query);
  if (!hasPage(total, query)) return { ...head, data: [] };
  return withData(head, await selectPaymentsOfAll(db, filter, rangeOf(query)));
}

/** A payment of any company as JSON text, in the list's shape. @throws ApiError not_found */
export async function readPaymentOfAny(db: Queryable, id: string): Promise<Json<typeof OperatorPayment>> {
  const payment = await selectPaymentOfAny(db, id);
  if (payment === null) throw notFound('payment');
  return payment;
}

/** A page of the refunds of all companies, newest first. @throws ApiError 400 */
export async function listRefundsOfAll(db: Queryable, query: OperatorRefundQuery): Promise<OperatorRefundList> {
  const filter = readRefundFilter(query);
  const total = await countRefundsOfAll(db, filter);
  const refunds = hasPage(total, query) ? await selectRefundsOfAll(db, filter, rangeOf(query)) : [];
  const data = refunds.map(({ companyName, ...refund }) => ({ ...describeRefund(refund), companyName }));
  return { total: Number(total), page: query.page, perPage: query.perPage, data };
}

/** A page of the credit notes of all companies as JSON text, newest first. @throws ApiError 400 */
export async function listCreditNotesOfAll(
  db: Queryable,
  query: OperatorCreditNoteQuery,
): Promise<OperatorCreditNoteList | Json<typeof OperatorCreditNoteList> | JsonParts<typeof OperatorCreditNoteList>> {
  const filter = readCreditNoteFilter(query);
  const total = await countCreditNotesOfAll(db, filter);
  const head = headOf(total, query);
  if (!hasPage(total, query)) return { ...head, data: [] };
  const { notes, ...first } = await selectCreditNotesOfAll(db, filter, rangeOf(query));
  return writeFrom(first, head, notes, (batch) => selectCreditNoteBatch(db, batch));
}

/** @throws ApiError 400 */
export function readPaymentFilter({ status, method, ...query }: OperatorPaymentFileQuery): PaymentFilter {
  return { ...readCommonFilter(query), status: find(PAYMENT_STATUSES, status), method: find(METHODS, method) };
}

/** @throws ApiError 400 */
export function readRefundFilter({ paymentId, status, ...query }: OperatorRefundFileQuery): RefundFilter {
  return { ...readCommonFilter(query), paymentId: paymentId ?? null, status: find(REFUND_STATUSES, status) };
}

/** @throws ApiError 400 */
export function readCreditNoteFilter({ number, ...query }: OperatorCreditNoteFileQuery): CreditNoteFilter {
  return { ...readCommonFilter(query), number: number?.toUpperCase() ?? null };
}

type Page = { page: number; perPage: number };

/** Whether the page has any rows. Reading a page past the end would scan the whole table. */
function hasPage(total: string, query: Page): boolean {
  return rangeOf(query).offset < Number(total);
}

function rangeOf({ page, perPage }: Page): { limit: number; offset: number } {
  return { limit: perPage, offset: (page - 1) * perPage };
}

function headOf(total: string, { page, perPage }: Page): { total: number; page: number; perPage: number } {
  return { total: Number(total), page, perPage };
}

/** The value in its canonical spelling, found case-insensitively; null when none was given. */
function find<Value extends string>(values: readonly Value[], asked: string | undefined): Value | null {
  return values.find((known) => known.toLowerCase() === asked?.toLowerCase()) ?? null;
}

type CommonQuery = { [Name in keyof CommonFilter]?: string | undefined };

/** @throws ApiError 400 when a lower bound is above the upper bound */
function readCommonFilter({ companyId, invoiceId, from, to, currency, min, max }: CommonQuery): CommonFilter {
  const [fromInstant, toInstant] = [parseStart(from), parseStart(to)];
  if (fromInstant !== null && toInstant !== null && fromInstant > toInstant)
    throw invalidField('from', 'must not be after to');
  if (min !== undefined && max !== undefined && compareDecimals(toDecimal(min), toDecimal(max)) > 0)
    throw invalidField('min', 'must not be greater than max');
  return {
    companyId: companyId ?? null,
    invoiceId: invoiceId ?? null,
    from: fromInstant,
    to: toInstant,
    currency: currency ?? null,
    min: min ?? null,
    max: max ?? null,
  };
}
