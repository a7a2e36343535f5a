import type { TString } from 'typebox';
import { describeRefund } from '../payments/refunds/issue/refunds.service.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { type CsvRow, writeCsvFile } from '../platform/http/limits/csv-file.ts';
import type { JsonParts } from '../platform/http/schema/json.ts';
import { selectCreditNoteBatch, selectCreditNoteKeys } from './credit-notes.operator.queries.ts';
import type { RowKey } from './lists.parts.queries.ts';
import type {
  OperatorCreditNoteFileQuery,
  OperatorPaymentFileQuery,
  OperatorRefundFileQuery,
} from './operator-lists.schema.ts';
import { readCreditNoteFilter, readPaymentFilter, readRefundFilter } from './operator-lists.service.ts';
import { selectPaymentsOfAll } from './payments.operator.queries.ts';
import { selectRefundsOfAll } from './refunds.operator.queries.ts';

const ROWS_AT_ONCE = 200;
/** Credit notes are read with their lines, which may be long. */
const NOTES_AT_ONCE = 20;

const COMPANY = ['companyId', 'companyExternalId', 'companyName'];

type Line = CsvRow & RowKey;

/** What follows the last row that was read. */
const rangeAfter = (after: RowKey | null, limit = ROWS_AT_ONCE) => ({ limit, offset: 0, after });

/** All matching payments as a CSV file in parts, newest first. @throws ApiError 400 */
export function writePayments(
  db: Queryable,
  query: OperatorPaymentFileQuery,
  externalIds: ExternalIds,
): JsonParts<TString> {
  const filter = readPaymentFilter(query);
  const columns = [
    ...['createdAt', 'id', ...COMPANY, 'invoiceId', 'invoiceNumber', 'status', 'method', 'gateway', 'initiator'],
    ...['currency', 'amount', 'creditAmount', 'failureReason', 'declineCode', 'updatedAt'],
  ];
  const readAfter = async (last: Line | null): Promise<Line[]> =>
    JSON.parse(await selectPaymentsOfAll(db, filter, rangeAfter(last)));
  return writeCsvFile({ columns, readAfter, externalIds });
}

/** All matching refunds as a CSV file in parts, newest first. @throws ApiError 400 */
export function writeRefunds(
  db: Queryable,
  query: OperatorRefundFileQuery,
  externalIds: ExternalIds,
): JsonParts<TString> {
  const filter = readRefundFilter(query);
  const columns = [
    ...[
      'createdAt',
      'id',
      ...COMPANY,
      'invoiceId',
      'paymentId',
      'creditNoteId',
      'status',
      'source',
      'currency',
      'amount',
      'cardAmount',
    ],
    ...['creditAmount', 'reason', 'updatedAt'],
  ];
  const readAfter = async (last: Line | null): Promise<Line[]> => {
    const refunds = await selectRefundsOfAll(db, filter, rangeAfter(last));
    const shown = refunds.map(({ companyName, ...refund }) => ({ ...describeRefund(refund), companyName }));
    return JSON.parse(JSON.stringify(shown));
  };
  return writeCsvFile({ columns, readAfter, externalIds });
}

/** All matching credit notes as a CSV file in parts, newest first. @throws ApiError 400 */
export function writeCreditNotes(
  db: Queryable,
  query: OperatorCreditNoteFileQuery,
  externalIds: ExternalIds,
): JsonParts<TString> {
  const filter = readCreditNoteFilter(query);
  const columns = [
    ...['createdAt', 'number', 'id', ...COMPANY, 'invoiceId', 'invoiceNumber', 'reason', 'currency', 'subTotal', 'tax'],
    ...['total', 'afterPayment'],
  ];
  const readAfter = async (last: Line | null): Promise<Line[]> => {
    const keys = await selectCreditNoteKeys(db, filter, rangeAfter(last, NOTES_AT_ONCE));
    return JSON.parse(await selectCreditNoteBatch(db, keys));
  };
  return writeCsvFile({ columns, readAfter, externalIds });
}
