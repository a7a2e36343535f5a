import { isSettled, lacksJournal } from '../../continuity/hold/charges-hold.service.ts';
import { type Db, idList, type Part, type Queryable } from '../../platform/database/database.ts';
import { caseColumns } from '../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';

/**
 * Reads the case that is to be dealt with first; null when there is none. Lost invoices come before everything else, since it may be about
 * them: the journal of another machine may have got one later than what was done with it.
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
        (${first(db`state = 'open' AND kind = 'invoice'`)})
        UNION ALL
        (${first(db`state = 'open'`)})
        UNION ALL
        SELECT one.* FROM unnest(${idList(db, companyIds)}) AS given
        CROSS JOIN LATERAL ((${first(db`${ofCompany} AND kind = 'invoice'`)}) UNION ALL (${first(ofCompany)})) AS one
      ) AS firsts
      ORDER BY kind <> 'invoice', happened_at, id LIMIT 1
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

/** `damage` names the lines that could not be read. */
type MissingJournal = { id: string; host: string; directory: string; damage: string | null };

/** Lists the journals that were neither read whole during the open hold nor given up; none without a hold. */
export async function selectMissingJournals(db: Queryable): Promise<MissingJournal[]> {
  return db<MissingJournal[]>`
    SELECT journals.id, host, directory, damage FROM journals
    JOIN charges_holds ON ended_at IS NULL AND NOT ${isSettled(db, db`charges_holds.id`)} ORDER BY journals.id`;
}

/** Reads what a gateway has made and no journal has, while all were read and nobody has given it up; null without it. */
export async function selectUnjournaled(db: Queryable): Promise<string | null> {
  const [row] = await db<{ unjournaled: string }[]>`
    SELECT unjournaled FROM charges_holds WHERE ended_at IS NULL AND ${lacksJournal(db)}`;
  return row?.unjournaled ?? null;
}

/** Which comparison the open hold makes: `since` is from when on it compares the gateways. It is another one when the hold begins anew. */
type Comparison = { holdId: string; begunAt: Date; since: Date };

/** Reads the comparison of the open hold; null without a hold, and before its first pass. */
export async function selectComparison(db: Queryable): Promise<Comparison | null> {
  const [row] = await db<Comparison[]>`
    SELECT id AS "holdId", begun_at AS "begunAt", compared_from AS since
    FROM charges_holds WHERE ended_at IS NULL AND compared_from IS NOT NULL`;
  return row ?? null;
}

/** The highest number of each series among the documents that open cases name. */
export async function selectHighestNumbers(db: Queryable): Promise<string[]> {
  const rows = await db<{ number: string }[]>`
    SELECT DISTINCT ON (regexp_replace(number, '\\d+$', '')) number FROM recovery_cases
    WHERE state = 'open' AND number ~ '[._-]\\d{1,18}$'
    ORDER BY regexp_replace(number, '\\d+$', ''), substring(number FROM '\\d+$')::bigint DESC`;
  return rows.map(({ number }) => number);
}
