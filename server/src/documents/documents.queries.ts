import { amountDue } from '../billing/invoices/record/state.parts.queries.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Buyer, CreditNoteDocument, InvoiceDocument } from './sheet/document.ts';

/** As the database answers: instants inside JSON are text. */
export type InvoiceDocumentRow = Omit<InvoiceDocument, 'buyer' | 'timezone' | 'creditNotes'> & {
  buyer: Buyer & { timezone: string };
  creditNotes: { number: string; issuedAt: string; total: string; afterPayment: boolean }[];
};

/** Reads everything that an invoice's PDF shows; null if the company has no such invoice. Amounts are exact texts. */
export async function selectInvoiceDocument(
  db: Queryable,
  companyId: string,
  id: string,
): Promise<InvoiceDocumentRow | null> {
  const [row] = await db<InvoiceDocumentRow[]>`
    SELECT number, status, invoices.created_at AS "issuedAt", due_at AS "dueAt", start_at AS "startAt", end_at AS "endAt",
           voided_at AS "voidedAt",
           seller, buyer, reverse_charge AS "reverseCharge",
           invoices.currency, minor_unit_digits AS "minorUnitDigits", trim_scale(tax_rate)::text AS "taxRate", taxes,
           sub_total AS "subTotal", tax, total, credit_used AS "creditApplied",
           part_paid - credit_used + coalesce(payments.credit_minor / 10::numeric ^ minor_unit_digits, 0) AS "partPaid",
           ${amountDue(db)} AS "amountDue",
           payments.updated_at AS "paidAt", payments.amount_minor / 10::numeric ^ minor_unit_digits AS "paidAmount",
           (
             SELECT json_agg(json_build_object(
                      'title', line ->> 'title', 'path', line ->> 'path', 'totalRequest', line ->> 'totalRequest',
                      'amount', line ->> 'amount', 'kind', line ->> 'kind', 'taxRate', line ->> 'taxRate',
                      'unitAmount', line ->> 'unitAmount',
                      'price', CASE WHEN prices.id IS NOT NULL THEN json_build_object(
                        'model', model, 'freeRequests', free_requests::text, 'unitAmount', rates ->> 'unitAmount',
                        'packageAmount', rates ->> 'packageAmount', 'packageSize', rates ->> 'packageSize'
                      ) END
                    ) ORDER BY place)
             FROM json_array_elements(details) WITH ORDINALITY AS lines (line, place)
             LEFT JOIN prices ON prices.id = (line ->> 'priceId')::uuid
           ) AS lines,
           (
             SELECT coalesce(json_agg(json_build_object('number', notes.number, 'issuedAt', iso_instant(notes.created_at),
                                                        'total', notes.total::text, 'afterPayment', after_payment) ORDER BY notes.id), '[]')
             FROM credit_notes AS notes
             WHERE notes.company_id = ${companyId} AND notes.invoice_id = ${id}
           ) AS "creditNotes"
    FROM invoices
    LEFT JOIN payments ON payments.company_id = invoices.company_id AND payments.id = invoices.payment_id
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${id}`;
  return row ?? null;
}

type CreditNoteDocumentRow = Omit<CreditNoteDocument, 'buyer' | 'timezone'> & { buyer: Buyer & { timezone: string } };

/** Reads everything that a credit note's PDF shows; null if the company has no such credit note. Amounts are exact texts. */
export async function selectCreditNoteDocument(
  db: Queryable,
  companyId: string,
  id: string,
): Promise<CreditNoteDocumentRow | null> {
  const [row] = await db<CreditNoteDocumentRow[]>`
    SELECT notes.number, notes.created_at AS "issuedAt", reason, notes.sub_total AS "subTotal", notes.tax, notes.total,
           after_payment AS "afterPayment", invoices.number AS "invoiceNumber", invoices.created_at AS "invoiceIssuedAt",
           start_at AS "startAt", end_at AS "endAt", seller, buyer, reverse_charge AS "reverseCharge",
           currency, minor_unit_digits AS "minorUnitDigits",
           trim_scale(tax_rate)::text AS "taxRate", notes.taxes,
           (
             SELECT coalesce(json_agg(json_build_object('title', line ->> 'title', 'amount', line ->> 'amount',
                                                        'taxRate', line ->> 'taxRate') ORDER BY place), '[]')
             FROM json_array_elements(notes.details) WITH ORDINALITY AS lines (line, place)
           ) AS lines
    FROM credit_notes AS notes
    JOIN invoices ON invoices.company_id = notes.company_id AND invoices.id = notes.invoice_id
    WHERE notes.company_id = ${companyId} AND notes.id = ${id}`;
  return row ?? null;
}
