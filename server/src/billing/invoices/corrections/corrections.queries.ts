import type { Queryable, Tx } from '../../../platform/database/database.ts';
import type { Json, JsonList } from '../../../platform/http/schema/json.ts';
import type { TaxOfRate } from '../issue/create.ts';
import type { CreditNote, CreditNoteList } from '../record/corrections.schema.ts';
import { amountLeft } from '../record/state.parts.queries.ts';
import { creditNoteFields } from './corrections.parts.queries.ts';

/** Amounts are in major units. */
export type InvoiceToCorrect = {
  status: 'Processing' | 'Succeeded' | 'Failed';
  isVoided: boolean;
  currency: string;
  /** Percent; empty if there are several. */
  taxRate: string;
  /** By rate, if there are several; otherwise null. */
  taxes: TaxOfRate[] | null;
  tax: string;
  total: string;
  creditedTotal: string;
  /** What can still be credited: before the invoice is paid, no more than is due. */
  creditable: string;
  isPartPaid: boolean;
};

/** Locks the invoice until the transaction ends, as charging does; null if the company has no such invoice. */
export async function lockInvoiceToCorrect(tx: Tx, companyId: string, id: string): Promise<InvoiceToCorrect | null> {
  const [row] = await tx<InvoiceToCorrect[]>`
    SELECT status, voided_at IS NOT NULL AS "isVoided", currency, coalesce(tax_rate::text, '') AS "taxRate", taxes, tax, total,
           credited_total AS "creditedTotal", part_paid > 0 AS "isPartPaid",
           CASE status WHEN 'Succeeded' THEN total - credited_total ELSE ${amountLeft(tx)} END AS creditable
    FROM invoices WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row ?? null;
}

/** Voids the invoice. */
export async function markVoided(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`
    UPDATE invoices SET voided_at = now(), updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND voided_at IS NULL`;
}

/** Sums the tax of the invoice's credit notes so far, in major units. */
export async function sumCreditedTax(db: Queryable, companyId: string, invoiceId: string): Promise<string> {
  const [row] = await db<[{ tax: string }]>`
    SELECT coalesce(sum(tax), 0)::text AS tax FROM credit_notes WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}`;
  return row.tax;
}

/** Sums the invoice's credit notes so far by rate, for an invoice with several rates. */
export async function sumCreditedByRate(db: Queryable, companyId: string, invoiceId: string): Promise<TaxOfRate[]> {
  return db<TaxOfRate[]>`
    SELECT line ->> 'rate' AS rate, sum((line ->> 'net')::numeric)::text AS net, sum((line ->> 'tax')::numeric)::text AS tax
    FROM credit_notes CROSS JOIN LATERAL json_array_elements(taxes) AS line
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}
    GROUP BY 1`;
}

export type NewCreditNote = {
  id: string;
  number: string;
  /** The prefix of the number's series. */
  numberSeries: string;
  invoiceId: string;
  reason: string;
  /** JSON text of the lines. */
  details: string;
  /** By rate, for an invoice with several; otherwise null. */
  taxes: TaxOfRate[] | null;
  subTotal: string;
  tax: string;
  total: string;
  afterPayment: boolean;
  reference: string | null;
  /** Now by default. */
  createdAt?: Date;
};

/** Inserts a credit note and adds it to the credited amount of its invoice. @returns the CreditNote as JSON text */
export async function insertCreditNote(
  tx: Tx,
  companyId: string,
  note: NewCreditNote,
): Promise<Json<typeof CreditNote>> {
  await tx`
    UPDATE invoices SET credited_total = credited_total + ${note.total}::text::numeric, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${note.invoiceId}`;
  await tx`
    INSERT INTO credit_notes (company_id, id, number, number_series, invoice_id, reason, details, sub_total, tax, total, after_payment,
                              reference, taxes, created_at)
    VALUES (${companyId}, ${note.id}, ${note.number}, ${note.numberSeries}, ${note.invoiceId}, ${note.reason},
            ${note.details}::text::json, ${note.subTotal}::text::numeric, ${note.tax}::text::numeric,
            ${note.total}::text::numeric, ${note.afterPayment}, ${note.reference},
            ${note.taxes === null ? null : JSON.stringify(note.taxes)}::text::json,
            coalesce(${note.createdAt ?? null}::timestamptz, now()))`;
  const [row] = await tx<[{ json: Json<typeof CreditNote> }]>`
    SELECT ${creditNoteJson(tx)}::text AS json
    FROM credit_notes AS notes
    JOIN invoices ON invoices.company_id = notes.company_id AND invoices.id = notes.invoice_id
    WHERE notes.company_id = ${companyId} AND notes.id = ${note.id}`;
  return row.json;
}

function creditNoteJson(db: Queryable) {
  return db`json_build_object(${creditNoteFields(db)})`;
}

/**
 * Reads the company's credit note with this reference as JSON text, with the request that created it; null if there is
 * none.
 */
export async function selectCreditNoteByReference(
  db: Queryable,
  companyId: string,
  reference: string,
): Promise<{
  json: Json<typeof CreditNote>;
  invoiceId: string;
  reason: string;
  details: string;
  total: string;
} | null> {
  const [row] = await db<
    { json: Json<typeof CreditNote>; invoiceId: string; reason: string; details: string; total: string }[]
  >`
    SELECT ${creditNoteJson(db)}::text AS json, notes.invoice_id AS "invoiceId", notes.reason, notes.details::text AS details,
           notes.total
    FROM credit_notes AS notes
    JOIN invoices ON invoices.company_id = notes.company_id AND invoices.id = notes.invoice_id
    WHERE notes.company_id = ${companyId} AND notes.reference = ${reference}`;
  return row ?? null;
}

/** Reads a page of the invoice's credit notes as JSON text, the newest first, and their number; null if there is no such invoice. */
export async function selectCreditNotes(
  db: Queryable,
  companyId: string,
  invoiceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: string; data: JsonList<typeof CreditNoteList> } | null> {
  const [row] = await db<{ total: string; data: JsonList<typeof CreditNoteList> }[]>`
    SELECT (
      SELECT count(*) FROM credit_notes AS notes
      WHERE notes.company_id = invoices.company_id AND notes.invoice_id = invoices.id
    )::text AS total, (
      SELECT coalesce(json_agg(${creditNoteJson(db)} ORDER BY notes.id DESC), '[]')
      FROM (
        SELECT * FROM credit_notes
        WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}
        ORDER BY id DESC
        LIMIT ${limit} OFFSET ${offset}
      ) AS notes
    )::text AS data
    FROM invoices
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}`;
  return row ?? null;
}
