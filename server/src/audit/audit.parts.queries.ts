import { constantPart, type Part, type Queryable } from '../platform/database/database.ts';

/** What a list is limited to; null where it is not. The ids are the first of an instant. */
export type Filter = {
  action: string | null;
  actor: string | null;
  target: string | null;
  requestId: string | null;
  fromId: string | null;
  toId: string | null;
};

/** An entry as the database has it; hashes in hexadecimal digits. */
export type AuditRow = {
  companyId: string;
  sequence: string;
  id: string;
  content: string;
  persons: Record<string, string>;
  previousHash: string | null;
  hash: string;
};

/** The columns of an AuditRow. */
export const columns = constantPart(
  (db) => db`
    company_id AS "companyId", sequence, id, content::text AS content, persons,
    encode(previous_hash, 'hex') AS "previousHash", encode(hash, 'hex') AS hash`,
);

/** The further conditions of a `WHERE`. */
export function matches(db: Queryable, { action, actor, target, requestId, fromId, toId }: Filter): Part {
  return db`
    ${action === null ? db`` : db`AND action = ${action}`}
    ${actor === null ? db`` : db`AND actor = ${actor}`}
    ${target === null ? db`` : db`AND target = ${target}`}
    ${requestId === null ? db`` : db`AND content ->> 'requestId' = ${requestId}`}
    ${fromId === null ? db`` : db`AND id >= ${fromId}`}
    ${toId === null ? db`` : db`AND id < ${toId}`}`;
}
