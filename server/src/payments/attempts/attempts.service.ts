import { findInvoiceCompany } from '../../billing/invoices/invoices.service.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type Json, withFields } from '../../platform/http/schema/json.ts';
import type { PaymentReader } from '../payment/payment.ts';
import { selectInvoiceWithAttempts, selectRunOfInvoice } from './attempts.queries.ts';
import type { InvoiceWithAttempts, OperatorInvoice } from './attempts.schema.ts';

/** Reads an invoice with every attempt to charge it, as JSON text. @throws ApiError not_found */
export async function readInvoiceWithAttempts(
  db: Queryable,
  companyId: string,
  id: string,
  reader: PaymentReader,
): Promise<Json<typeof InvoiceWithAttempts>> {
  const invoice = await selectInvoiceWithAttempts(db, companyId, id, reader);
  if (invoice === null) throw notFound('invoice');
  return invoice;
}

/** Reads the same for the operator, by the invoice's id alone, with the billing run that issued it. @throws ApiError not_found */
export async function readInvoiceOfAny(db: Queryable, id: string): Promise<Json<typeof OperatorInvoice>> {
  const companyId = await findInvoiceCompany(db, id);
  const invoice = await readInvoiceWithAttempts(db, companyId, id, 'others');
  const runId = await selectRunOfInvoice(db, companyId, id);
  return withFields<typeof OperatorInvoice, typeof InvoiceWithAttempts>(invoice, { runId });
}
