import { lockCompanies, readBillingSettingsOfMany } from '../../customers/companies/companies.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { recordInvoiceEvents } from '../invoices/record/record.ts';
import { continueAfter, recoverNumber } from '../numbering/numbering.service.ts';
import { impossible, type Restored } from './outcome.ts';
import { restoreBilledPeriod } from './period.ts';
import { insertInvoiceAgain, readInvoiceToRestore } from './restore.queries.ts';

export { restoreCreditNote, restoreVoid } from './corrections.ts';
export { restoreCreditEntry } from './credit-entry.ts';
export { impossible, type Restored, UNKNOWN_INVOICE } from './outcome.ts';
export { alertUncounted } from './uncounted.ts';

/*
 * Documents and credit that the database has lost are written again from the journal. The caller records the mark of the journal's entry in
 * the same transaction, and after the last one closes the cutoff of usage (`closeUsageCutoff`): what arrives from then on is late again.
 * Each function can be repeated: the second time changes nothing.
 */

/**
 * Writes an invoice again as it was issued, with its id, number, lines, seller and buyer: unpaid, neither void nor credited. The event that
 * it was created has its id of then, for endpoints that did not get it. A billing run's invoice is again that of its month. Whatever comes
 * out, its series continues after its number.
 * @param companyId - the company that gets it, which need not be that of the document
 * @param document - JSON text of the row of `invoices`
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
  if (settings === undefined) return { outcome: 'company_unknown' };
  if (invoice.isPresent) return { outcome: 'present' };
  if (invoice.other !== null) return { outcome: 'superseded', by: invoice.other };
  if (invoice.isNumberTaken) return { outcome: 'number_taken' };
  if (!(await insertInvoiceAgain(tx, companyId, document))) {
    return impossible('The billing information of the company is not in the database.');
  }
  await recoverNumber(tx, ofCompanyId, { type: 'invoice', number });
  await recordInvoiceEvents(tx, 'invoice.created', [{ companyId, id }]);
  return { outcome: 'restored', note: await restoreBilledPeriod(tx, settings, invoice, asCaptured) };
}
