import { assertNotHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { recordMark } from '../../../continuity/journal/journal.service.ts';
import { lockCompany } from '../../../customers/companies/companies.service.ts';
import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { type Json, withData } from '../../../platform/http/schema/json.ts';
import { formatDecimal, toDecimal } from '../../../platform/money/decimal.ts';
import { computeTotals, formatAmount, fromMinor, toMinor } from '../../../platform/money/money.ts';
import type { CreditNote, CreditNoteBody, CreditNoteList, CreditNoteQuery } from '../record/corrections.schema.ts';
import { selectInvoice } from '../record/invoices.queries.ts';
import type { Invoice } from '../record/invoices.schema.ts';
import { recordCreditNote, recordInvoiceEvents } from '../record/record.ts';
import { findInvoiceCompany } from './company.ts';
import {
  type InvoiceToCorrect,
  insertCreditNote,
  lockInvoiceToCorrect,
  markVoided,
  selectCreditNoteByReference,
  selectCreditNotes,
} from './corrections.queries.ts';
import { readAmount, readAmounts, writeLines } from './credit-amounts.ts';
import { type LostNote, nameCreditNote } from './name.ts';

/*
 * An issued invoice is never edited. A credit note credits a part of it, and a void cancels an unpaid invoice. Both hold the invoice's
 * lock, which a charge holds while it begins and while it is settled, so neither changes an amount that is being charged.
 */

/**
 * Reads the state of the invoice's payment that has neither failed nor paid only a part; null if there is none. The payments, a later
 * domain, hand it in. For a payment that waits for its customer it may throw `OutsideFirst`, which cancels that: so it is the last check.
 */
export type FindLivePayment = (tx: Tx, companyId: string, invoiceId: string) => Promise<string | null>;

async function lockToCorrect(tx: Tx, companyId: string, invoiceId: string): Promise<InvoiceToCorrect> {
  const invoice = await lockInvoiceToCorrect(tx, companyId, invoiceId);
  if (invoice === null) throw notFound('invoice');
  return invoice;
}

/**
 * Refuses a correction while a payment is running, because a charge takes the invoice's total as it was when the charge
 * began.
 */
function refuseWhileCharged(state: string | null): void {
  if (state === null || state === 'captured') return;
  if (state === 'needs_review') {
    throw new ApiError('payment_under_review', 'A payment of this invoice is under review; resolve it first.');
  }
  throw new ApiError('payment_in_progress', 'A payment of this invoice is still running.', { retryAfterSeconds: 5 });
}

/** Any company's invoice as JSON text. @throws ApiError not_found */
export async function findInvoice(db: Queryable, invoiceId: string): Promise<Json<typeof Invoice> | null> {
  return selectInvoice(db, await findInvoiceCompany(db, invoiceId), invoiceId);
}

/**
 * Voids an unpaid invoice; an invoice that is void already does not change. @returns the Invoice as JSON text @throws
 * ApiError charges_held, not_found, invoice_paid, invoice_credited, payment_in_progress, payment_under_review
 */
export async function voidInvoice(
  tx: Tx,
  invoiceId: string,
  findLivePayment: FindLivePayment,
): Promise<Json<typeof Invoice>> {
  const companyId = await findInvoiceCompany(tx, invoiceId);
  const [invoice] = await Promise.all([lockToCorrect(tx, companyId, invoiceId), assertNotHeld(tx)]);
  if (invoice.isVoided) await recordMark(tx, companyId, null);
  else {
    if (invoice.status === 'Succeeded' || invoice.isPartPaid) {
      const inPart = invoice.status === 'Succeeded' ? '' : ' in part';
      throw new ApiError('invoice_paid', `The invoice is paid${inPart}; correct it with a credit note.`);
    }
    if (toMinor(toDecimal(invoice.creditedTotal), invoice.currency) > 0n) {
      throw new ApiError(
        'invoice_credited',
        'The invoice has credit notes, so it cannot be voided; credit the rest of it instead.',
      );
    }
    refuseWhileCharged(await findLivePayment(tx, companyId, invoiceId));
    await markVoided(tx, companyId, invoiceId);
    await recordInvoiceEvents(tx, 'invoice.voided', [{ companyId, id: invoiceId }]);
    await recordMark(tx, companyId, { kind: 'void', subject: invoiceId });
  }
  return (await selectInvoice(tx, companyId, invoiceId)) ?? refuseUnknown();
}

/**
 * Issues a credit note, or one that was `lost` again; the sum of all never exceeds the invoice. @returns the CreditNote as JSON text
 * @throws ApiError 400; charges_held, not_found, invoice_voided, credit_exceeds_invoice, payment_in_progress, payment_under_review
 */
export async function createCreditNote(
  tx: Tx,
  invoiceId: string,
  body: CreditNoteBody,
  findLivePayment: FindLivePayment,
  lost: LostNote | null = null,
): Promise<Json<typeof CreditNote>> {
  requireOneOf(body);
  const companyId = await findInvoiceCompany(tx, invoiceId);
  const invoice = await lockToCorrect(tx, companyId, invoiceId);
  const { currency } = invoice;
  const amounts = await readAmounts(tx, companyId, invoiceId, invoice, body);
  if (invoice.isVoided) throw new ApiError('invoice_voided', 'The invoice is void: there is nothing to credit.');
  const restMinor = toMinor(toDecimal(invoice.creditable), currency);
  if (amounts.totalMinor > restMinor) {
    const rest = `${formatAmount(restMinor, currency)} ${currency}`;
    throw new ApiError('credit_exceeds_invoice', `No more than ${rest} of this invoice can be credited.`);
  }
  refuseWhileCharged(await findLivePayment(tx, companyId, invoiceId));
  const { id, number, series } = await nameCreditNote(tx, companyId, { lost, amounts, currency });
  const note = await insertCreditNote(tx, companyId, {
    id,
    number,
    numberSeries: series,
    invoiceId,
    reason: body.reason,
    details: amounts.details,
    taxes: amounts.taxes,
    subTotal: formatDecimal(fromMinor(amounts.totalMinor - amounts.taxMinor, currency)),
    tax: formatDecimal(fromMinor(amounts.taxMinor, currency)),
    total: formatDecimal(fromMinor(amounts.totalMinor, currency)),
    afterPayment: invoice.status === 'Succeeded',
    reference: body.reference ?? null,
  });
  await recordCreditNote(tx, companyId, note, { id, number });
  await recordMark(tx, companyId, { kind: 'credit_note', subject: id });
  return note;
}

function requireOneOf({ amount, details }: CreditNoteBody): void {
  if ((amount === undefined) === (details === undefined)) {
    throw invalidField('amount', 'or details is required, but not both');
  }
}

/**
 * Issues a credit note, or returns the one issued before with the same reference, then with 200.
 * @throws ApiError as `createCreditNote`; reference_taken
 */
export async function issueCreditNote(
  tx: Tx,
  invoiceId: string,
  body: CreditNoteBody,
  findLivePayment: FindLivePayment,
): Promise<{ status: 200 | 201; note: Json<typeof CreditNote> }> {
  requireOneOf(body);
  const earlier = body.reference === undefined ? null : await findEarlier(tx, invoiceId, body, body.reference);
  if (earlier !== null) return { status: 200, note: earlier };
  return { status: 201, note: await createCreditNote(tx, invoiceId, body, findLivePayment) };
}

/**
 * Two requests with one reference take turns on the company's lock. @throws ApiError reference_taken, not_found, 400
 */
async function findEarlier(
  tx: Tx,
  invoiceId: string,
  body: CreditNoteBody,
  reference: string,
): Promise<Json<typeof CreditNote> | null> {
  const companyId = await findInvoiceCompany(tx, invoiceId);
  const invoice = await lockToCorrect(tx, companyId, invoiceId);
  await lockCompany(tx, companyId);
  const earlier = await selectCreditNoteByReference(tx, companyId, reference);
  if (earlier === null) return null;
  const { currency } = invoice;
  // Equal lines have equal sums.
  const isSameSum =
    body.details === undefined
      ? earlier.details === '[]' &&
        toMinor(toDecimal(earlier.total), currency) === readAmount(body.amount ?? '', currency)
      : earlier.details ===
        writeLines(body.details, computeTotals(body.details, '0', currency).lineAmountsMinor, currency);
  const isSame = earlier.invoiceId === invoiceId && earlier.reason === body.reason && isSameSum;
  if (isSame) {
    await recordMark(tx, companyId, null);
    return earlier.json;
  }
  throw new ApiError('reference_taken', 'The company has another credit note with this reference.', {
    details: [{ field: 'reference', message: 'is already used by a different credit note' }],
  });
}

/** Reads a page of an invoice's credit notes as JSON text, newest first. @throws ApiError not_found */
export async function listCreditNotes(
  db: Queryable,
  companyId: string,
  invoiceId: string,
  { page, perPage }: CreditNoteQuery,
): Promise<Json<typeof CreditNoteList>> {
  const found = await selectCreditNotes(db, companyId, invoiceId, { limit: perPage, offset: (page - 1) * perPage });
  if (found === null) return refuseUnknown();
  return withData({ total: Number(found.total), page, perPage }, found.data);
}

/** Does the same for the operator, whose request contains only the invoice's id. @throws ApiError not_found */
export async function listCreditNotesOfAny(
  db: Queryable,
  invoiceId: string,
  query: CreditNoteQuery,
): Promise<Json<typeof CreditNoteList>> {
  return listCreditNotes(db, await findInvoiceCompany(db, invoiceId), invoiceId, query);
}

function refuseUnknown(): never {
  throw notFound('invoice');
}
