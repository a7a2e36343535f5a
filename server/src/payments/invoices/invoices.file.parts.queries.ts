import { amountDue, invoiceState } from '../../billing/invoices/record/state.parts.queries.ts';
import { constantPart } from '../../platform/database/database.ts';

/** A row of `invoices` as a line of a file. */
export type InvoiceLine = { id: string; startAt: string } & Record<string, string>;

/** The columns of a file of invoices. */
export const INVOICE_COLUMNS = [
  ...[
    'number',
    'id',
    'state',
    'status',
    'method',
    'startAt',
    'endAt',
    'createdAt',
    'dueAt',
    'currency',
    'subTotal',
    'tax',
    'total',
  ],
  ...['creditedTotal', 'refundedTotal', 'amountDue'],
] as const;

/** These columns of the row of `invoices`. */
export const invoiceLine = constantPart((db) => {
  const amounts = [
    ['subTotal', db`invoices.sub_total`],
    ['tax', db`invoices.tax`],
    ['total', db`invoices.total`],
    ['creditedTotal', db`invoices.credited_total`],
    ['refundedTotal', db`invoices.refunded_total`],
    ['amountDue', amountDue(db)],
  ] as const;
  const shown = amounts.map(([name, amount]) => db`, money_text(${amount}, invoices.minor_unit_digits) AS ${db(name)}`);
  return db`
    invoices.number, invoices.id, ${invoiceState(db)} AS state, invoices.status, invoices.method, invoices.currency,
    iso_instant(invoices.start_at) AS "startAt", iso_instant(invoices.end_at) AS "endAt",
    iso_instant(invoices.created_at) AS "createdAt", iso_instant(invoices.due_at) AS "dueAt" ${shown}`;
});
