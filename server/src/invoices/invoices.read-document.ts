import type { Queryable } from '../database/database.ts';
import { notFound } from '../errors.ts';
import { selectCreditNoteDocument, selectInvoiceDocument } from './invoices.document.queries.ts';
import type { CreditNoteDocument, InvoiceDocument } from './invoices.document.ts';

/** An invoice with all that its PDF shows. @throws ApiError not_found */
export async function readInvoiceDocument(db: Queryable, companyId: string, id: string): Promise<InvoiceDocument> {
  const row = await selectInvoiceDocument(db, companyId, id);
  if (row === null) throw notFound('invoice');
  const { timezone, ...buyer } = row.buyer;
  const creditNotes = row.creditNotes.map((note) => ({ ...note, issuedAt: new Date(note.issuedAt) }));
  return { ...row, buyer, timezone, creditNotes };
}

/** A credit note with all that its PDF shows. @throws ApiError not_found */
export async function readCreditNoteDocument(
  db: Queryable,
  companyId: string,
  id: string,
): Promise<CreditNoteDocument> {
  const row = await selectCreditNoteDocument(db, companyId, id);
  if (row === null) throw notFound('credit note');
  const { timezone, ...buyer } = row.buyer;
  return { ...row, buyer, timezone };
}
