import { isInvoiceOpen } from '../../billing/invoices/record/state.parts.queries.ts';
import { type Db, idList, type Part, type Queryable, type Tx } from '../../platform/database/database.ts';
import { caseColumns } from '../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';

/**
 * Reads the case that is to be dealt with first; null when there is none. Lost companies come first, and lost invoices before everything
 * else, since it may be about them: the journal of another machine may have got one later than what was done with it.
 * @param companyIds - the companies whose cases were left to a person and are dealt with again
 */
export async function selectFirstCase(db: Queryable, companyIds: readonly string[]): Promise<RecoveryCase | null> {
  const first = (condition: Part) => db`
    SELECT company_id, id, happened_at, kind FROM recovery_cases WHERE ${condition} ORDER BY happened_at, id LIMIT 1`;
  const ofCompany = db`state = 'person' AND content IS NOT NULL AND company_id = given`;
  const [row] = await db<RecoveryCase[]>`
    SELECT ${caseColumns(db)} FROM recovery_cases
    WHERE (company_id, id) = (
      SELECT company_id, id FROM (
        (${first(db`state = 'open' AND kind = 'company'`)})
        UNION ALL
        (${first(db`state = 'open' AND kind = 'invoice'`)})
        UNION ALL
        (${first(db`state = 'open'`)})
        UNION ALL
        SELECT one.* FROM unnest(${idList(db, companyIds)}) AS given
        CROSS JOIN LATERAL ((${first(db`${ofCompany} AND kind = 'invoice'`)}) UNION ALL (${first(ofCompany)})) AS one
      ) AS firsts
      ORDER BY kind <> 'company', kind <> 'invoice', happened_at, id LIMIT 1
    )`;
  return row ?? null;
}

/** How many cases are to be dealt with. */
export async function countCasesLeft(db: Queryable, companyIds: readonly string[]): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM recovery_cases
    WHERE state = 'open' OR state = 'person' AND content IS NOT NULL AND company_id = ANY (${idList(db, companyIds)})`;
  return row.count;
}

/** Returns those of the companies that the database has. */
export async function selectCompaniesHere(db: Queryable, companyIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT id FROM companies WHERE id = ANY (${idList(db, companyIds)})`;
  return rows.map(({ id }) => id);
}

/** Makes it a case of another company, which has got what belonged to the first. */
export async function moveCase(db: Db, id: string, companyId: string): Promise<void> {
  await db`UPDATE recovery_cases SET company_id = ${companyId} WHERE id = ${id}`;
}

/** The highest number of each series among the documents that open cases name. */
export async function selectHighestNumbers(db: Queryable): Promise<string[]> {
  const rows = await db<{ number: string }[]>`
    SELECT DISTINCT ON (regexp_replace(number, '\\d+$', '')) number FROM recovery_cases
    WHERE state = 'open' AND number ~ '[._-]\\d{1,18}$'
    ORDER BY regexp_replace(number, '\\d+$', ''), substring(number FROM '\\d+$')::bigint DESC`;
  return rows.map(({ number }) => number);
}

/** Writes what was decided about a case that was in this state. False when the case is in another state by now. */
export async function markDecided(
  tx: Tx,
  { id, state: from }: { id: string; state: string },
  { state, note, reviewOf = null }: { state: 'done' | 'person'; note: string; reviewOf?: string | null },
): Promise<boolean> {
  const rows = await tx`
    UPDATE recovery_cases
    SET state = ${state}, note = ${note}, decided_at = now(), review_of = ${reviewOf},
        content = CASE WHEN ${state} = 'done' THEN NULL ELSE content END
    WHERE id = ${id} AND state = ${from} RETURNING 1`;
  return rows.length === 1;
}

/** Names the alert of the decision that left the case to a person. */
export async function noteAlert(tx: Tx, id: string, alert: string): Promise<void> {
  await tx`UPDATE recovery_cases SET alert = ${alert} WHERE id = ${id}`;
}

/** What a lost document is called. `total` is in major units; the currency is null where it is not known. */
type LostDocument = { number: string; total: string; currency: string | null; isNumberTaken: boolean };

/** Reads the number, total and currency of the journal's document of an invoice or a credit note, digit for digit. */
export async function readLostDocument(tx: Tx, companyId: string, document: string): Promise<LostDocument> {
  const isIt = tx`number = given ->> 'number' AND (number_series IS NOT NULL OR company_id = ${companyId})`;
  const [row] = await tx<[LostDocument]>`
    SELECT given ->> 'number' AS number, given ->> 'total' AS total,
           coalesce(given ->> 'currency', (
             SELECT currency FROM invoices WHERE company_id = ${companyId} AND id = (given ->> 'invoice_id')::uuid
           )) AS currency,
           EXISTS (SELECT FROM invoices WHERE ${isIt}) OR EXISTS (SELECT FROM credit_notes WHERE ${isIt}) AS "isNumberTaken"
    FROM (SELECT ${document}::text::json AS given) AS one`;
  return row;
}

/** Makes an invoice of the company wait for a release, if it is open. @returns its number; null if it is not open or not here */
export async function markAwaitsRelease(tx: Tx, companyId: string, invoiceId: string): Promise<string | null> {
  const [row] = await tx<{ number: string }[]>`
    WITH waiting AS (
      INSERT INTO collections (company_id, invoice_id, due_at, state, awaits_release)
      SELECT company_id, id, due_at, 'manual', true FROM invoices
      WHERE company_id = ${companyId} AND id = ${invoiceId} AND ${isInvoiceOpen(tx)}
      ON CONFLICT (company_id, invoice_id) DO UPDATE SET awaits_release = true, updated_at = now()
      RETURNING invoice_id
    )
    SELECT number FROM invoices JOIN waiting ON id = invoice_id WHERE company_id = ${companyId}`;
  return row?.number ?? null;
}
