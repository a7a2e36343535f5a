import type { Queryable } from '../platform/database/database.ts';
import { notFound } from '../platform/errors.ts';
import { selectCreditNoteDocument, selectInvoiceDocument } from './documents.queries.ts';
import type { CreditNoteDocument, InvoiceDocument } from './sheet/document.ts';

/** Reads everything that an invoice's PDF shows. @throws ApiError not_found */
export async function readInvoiceDocument(db: Queryable, companyId: string, id: string): Promise<InvoiceDocument> {
  const row = await selectInvoiceDocument(db, companyId, id);
  if (row === null) throw notFound('invoice');
  const { timezone, ...buyer } = row.buyer;
  const creditNotes = row.creditNotes.map((note) => ({ ...note, issuedAt: new Date(note.issuedAt) }));
  return { ...row, buyer, timezone, creditNotes };
}

/** Reads everything that a credit note's PDF shows. @throws ApiError not_found */
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
