import { lacksJournal } from '../../continuity/hold/charges-hold.service.ts';
import { type Db, idList, type Part, type Queryable } from '../../platform/database/database.ts';
import { caseColumns, invoiceOfCase } from '../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';

/** Cases that were left to a person and are dealt with again: of these companies, and what these writers wrote in another database. */
export type Again = { companyIds: readonly string[]; writers: readonly string[] };

/** Which cases are to be dealt with: open ones, and those again. */
function isWaiting(db: Queryable, { companyIds, writers }: Again) {
  return db`(state <> 'done' AND (state = 'open' OR content IS NOT NULL AND CASE
    WHEN is_foreign THEN writer = ANY (${idList(db, writers)}) ELSE company_id = ANY (${idList(db, companyIds)}) END))`;
}

/**
 * Reads the case that happened first and is to be dealt with; null when there is none. Each kind by an index of its own: tens of thousands
 * may be left to a person. If a journal has the lost invoice that it is about, that comes before it: the journal of another machine may
 * have got it later than what was done with the invoice.
 */
export async function selectFirstCase(db: Queryable, again: Again): Promise<RecoveryCase | null> {
  const { companyIds, writers } = again;
  const first = (condition: Part) => db`
    SELECT company_id, id, happened_at FROM recovery_cases WHERE ${condition} ORDER BY happened_at, id LIMIT 1`;
  const ofCompany = db`state = 'person' AND NOT is_foreign AND content IS NOT NULL AND company_id = given`;
  const ofWriter = db`state = 'person' AND is_foreign AND content IS NOT NULL AND writer = given`;
  const [row] = await db<RecoveryCase[]>`
    WITH first AS MATERIALIZED (
      SELECT company_id AS owner_id, id AS first_id, ${invoiceOfCase(db)} AS invoice_id FROM recovery_cases
      WHERE (company_id, id) = (
        SELECT company_id, id FROM (
          (${first(db`state = 'open'`)})
          UNION ALL
          SELECT one.* FROM unnest(${idList(db, companyIds)}) AS given CROSS JOIN LATERAL (${first(ofCompany)}) AS one
          UNION ALL
          SELECT one.* FROM unnest(${idList(db, writers)}) AS given CROSS JOIN LATERAL (${first(ofWriter)}) AS one
        ) AS firsts
        ORDER BY happened_at, id LIMIT 1
      )
    )
    SELECT ${caseColumns(db)} FROM recovery_cases
    WHERE (company_id, id) = (
      SELECT owner_id, coalesce(
        (SELECT id FROM recovery_cases
         WHERE company_id = owner_id AND subject = invoice_id AND kind = 'invoice' AND content IS NOT NULL AND ${isWaiting(db, again)}
         ORDER BY happened_at, id LIMIT 1),
        first_id
      ) FROM first
    )`;
  return row ?? null;
}

/** How many cases are to be dealt with. */
export async function countCasesLeft(db: Queryable, again: Again): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM recovery_cases WHERE ${isWaiting(db, again)}`;
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

/** Makes it a case of this database, because a person said so. */
export async function acceptForeign(db: Db, id: string): Promise<void> {
  await db`UPDATE recovery_cases SET is_foreign = false WHERE id = ${id} AND is_foreign`;
}

/** When another database was last found to write to a journal of this one, if that is not longer ago; null if it is, and without a hold. */
export async function selectOtherDatabase(db: Queryable, withinSeconds: number): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    SELECT other_database_at AS at FROM charges_holds
    WHERE ended_at IS NULL AND other_database_at BETWEEN now() - make_interval(secs => ${withinSeconds}) AND now()`;
  return row?.at ?? null;
}

/** `damage` names the lines that could not be read. */
type MissingJournal = { id: string; host: string; directory: string; damage: string | null };

/**
 * Lists the journals that were neither read during the open hold nor declared lost, and those with damaged lines that nobody gave up;
 * none without a hold.
 */
export async function selectMissingJournals(db: Queryable): Promise<MissingJournal[]> {
  return db<MissingJournal[]>`
    SELECT journals.id, host, directory, CASE WHEN read_in = charges_holds.id THEN damage END AS damage FROM journals
    JOIN charges_holds ON ended_at IS NULL AND lost_at IS NULL
    WHERE read_in IS DISTINCT FROM charges_holds.id OR damage IS NOT NULL AND damage_lost_in IS NULL
    ORDER BY journals.id`;
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

/** The highest number of each series among the documents that open cases name; those of another database are left out. */
export async function selectHighestNumbers(db: Queryable): Promise<string[]> {
  const rows = await db<{ number: string }[]>`
    SELECT DISTINCT ON (regexp_replace(number, '\\d+$', '')) number FROM recovery_cases
    WHERE state = 'open' AND NOT is_foreign AND number ~ '[._-]\\d{1,18}$'
    ORDER BY regexp_replace(number, '\\d+$', ''), substring(number FROM '\\d+$')::bigint DESC`;
  return rows.map(({ number }) => number);
}
