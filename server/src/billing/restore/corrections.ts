import { lockCompanies } from '../../customers/companies/companies.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { addDecimals, compareDecimals, toDecimal } from '../../platform/money/decimal.ts';
import {
  type InvoiceToCorrect,
  insertCreditNote,
  lockInvoiceToCorrect,
  selectCreditNoteByReference,
} from '../invoices/corrections/corrections.queries.ts';
import type { FindLivePayment } from '../invoices/corrections/corrections.ts';
import { recordCreditNote, recordInvoiceEvents } from '../invoices/record/record.ts';
import { continueAfter, recoverNumber } from '../numbering/numbering.service.ts';
import { impossible, type Restored, UNKNOWN_INVOICE } from './outcome.ts';
import { type CreditNoteToRestore, markVoidedAgain, readCreditNoteToRestore } from './restore.queries.ts';

const RUNNING_PAYMENT = 'The outcome of a payment of the invoice is not known yet.';

/**
 * Voids an invoice again, as of then, if it is as it was: unpaid, without credit notes and without a payment whose outcome is unknown.
 * `document` is JSON text with `voidedAt`.
 */
export async function restoreVoid(
  tx: Tx,
  companyId: string,
  { invoiceId, document }: { invoiceId: string; document: string },
  findLivePayment: FindLivePayment,
): Promise<Restored> {
  const invoice = await lockInvoiceToCorrect(tx, companyId, invoiceId);
  if (invoice === null) return impossible(UNKNOWN_INVOICE);
  if (invoice.isVoided) return { outcome: 'present' };
  if (invoice.status === 'Succeeded') return impossible('The invoice is paid.');
  if (compareDecimals(toDecimal(invoice.creditedTotal), toDecimal('0')) > 0) {
    return impossible('The invoice has credit notes.');
  }
  if ((await findLivePayment(tx, companyId, invoiceId)) !== null) return impossible(RUNNING_PAYMENT);
  await markVoidedAgain(tx, companyId, invoiceId, document);
  await recordInvoiceEvents(tx, 'invoice.voided', [{ companyId, id: invoiceId }]);
  return { outcome: 'restored', note: null };
}

/**
 * Writes a credit note again, with its id, number and lines, if its invoice is as it was: not void, with as much left to credit, and paid
 * if it was paid then. Whatever comes out, its series continues after its number.
 * @param document - JSON text of the row of `credit_notes`
 */
export async function restoreCreditNote(
  tx: Tx,
  companyId: string,
  document: string,
  findLivePayment: FindLivePayment,
): Promise<Restored> {
  const { invoice_id: invoiceId } = JSON.parse(document) as { invoice_id: string };
  // In the order in which issuing a credit note locks them.
  const invoice = await lockInvoiceToCorrect(tx, companyId, invoiceId);
  await lockCompanies(tx, [companyId]);
  const { ofCompanyId, ...note } = await readCreditNoteToRestore(tx, companyId, document);
  const { number, reference } = note;
  await continueAfter(tx, number);
  if (note.isPresent) return { outcome: 'present' };
  const sameReference = reference === null ? null : await selectCreditNoteByReference(tx, companyId, reference);
  if (sameReference !== null) return { outcome: 'superseded', by: readKey(sameReference.json) };
  const reason =
    invoice === null ? UNKNOWN_INVOICE : findObstacle(invoice, note, await findLivePayment(tx, companyId, invoiceId));
  if (reason !== null) return impossible(reason);
  if (note.isNumberTaken) return { outcome: 'number_taken' };
  const json = await insertCreditNote(tx, companyId, note);
  await recordCreditNote(tx, companyId, json, note);
  await recoverNumber(tx, ofCompanyId, { type: 'credit_note', number });
  return { outcome: 'restored', note: null };
}

function readKey(note: string): { id: string; number: string } {
  const { id, number } = JSON.parse(note) as { id: string; number: string };
  return { id, number };
}

/** Says why the invoice can't have the credit note; null if it can. */
function findObstacle(
  invoice: InvoiceToCorrect,
  { total, afterPayment }: CreditNoteToRestore,
  paymentState: string | null,
): string | null {
  if (invoice.isVoided) return 'The invoice is void.';
  const credited = addDecimals(toDecimal(invoice.creditedTotal), toDecimal(total));
  if (compareDecimals(credited, toDecimal(invoice.total)) > 0)
    return 'The rest of the invoice is less than this credit note.';
  if (paymentState !== null && paymentState !== 'captured') return RUNNING_PAYMENT;
  if (afterPayment === (invoice.status === 'Succeeded')) return null;
  return afterPayment
    ? 'The invoice was paid when the credit note was issued, and is not paid now.'
    : 'The invoice was not paid when the credit note was issued, and is paid now.';
}
