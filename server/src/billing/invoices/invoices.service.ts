import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import {
  addPartPaid,
  type InvoiceToCharge,
  lockInvoice,
  markFailed,
  markProcessing,
  markSucceeded,
  type PayingPayment,
  selectInvoice,
} from './record/invoices.queries.ts';
import type { Invoice } from './record/invoices.schema.ts';

export { findInvoiceCompany } from './corrections/company.ts';
// For mails, which know no invoices.
export { selectInvoiceCompany as findCompanyOfInvoice } from './corrections/corrections.operator.queries.ts';
export { createCreditNote, type FindLivePayment, voidInvoice } from './corrections/corrections.ts';
export type { LostNote } from './corrections/name.ts';
export { computeInvoice, createInvoice, createInvoices, draftInvoice } from './issue/create.ts';
export type { InvoiceToCharge } from './record/invoices.queries.ts';
export { LineItem, taxes } from './record/lines.schema.ts';

/** Reads the Invoice as JSON text. @throws ApiError not_found */
export async function readInvoice(db: Queryable, companyId: string, id: string): Promise<Json<typeof Invoice>> {
  const invoice = await selectInvoice(db, companyId, id);
  if (invoice === null) throw notFound('invoice');
  return invoice;
}

/**
 * Locks the invoice until the transaction ends, so that one payment at a time starts or is settled. @throws ApiError
 * not_found
 */
export async function lockInvoiceToCharge(tx: Tx, companyId: string, id: string): Promise<InvoiceToCharge> {
  const invoice = await lockInvoice(tx, companyId, id);
  if (invoice === null) throw notFound('invoice');
  return invoice;
}

/** Marks the invoice as paid by this payment. @returns the Invoice as JSON text; null if it was paid before */
export async function succeedInvoice(
  tx: Tx,
  companyId: string,
  id: string,
  payment: PayingPayment,
): Promise<Json<typeof Invoice> | null> {
  return markSucceeded(tx, companyId, id, payment);
}

/** Records that a part of the invoice is paid, in minor units. The rest is still due. */
export async function payInPart(tx: Tx, companyId: string, id: string, amountMinor: bigint): Promise<void> {
  await addPartPaid(tx, companyId, id, amountMinor);
}

/** Marks the invoice Failed after the bank's refusal of this payment. A later one may still succeed. */
export async function failInvoice(tx: Tx, companyId: string, id: string, paymentId: string): Promise<void> {
  await lockCompany(tx, companyId);
  await markFailed(tx, companyId, id, paymentId);
}

/** Marks a Failed invoice Processing when a new charge begins, because from then on money may have moved. */
export async function reopenInvoice(tx: Tx, companyId: string, id: string): Promise<void> {
  // Failing and reopening change the same two counters in opposite order; the company's lock prevents a deadlock.
  await lockCompany(tx, companyId);
  await markProcessing(tx, companyId, id);
}
