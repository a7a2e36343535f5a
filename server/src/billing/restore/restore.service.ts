import { lockCompanies, readBillingSettingsOfMany } from '../../customers/companies/companies.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { addDecimals, compareDecimals, toDecimal } from '../../platform/money/decimal.ts';
import { insertCreditEntry, selectCreditBalance } from '../credits/credits.queries.ts';
import {
  insertCreditNote,
  lockInvoiceToCorrect,
  selectCreditNoteByReference,
} from '../invoices/corrections/corrections.queries.ts';
import type { FindLivePayment } from '../invoices/corrections/corrections.ts';
import { recordCreditNote, recordInvoiceEvents } from '../invoices/record/record.ts';
import { continueAfter, recoverNumber } from '../numbering/numbering.service.ts';
import { restoreBilledPeriod } from './period.ts';
import {
  insertInvoiceAgain,
  markVoidedAgain,
  readCreditEntryToRestore,
  readCreditNoteToRestore,
  readInvoiceToRestore,
} from './restore.queries.ts';

/*
 * Documents and credit that the database has lost are written again from the journal, if what they are about is as it was then. The caller
 * records the mark of the journal's entry in the same transaction, and after the last one closes the cutoff of usage (`closeUsageCutoff`):
 * what arrives from then on is late again. Each function can be repeated: the second time changes nothing. `document` is the JSON text of
 * the row. `companyId` is the company that gets it, which need not be that of the document.
 */

/** What happened to a document that was to be written again. In every case but `restored`, nothing was written. */
export type Restored =
  /** `note` says what is not as it was; null if all is. */
  | { outcome: 'restored'; note: string | null }
  /** It is here already, under its id. */
  | { outcome: 'present' }
  /** Meanwhile another document was issued for the same debt, or with the same reference. */
  | { outcome: 'superseded'; by: { id: string; number: string } }
  /** Another document has its number. */
  | { outcome: 'number_taken' }
  | { outcome: 'company_unknown' }
  /** `reason` is a sentence for the person who decides. */
  | { outcome: 'impossible'; reason: string };

export const RESTORED = { outcome: 'restored', note: null } as const;
export const PRESENT = { outcome: 'present' } as const;
export const COMPANY_UNKNOWN = { outcome: 'company_unknown' } as const;
/** Its invoice may come back after the hold, with a billing run. */
export const UNKNOWN_INVOICE = 'The invoice is not in the database.';
/** Of an invoice that was paid, voided or credited since, or is being paid. */
export const OTHER_INVOICE = 'The invoice is not as it was then.';

/** Says that the document can't be written again, and why. */
export function impossible(reason: string): Restored {
  return { outcome: 'impossible', reason };
}

/**
 * Writes an invoice again as it was issued, with its id, number, lines, seller and buyer: unpaid, neither void nor credited. The event that
 * it was created has its id of then, for endpoints that did not get it. A billing run's invoice is again that of its month. Whatever comes
 * out, its series continues after its number.
 * @param asCaptured - as for `noteTaken`
 */
export async function restoreInvoice(
  tx: Tx,
  companyId: string,
  document: string,
  asCaptured?: { usage: string | null },
): Promise<Restored> {
  await lockCompanies(tx, [companyId]);
  const [settings] = await readBillingSettingsOfMany(tx, [companyId]);
  const invoice = await readInvoiceToRestore(tx, companyId, document);
  const { id, number, ofCompanyId } = invoice;
  await continueAfter(tx, number);
  if (settings === undefined) return COMPANY_UNKNOWN;
  if (invoice.isPresent) return PRESENT;
  if (invoice.other !== null) return { outcome: 'superseded', by: invoice.other };
  if (invoice.isNumberTaken) return { outcome: 'number_taken' };
  if (!(await insertInvoiceAgain(tx, companyId, document)))
    return impossible('The billing information of the company is not in the database.');
  await recoverNumber(tx, ofCompanyId, { type: 'invoice', number });
  await recordInvoiceEvents(tx, 'invoice.created', [{ companyId, id }]);
  return { outcome: 'restored', note: await restoreBilledPeriod(tx, settings, invoice, asCaptured) };
}

/** Voids an invoice again, as of then: unpaid, without credit notes and without a payment. `document` is JSON text with `voidedAt`. */
export async function restoreVoid(
  tx: Tx,
  companyId: string,
  { invoiceId, document }: { invoiceId: string; document: string },
  findLivePayment: FindLivePayment,
): Promise<Restored> {
  const invoice = await lockInvoiceToCorrect(tx, companyId, invoiceId);
  if (invoice === null) return impossible(UNKNOWN_INVOICE);
  if (invoice.isVoided) return PRESENT;
  const isCredited = compareDecimals(toDecimal(invoice.creditedTotal), toDecimal('0')) > 0;
  const isPaid = invoice.status === 'Succeeded' || (await findLivePayment(tx, companyId, invoiceId)) !== null;
  if (isCredited || isPaid) return impossible(OTHER_INVOICE);
  await markVoidedAgain(tx, companyId, invoiceId, document);
  await recordInvoiceEvents(tx, 'invoice.voided', [{ companyId, id: invoiceId }]);
  return RESTORED;
}

/**
 * Writes a credit note again, with its id, number and lines, if its invoice is not void, has as much left to credit, and is paid if it was
 * paid then. Whatever comes out, its series continues after its number.
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
  const { number, reference, total, afterPayment } = note;
  await continueAfter(tx, number);
  if (note.isPresent) return PRESENT;
  const sameReference = reference === null ? null : await selectCreditNoteByReference(tx, companyId, reference);
  if (sameReference !== null) {
    const by = JSON.parse(sameReference.json) as { id: string; number: string };
    return { outcome: 'superseded', by: { id: by.id, number: by.number } };
  }
  if (invoice === null) return impossible(UNKNOWN_INVOICE);
  const paymentState = await findLivePayment(tx, companyId, invoiceId);
  const credited = addDecimals(toDecimal(invoice.creditedTotal), toDecimal(total));
  const isAsItWas =
    !invoice.isVoided &&
    compareDecimals(credited, toDecimal(invoice.total)) <= 0 &&
    (paymentState === null || paymentState === 'captured') &&
    afterPayment === (invoice.status === 'Succeeded');
  if (!isAsItWas) return impossible(OTHER_INVOICE);
  if (note.isNumberTaken) return { outcome: 'number_taken' };
  const json = await insertCreditNote(tx, companyId, note);
  await recordCreditNote(tx, companyId, json, note);
  await recoverNumber(tx, ofCompanyId, { type: 'credit_note', number });
  return RESTORED;
}

/**
 * Writes a grant or a correction of credit again, with its id and time, after the last entry: its number in the ledger may differ. What a
 * bill carried over comes back only with its invoice. What payments and refunds do to the credit belongs to them.
 */
export async function restoreCreditEntry(tx: Tx, companyId: string, document: string): Promise<Restored> {
  await lockCompanies(tx, [companyId]);
  const [settings] = await readBillingSettingsOfMany(tx, [companyId]);
  if (settings === undefined) return COMPANY_UNKNOWN;
  const { id, kind, currency, reason, createdAt, ...given } = await readCreditEntryToRestore(tx, companyId, document);
  if (given.isPresent) return PRESENT;
  const isGiven = kind === 'grant' || kind === 'correction';
  const amountMinor = BigInt(given.amountMinor);
  const balanceMinor = (await selectCreditBalance(tx, companyId))?.balanceMinor ?? 0n;
  const isCovered = currency === settings.currency && balanceMinor + amountMinor >= 0n;
  if (!isGiven || !given.hasOrigin || !isCovered) return impossible('The credit of the company is not as it was then.');
  const carried = given.carriedTaxMinor === null ? {} : { carriedTaxMinor: BigInt(given.carriedTaxMinor) };
  await insertCreditEntry(tx, companyId, {
    ...{ id, kind, amountMinor, currency, reason, createdAt, paymentId: null },
    ...carried,
  });
  return RESTORED;
}
