import { creditNoteFields } from '../billing/invoices/corrections/corrections.parts.queries.ts';
import { pageData, pageRows } from '../billing/invoices/record/page.parts.queries.ts';
import type { Part, Queryable } from '../platform/database/database.ts';
import type { FirstItems } from '../platform/http/limits/batches.ts';
import type { JsonList } from '../platform/http/schema/json.ts';
import {
  type CommonFilter,
  companyNames,
  countAll,
  hasNoFilter,
  matchesCommon,
  type Range,
  type RowKey,
  selectPage,
} from './lists.parts.queries.ts';
import type { OperatorCreditNoteList } from './operator-lists.schema.ts';

export type CreditNoteFilter = CommonFilter & { number: string | null };

/** A number from the time when each company numbered its own documents is found by another index. */
function matches(db: Queryable, { number, ...common }: CreditNoteFilter): Part {
  const hasCurrency = (currency: string) => db`EXISTS (
    SELECT FROM invoices
    WHERE invoices.company_id = credit_notes.company_id AND invoices.id = credit_notes.invoice_id AND invoices.currency = ${currency}
  )`;
  const hasNumber = db`AND (
    (number = ${number} AND number_series IS NOT NULL) OR (number = ${number} AND number_series IS NULL)
  )`;
  return db`${matchesCommon(db, common, { hasCurrency, amount: db`total` })} ${number === null ? db`` : hasNumber}`;
}

/** A row of `credit_notes`, aliased `notes`, with its "companyName", as the operator's list shows it. */
function operatorCreditNote(db: Queryable): Part {
  return db`(
    SELECT json_build_object(${creditNoteFields(db)}, 'companyName', notes."companyName")
    FROM invoices WHERE invoices.company_id = notes.company_id AND invoices.id = notes.invoice_id
  )`;
}

/**
 * A page of the credit notes of all companies, newest first: `notes` are their keys, and the first ones, as many as are read at once, are
 * read as JSON text.
 */
export async function selectCreditNotesOfAll(
  db: Queryable,
  filter: CreditNoteFilter,
  range: Range,
): Promise<FirstItems<typeof OperatorCreditNoteList> & { notes: RowKey[] }> {
  const [row] = await db<[FirstItems<typeof OperatorCreditNoteList> & { notes: string }]>`
    WITH page AS MATERIALIZED (
      ${selectPage(db, 'credit_notes', { matches: matches(db, filter), isNarrow: isNarrow(filter), ...range })}
    ), ${companyNames(db)}
    SELECT ${pageData(db, operatorCreditNote(db))},
           coalesce(json_agg(json_build_object('companyId', notes.company_id, 'id', notes.id)), '[]')::text AS notes
    FROM ${pageRows(db, db`SELECT ${named(db)} ORDER BY page.created_at DESC, page.id DESC`, 'notes')}`;
  return { ...row, notes: JSON.parse(row.notes) };
}

/** The keys of credit notes of all companies, newest first. */
export async function selectCreditNoteKeys(db: Queryable, filter: CreditNoteFilter, range: Range): Promise<RowKey[]> {
  return db<RowKey[]>`
    SELECT company_id AS "companyId", id
    FROM (${selectPage(db, 'credit_notes', { matches: matches(db, filter), isNarrow: isNarrow(filter), ...range })}) AS page
    ORDER BY created_at DESC, id DESC`;
}

function isNarrow({ companyId, invoiceId, number }: CreditNoteFilter): boolean {
  return companyId !== null || invoiceId !== null || number !== null;
}

/** The rows of `page` joined with `company_names`. */
function named(db: Queryable): Part {
  return db`page.*, company_names.name AS "companyName" FROM page JOIN company_names ON company_names.company_id = page.company_id`;
}

/** These credit notes as a JSON text list, in the given order. */
export async function selectCreditNoteBatch(
  db: Queryable,
  batch: readonly RowKey[],
): Promise<JsonList<typeof OperatorCreditNoteList>> {
  const [row] = await db<[{ data: JsonList<typeof OperatorCreditNoteList> }]>`
    WITH page AS MATERIALIZED (
      SELECT notes.*, position
      FROM ROWS FROM (json_to_recordset(${JSON.stringify(batch)}::text::json) AS ("companyId" uuid, id uuid)) WITH ORDINALITY
        AS given ("companyId", id, position)
      CROSS JOIN LATERAL (SELECT * FROM credit_notes WHERE company_id = given."companyId" AND credit_notes.id = given.id OFFSET 0) AS notes
    ), ${companyNames(db)}
    SELECT coalesce(json_agg(${operatorCreditNote(db)} ORDER BY position), '[]')::text AS data FROM (SELECT ${named(db)}) AS notes`;
  return row.data;
}

/** How many credit notes match. */
export async function countCreditNotesOfAll(db: Queryable, filter: CreditNoteFilter): Promise<string> {
  const [row] = hasNoFilter(filter)
    ? await db<[{ total: string }]>`SELECT ${countAll(db, 'credit_notes')}::text AS total`
    : await db<[{ total: string }]>`SELECT count(*)::text AS total FROM credit_notes WHERE ${matches(db, filter)}`;
  return row.total;
}
