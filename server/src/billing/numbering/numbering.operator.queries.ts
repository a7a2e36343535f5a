import { companyPrefix } from '../../customers/companies/companies.parts.queries.ts';
import { idList, type Part, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { Numbering, NumberingBody } from './numbering.schema.ts';

export type DocumentType = 'invoice' | 'credit_note';
export type AllocatedNumber = { series: string; number: string };

/**
 * Parts that allocate the next number for each of these companies, in their order, in the statement that uses them: `WITH <these>`, whose
 * `numbered` has the columns company_id, series and number; none for an unknown company. Other transactions that need the next number of a
 * series wait until this one ends, so there is no gap.
 */
export function numberingParts(tx: Tx, companyIds: readonly string[], type: DocumentType): Part {
  const companyPart = tx`CASE numbering.series WHEN 'company' THEN ${companyPrefix(tx)} ELSE '' END`;
  return tx`
    to_number AS MATERIALIZED (
      SELECT companies.id, place, ${sellerPrefix(tx, type)} || ${companyPart} || ${yearPart(tx)} AS prefix
      FROM numbering, unnest(${idList(tx, companyIds)}) WITH ORDINALITY AS given (id, place)
      JOIN companies ON companies.id = given.id
    ), taken AS (
      INSERT INTO number_series AS series (prefix, last_number)
      SELECT prefix, count(*) FROM to_number GROUP BY prefix ORDER BY prefix
      ON CONFLICT (prefix) DO UPDATE SET last_number = series.last_number + excluded.last_number
      RETURNING prefix, last_number
    ), placed AS (
      SELECT id, prefix, last_number + 1 - row_number() OVER (PARTITION BY prefix ORDER BY place DESC) AS place_in_series
      FROM to_number JOIN taken USING (prefix)
    ), numbered AS (
      SELECT id AS company_id, prefix AS series, ${writeNumber(tx, tx`prefix`, tx`place_in_series`)} AS number FROM placed
    )`;
}

/** Allocates the next number for a document of the company. @returns undefined for an unknown company */
export async function allocateNextNumber(
  tx: Tx,
  companyId: string,
  type: DocumentType,
): Promise<AllocatedNumber | undefined> {
  const [row] = await tx<
    AllocatedNumber[]
  >`WITH ${numberingParts(tx, [companyId], type)} SELECT series, number FROM numbered`;
  return row;
}

/** Reads how documents are numbered, and the next numbers if there is one series. */
export async function selectNumbering(db: Queryable): Promise<Numbering> {
  const next = (type: DocumentType) => db`(
    SELECT ${writeNumber(db, db`shown.prefix`, db`coalesce(number_series.last_number, 0) + 1`)}
    FROM (SELECT ${sellerPrefix(db, type)} || ${yearPart(db)} AS prefix) AS shown
    LEFT JOIN number_series USING (prefix)
    WHERE numbering.series = 'seller'
  )`;
  const [row] = await db<[Numbering]>`
    SELECT series, invoice_prefix AS "invoicePrefix", credit_note_prefix AS "creditNotePrefix", yearly_restart AS "yearlyRestart",
           timezone, ${next('invoice')} AS "nextInvoiceNumber", ${next('credit_note')} AS "nextCreditNoteNumber",
           updated_at AS "updatedAt"
    FROM numbering`;
  return row;
}

/** The prefixes in force, and those of all series that have begun. */
export type Prefixes = Pick<Numbering, 'invoicePrefix' | 'creditNotePrefix'> & { begun: string[] };

/** Reads the prefixes, and locks the settings until the transaction ends. */
export async function lockPrefixes(tx: Tx): Promise<Prefixes> {
  const [row] = await tx<[Omit<Prefixes, 'begun'>]>`
    SELECT invoice_prefix AS "invoicePrefix", credit_note_prefix AS "creditNotePrefix" FROM numbering FOR UPDATE`;
  const series = await tx<{ prefix: string }[]>`SELECT prefix FROM number_series`;
  return { ...row, begun: series.map(({ prefix }) => prefix) };
}

/** Writes the given settings. */
export async function updateNumbering(tx: Tx, body: NumberingBody): Promise<void> {
  await tx`
    UPDATE numbering
    SET series = coalesce(${body.series ?? null}, series), invoice_prefix = coalesce(${body.invoicePrefix ?? null}, invoice_prefix),
        credit_note_prefix = coalesce(${body.creditNotePrefix ?? null}, credit_note_prefix),
        yearly_restart = coalesce(${body.yearlyRestart ?? null}, yearly_restart),
        timezone = coalesce(${body.timezone ?? null}, timezone), updated_at = now()`;
}

function sellerPrefix(db: Queryable, type: DocumentType) {
  return type === 'invoice' ? db`numbering.invoice_prefix` : db`numbering.credit_note_prefix`;
}

/** The current year, which is also that of the document's date. */
function yearPart(db: Queryable) {
  return db`CASE WHEN numbering.yearly_restart THEN to_char(now() AT TIME ZONE numbering.timezone, 'YYYY-') ELSE '' END`;
}

type Fragment = ReturnType<typeof companyPrefix>;

/** Writes a number with at least six digits. */
export function writeNumber(db: Queryable, prefix: Fragment, number: Fragment) {
  return db`${prefix} || lpad((${number})::text, greatest(6, length((${number})::text)), '0')`;
}
