import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { NewCreditNote } from '../invoices/corrections/corrections.queries.ts';
import type { InvoiceDraft } from '../invoices/issue/create.queries.ts';
import { buyerSnapshot, sellerSnapshot } from '../invoices/issue/snapshots.parts.queries.ts';

/*
 * Documents are JSON texts of whole rows, as `row_to_json` writes them. PostgreSQL reads them, because a JavaScript number can't hold every
 * amount.
 */

/** The journal's document of an invoice, and what the database has in its place. */
export type InvoiceToRestore = {
  id: string;
  /** The company of the document. */
  ofCompanyId: string;
  number: string;
  debt: string;
  startAt: Date;
  endAt: Date;
  currency: string;
  /** Percent; null if there are several. */
  taxRate: string | null;
  /** JSON text of the lines. */
  details: string;
  isPresent: boolean;
  /** The company's other invoice of the debt. */
  other: { id: string; number: string } | null;
  isNumberTaken: boolean;
};

/** Reads the document of an invoice, and what the database has in its place. */
export async function readInvoiceToRestore(tx: Tx, companyId: string, document: string): Promise<InvoiceToRestore> {
  const [row] = await tx<[InvoiceToRestore]>`
    SELECT given.id, given.company_id AS "ofCompanyId", given.number, given.debt, given.start_at AS "startAt", given.end_at AS "endAt",
           given.currency, trim_scale(given.tax_rate)::text AS "taxRate", given.details::text AS details,
           EXISTS (SELECT FROM invoices WHERE company_id = ${companyId} AND id = given.id) AS "isPresent",
           (SELECT json_build_object('id', id, 'number', number) FROM invoices
            WHERE company_id = ${companyId} AND debt = given.debt) AS other,
           ${isNumberTaken(tx, companyId)} AS "isNumberTaken"
    FROM json_populate_record(NULL::invoices, ${document}::text::json) AS given`;
  return row;
}

/** Whether a document has the number of the row `given`. An older number is unique only in its company. */
function isNumberTaken(tx: Tx, companyId: string) {
  const hasIt = tx`number = given.number AND (number_series IS NOT NULL OR company_id = ${companyId})`;
  return tx`(EXISTS (SELECT FROM invoices WHERE ${hasIt}) OR EXISTS (SELECT FROM credit_notes WHERE ${hasIt}))`;
}

/**
 * Inserts the invoice of the document as it was issued: unpaid, neither void nor credited. The buyer's record is the company's present one.
 * @returns false if the company has none
 */
export async function insertInvoiceAgain(tx: Tx, companyId: string, document: string): Promise<boolean> {
  const inserted = await tx`
    INSERT INTO invoices (company_id, id, number, number_series, bill_to_id, start_at, end_at, method, currency, minor_unit_digits,
                          tax_rate, taxes, sub_total, tax, total, details, metadata, created_at, buyer, seller, due_at, reference,
                          debt, reverse_charge)
    SELECT ${companyId}, given.id, given.number, given.number_series, billing.id, given.start_at, given.end_at, given.method,
           given.currency, given.minor_unit_digits, given.tax_rate, given.taxes, given.sub_total, given.tax, given.total, given.details,
           given.metadata, given.created_at, given.buyer, given.seller, given.due_at, given.reference, given.debt, given.reverse_charge
    FROM json_populate_record(NULL::invoices, ${document}::text::json) AS given
    JOIN billing_information AS billing ON billing.company_id = ${companyId}`;
  return inserted.count === 1;
}

/** An invoice to write, with what its issue decides. */
type DraftToDescribe = InvoiceDraft & { number: string; issuedAt: Date; dueAt: Date };

/** Writes the document of a drafted invoice, with the seller and the company's buyer of now. */
export async function describeDraft(tx: Tx, companyId: string, draft: DraftToDescribe): Promise<string> {
  const { details, taxes, issuedAt, dueAt, ...fields } = draft;
  const [row] = await tx<[{ document: string }]>`
    SELECT row_to_json(whole)::text AS document
    FROM (
      SELECT given.*, ${details}::text::json AS details, ${taxes === null ? null : JSON.stringify(taxes)}::text::json AS taxes,
             ${seriesOf(draft)} AS number_series, ${buyerSnapshot(tx, tx`${companyId}::uuid`)} AS buyer, ${sellerSnapshot(tx)} AS seller,
             ${issuedAt}::timestamptz AS created_at, ${dueAt}::timestamptz AS due_at
      FROM json_to_record(${JSON.stringify(toColumns(companyId, fields))}::text::json) AS given (
        company_id uuid, id uuid, number text, start_at timestamptz, end_at timestamptz, method text, currency text,
        minor_unit_digits smallint, tax_rate numeric, sub_total numeric, tax numeric, total numeric, reference text, debt text,
        reverse_charge boolean
      )
    ) AS whole`;
  return row.document;
}

/** The prefix of the number's series; null for a number without one. */
function seriesOf({ number }: { number: string }): string | null {
  return /^(.*[._-])\d{1,18}$/.exec(number)?.[1] ?? null;
}

function toColumns(companyId: string, draft: Omit<DraftToDescribe, 'details' | 'taxes' | 'issuedAt' | 'dueAt'>) {
  const { id, number, method, currency, tax, total, reference, debt } = draft;
  return {
    ...{ company_id: companyId, id, number, method, currency, tax, total, reference, debt },
    start_at: draft.startAt,
    end_at: draft.endAt,
    minor_unit_digits: draft.minorUnitDigits,
    tax_rate: draft.taxRate,
    sub_total: draft.subTotal,
    reverse_charge: draft.reverseCharge,
  };
}

/** Reads the last period before this instant that the company was billed for, and the one that a new period would repeat. */
export async function selectNeighboringPeriods(
  db: Queryable,
  companyId: string,
  { period, startAt }: { period: string; startAt: Date },
): Promise<{ before: string | null; repeated: string | null }> {
  const [row] = await db<[{ before: string | null; repeated: string | null }]>`
    SELECT max(period) FILTER (WHERE start_at < ${startAt} AND period < ${period}) AS before,
           min(period) FILTER (WHERE start_at = ${startAt} OR period = ${period}) AS repeated
    FROM billed_periods WHERE company_id = ${companyId}`;
  return row;
}

/** Voids the invoice as of the time in the document. */
export async function markVoidedAgain(tx: Tx, companyId: string, id: string, document: string): Promise<void> {
  await tx`
    UPDATE invoices SET voided_at = (${document}::text::json ->> 'voidedAt')::timestamptz, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id}`;
}

/** The journal's document of a credit note, and what the database has in its place. */
export type CreditNoteToRestore = NewCreditNote & { createdAt: Date; isPresent: boolean; isNumberTaken: boolean };

/** Reads the document of a credit note, and what the database has in its place. */
export async function readCreditNoteToRestore(
  tx: Tx,
  companyId: string,
  document: string,
): Promise<CreditNoteToRestore & { ofCompanyId: string }> {
  const [row] = await tx<[CreditNoteToRestore & { ofCompanyId: string }]>`
    SELECT given.id, given.company_id AS "ofCompanyId", given.number, given.number_series AS "numberSeries",
           given.invoice_id AS "invoiceId", given.reason, given.details::text AS details, given.taxes, given.sub_total::text AS "subTotal",
           given.tax::text AS tax, given.total::text AS total, given.after_payment AS "afterPayment", given.reference,
           given.created_at AS "createdAt",
           EXISTS (SELECT FROM credit_notes WHERE company_id = ${companyId} AND id = given.id) AS "isPresent",
           ${isNumberTaken(tx, companyId)} AS "isNumberTaken"
    FROM json_populate_record(NULL::credit_notes, ${document}::text::json) AS given`;
  return row;
}

/** The journal's document of a credit entry, and what the database has in its place. Amounts are in minor units. */
export type CreditEntryToRestore = {
  id: string;
  kind: string;
  amountMinor: string;
  currency: string;
  reason: string;
  carriedTaxMinor: string | null;
  createdAt: Date;
  isPresent: boolean;
  /** Whether the company has the invoice that carried the amount over; true for other entries. */
  hasOrigin: boolean;
};

/** Reads the document of a credit entry, and what the database has in its place. The reason of what was carried over names the invoice. */
export async function readCreditEntryToRestore(
  tx: Tx,
  companyId: string,
  document: string,
): Promise<CreditEntryToRestore> {
  const [row] = await tx<[CreditEntryToRestore]>`
    SELECT given.id, given.kind, given.amount_minor::text AS "amountMinor", given.currency, given.reason,
           given.carried_tax_minor::text AS "carriedTaxMinor", given.created_at AS "createdAt",
           EXISTS (SELECT FROM credit_entries WHERE company_id = ${companyId} AND id = given.id) AS "isPresent",
           given.carried_tax_minor IS NULL OR EXISTS (
             SELECT FROM invoices WHERE company_id = ${companyId} AND number = substring(given.reason FROM '^Invoice (\\S+) of ')
           ) AS "hasOrigin"
    FROM json_populate_record(NULL::credit_entries, ${document}::text::json) AS given`;
  return row;
}
