import { emptyPart, type Part, type Queryable, type Tx } from '../platform/database/database.ts';
import type { WrittenEntry } from './audit.entry.ts';
import { type AuditRow, columns, contents, type Filter, matches } from './audit.parts.queries.ts';

/** Parts of a statement `WITH <these> …` that insert an entry, for each row of `from` where that is given. */
export function insertingParts(
  db: Queryable,
  companyId: string,
  { id, content, persons }: WrittenEntry,
  from: Part = emptyPart(db),
): Part {
  return db`
    audited AS (
      INSERT INTO audit_contents (company_id, id, content, persons)
      SELECT ${companyId}::uuid, ${id}::uuid, ${content}::text::json, ${JSON.stringify(persons)}::text::jsonb ${from}
      RETURNING company_id, id
    ), pending AS (INSERT INTO audit_pending (company_id, id) SELECT company_id, id FROM audited)`;
}

/** Inserts an entry. */
export async function insertEntry(db: Queryable, companyId: string, entry: WrittenEntry): Promise<void> {
  await db`WITH ${insertingParts(db, companyId, entry)} SELECT 1`;
}

/** Inserts several entries. */
export async function insertEntries(db: Queryable, companyId: string, entries: readonly WrittenEntry[]): Promise<void> {
  await db`
    WITH audited AS (
      INSERT INTO audit_contents (company_id, id, content, persons)
      SELECT ${companyId}::uuid, id, content::json, persons
      FROM json_to_recordset(${JSON.stringify(entries)}::text::json) AS entry (id uuid, content text, persons jsonb)
      RETURNING company_id, id
    )
    INSERT INTO audit_pending (company_id, id) SELECT company_id, id FROM audited`;
}

/** Chains up to `most` committed entries of the company. @returns how many */
export async function chainEntries(db: Queryable, companyId: string, most: number): Promise<number> {
  const [row] = await db<[{ chained: number }]>`
    SELECT chain_audit_entries(${companyId}::uuid, ${most}::integer) AS chained`;
  return row.chained;
}

/** How many of the company's entries match. */
export async function countEntries(db: Queryable, companyId: string, filter: Filter): Promise<number> {
  const [row] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM audit_entries WHERE company_id = ${companyId} ${matches(db, filter)}`;
  return row.total;
}

/** How many entries the company's chain has. */
export async function countAllEntries(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<{ entries: string }[]>`SELECT entries FROM audit_heads WHERE company_id = ${companyId}`;
  return Number(row?.entries ?? 0);
}

/** The company's matching entries, newest first. */
export async function selectEntries(
  db: Queryable,
  companyId: string,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<AuditRow[]> {
  return db<AuditRow[]>`
    SELECT ${columns(db)} FROM (
      SELECT * FROM audit_entries WHERE company_id = ${companyId} ${matches(db, filter)}
      ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
    ) AS entries JOIN ${contents(db)}
    ORDER BY entries.id DESC`;
}

/** Empties what the company's entries have about a person. */
export async function forgetInEntries(
  tx: Tx,
  companyId: string,
  { userId, email }: { userId: string; email: string | null },
): Promise<void> {
  await tx`SELECT forget_audit_person(${companyId}::uuid, ${userId}::uuid, ${email})`;
}
