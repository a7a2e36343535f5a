import { companyName } from '../identity/companies/names.parts.queries.ts';
import type { Part, Queryable } from '../platform/database/database.ts';
import { currencyCodes, minorUnitDigits } from '../platform/money/currencies.ts';

/** The filters that all lists share; null where none was given. Amounts are in major units. */
export type CommonFilter = {
  companyId: string | null;
  invoiceId: string | null;
  /** Inclusive. */
  from: Date | null;
  /** Exclusive. */
  to: Date | null;
  currency: string | null;
  min: string | null;
  max: string | null;
};

/** A list's condition on the currency, and its amount in major units. */
type Amounts = { hasCurrency: (currency: string) => Part; amount: Part };

/** The condition on a row of any list. Keys lead with the company, so an invoice's company is looked up first. */
export function matchesCommon(
  db: Queryable,
  { companyId, invoiceId, from, to, currency, min, max }: CommonFilter,
  row: Amounts,
): Part {
  const ofInvoice = db`
    AND company_id = (SELECT company_id FROM invoices WHERE id = ${invoiceId} LIMIT 1) AND invoice_id = ${invoiceId}`;
  return db`true
    ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
    ${invoiceId === null ? db`` : ofInvoice}
    ${from === null ? db`` : db`AND created_at >= ${from}`}
    ${to === null ? db`` : db`AND created_at < ${to}`}
    ${currency === null ? db`` : db`AND ${row.hasCurrency(currency)}`}
    ${min === null ? db`` : db`AND ${row.amount} >= ${min}::text::numeric`}
    ${max === null ? db`` : db`AND ${row.amount} <= ${max}::text::numeric`}`;
}

/**
 * Converts minor to major units by the row's `currency`. Joining the invoice for it would take seconds for a million
 * rows.
 */
export function inMajorUnits(db: Queryable, minor: Part): Part {
  const divisors = [0, 3, 4].map((digits) => {
    const codes = currencyCodes.filter((code) => minorUnitDigits(code) === digits);
    return `WHEN currency IN (${codes.map((code) => `'${code}'`)}) THEN ${10 ** digits}`;
  });
  return db`${minor} / CASE ${db.unsafe(divisors.join(' '))} ELSE 100 END::numeric`;
}

/** A row of a list, after which others follow. */
export type RowKey = { companyId: string; id: string };

/** Which rows of the matching ones, in the list's order: from an offset, or after a row. */
export type Range = { limit: number; offset: number; after?: RowKey | null };

export type ListedTable = 'companies' | 'payments' | 'refunds' | 'credit_notes';

/**
 * A page of the table in the lists' order. With `isNarrow` the matches are few (a company's, or those of a number):
 * they are found by their key and sorted, instead of scanning the table from the newest row.
 */
export function selectPage(
  db: Queryable,
  table: ListedTable,
  { matches, isNarrow, limit, offset, after = null }: Range & { matches: Part; isNarrow: boolean },
): Part {
  const following =
    after === null
      ? db``
      : db`AND (created_at, id) < (
          SELECT last.created_at, last.id FROM ${db(table)} AS last WHERE last.company_id = ${after.companyId} AND last.id = ${after.id}
        )`;
  return db`
    SELECT * FROM (SELECT * FROM ${db(table)} WHERE ${matches} ${following} ${isNarrow ? db`OFFSET 0` : db``}) AS found
    ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
}

/** The name of each company on `page`, as `company_names`. */
export function companyNames(db: Queryable): Part {
  return db`company_names AS MATERIALIZED (
    SELECT company_id, ${companyName(db, db`on_page.company_id`)} AS name FROM (SELECT DISTINCT company_id FROM page) AS on_page
  )`;
}

/** Whether no filter was given. */
export function hasNoFilter(filter: object): boolean {
  return Object.values(filter).every((value) => value === null);
}

/** The table's number of rows, from the counter that the database keeps. */
export function countAll(db: Queryable, table: ListedTable): Part {
  return db`(SELECT coalesce(sum(counted), 0) FROM row_counts WHERE table_name = ${table})`;
}
