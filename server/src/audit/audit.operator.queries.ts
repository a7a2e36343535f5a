import { idList, type Queryable } from '../platform/database/database.ts';
import type { CompanyName } from '../platform/database/name-parts.ts';
import { type AuditRow, columns, contents, type Filter, matches } from './audit.parts.queries.ts';

/** How many entries match, of all companies. */
export async function countEntriesOfAll(db: Queryable, filter: Filter): Promise<number> {
  const [row] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM audit_entries WHERE true ${matches(db, filter)}`;
  return row.total;
}

/** How many entries all chains have together. */
export async function countAllEntriesOfAll(db: Queryable): Promise<number> {
  const [row] = await db<[{ entries: string }]>`SELECT coalesce(sum(entries), 0) AS entries FROM audit_heads`;
  return Number(row.entries);
}

/** The matching entries of all companies, newest first. */
export async function selectEntriesOfAll(
  db: Queryable,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<AuditRow[]> {
  return db<AuditRow[]>`
    SELECT ${columns(db)} FROM (
      SELECT * FROM audit_entries WHERE true ${matches(db, filter)} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
    ) AS entries JOIN ${contents(db)}
    ORDER BY entries.id DESC`;
}

/** The names of companies, by their ids. */
export async function selectCompanyNames(
  db: Queryable,
  companyIds: readonly string[],
  companyName: CompanyName,
): Promise<Map<string, string | null>> {
  const rows = await db<{ id: string; name: string | null }[]>`
    SELECT given.id, ${companyName(db, db`given.id`)} AS name FROM unnest(${idList(db, companyIds)}) AS given (id)`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The end of a chain: how many entries it must have, and the hash of the last one. */
export type Head = { entries: string | null; headHash: string | null };

/** An entry in its chain; what it says is null where that was removed. */
export type ChainedRow = Omit<AuditRow, 'content'> & { content: string | null };

/** Part of a chain, and its head as of the same instant. */
export type ChainPart = Head & { rows: ChainedRow[] };

/** Up to `limit` entries of a chain after a number, the oldest first. */
export async function selectChainPart(
  db: Queryable,
  { companyId, after }: { companyId: string; after: string },
  limit: number,
): Promise<ChainPart> {
  const found = await db<(Head & (ChainedRow | { id: null }))[]>`
    WITH head AS (
      SELECT chain.company_id, heads.entries, heads.hash
      FROM (VALUES (${companyId}::uuid)) AS chain (company_id) LEFT JOIN audit_heads AS heads USING (company_id)
    )
    SELECT head.entries, encode(head.hash, 'hex') AS "headHash", part.*
    FROM head LEFT JOIN (
      SELECT ${columns(db)} FROM (
        SELECT * FROM audit_entries WHERE company_id = ${companyId} AND sequence > ${after}::text::bigint
        ORDER BY sequence LIMIT ${limit}
      ) AS entries LEFT JOIN ${contents(db)}
    ) AS part ON true
    ORDER BY part.sequence`;
  const [first] = found;
  const rows = found.filter((row): row is Head & ChainedRow => row.id !== null);
  return { entries: first?.entries ?? null, headHash: first?.headHash ?? null, rows };
}

/** The hash of one entry; null when it is missing. */
export async function selectHash(
  db: Queryable,
  { companyId, sequence }: { companyId: string; sequence: string },
): Promise<string | null> {
  const [row] = await db<{ hash: string }[]>`
    SELECT encode(hash, 'hex') AS hash FROM audit_entries
    WHERE company_id = ${companyId} AND sequence = ${sequence}::text::bigint`;
  return row?.hash ?? null;
}

/** The next chain after a company's, or the first one; null after the last. */
export async function findNextChain(db: Queryable, after: string | null): Promise<string | null> {
  const beyond = after === null ? db`` : db`WHERE company_id > ${after}`;
  const [row] = await db<[{ next: string | null }]>`
    SELECT least(
      (SELECT company_id FROM audit_heads ${beyond} ORDER BY company_id LIMIT 1),
      (SELECT company_id FROM audit_entries ${beyond} ORDER BY company_id LIMIT 1)) AS next`;
  return row.next;
}

/** The companies whose chained entries name a person as actor or target. */
export async function findCompaniesOfPerson(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db<{ companyId: string }[]>`
    SELECT company_id AS "companyId" FROM audit_entries WHERE actor = ${userId}
    UNION SELECT company_id FROM audit_entries WHERE target = ${userId}`;
  return rows.map(({ companyId }) => companyId);
}
