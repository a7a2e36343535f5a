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
  /** What the database finds the entry by. */
  action: string;
  actorId: string | null;
  targetId: string | null;
};

/** The columns of an AuditRow, of `audit_entries AS entries` and its `contents`. */
export const columns = constantPart(
  (db) => db`
    entries.company_id AS "companyId", entries.sequence, entries.id, contents.content::text AS content, contents.persons,
    encode(entries.previous_hash, 'hex') AS "previousHash",
    encode(entries.hash, 'hex') AS hash, entries.action, entries.actor AS "actorId", entries.target AS "targetId"`,
);

/** What each of the `entries` says, for a join: in its row or beside it. It is found by its key, whatever the statistics say. */
export const contents = constantPart(
  (db) => db`
    LATERAL (
      SELECT entries.content, entries.persons WHERE entries.content IS NOT NULL
      UNION ALL
      SELECT found.content, found.persons FROM audit_contents AS found
      WHERE found.company_id = entries.company_id AND found.id = entries.id AND entries.content IS NULL
      LIMIT 1
    ) AS contents ON true`,
);

/** The further conditions of a `WHERE`. */
export function matches(db: Queryable, { action, actor, target, requestId, fromId, toId }: Filter): Part {
  return db`
    ${action === null ? db`` : db`AND action = ${action}`}
    ${actor === null ? db`` : db`AND actor = ${actor}`}
    ${target === null ? db`` : db`AND target = ${target}`}
    ${
      requestId === null
        ? db``
        : db`AND id = ANY(ARRAY(
      SELECT id FROM audit_contents WHERE content ->> 'requestId' = ${requestId}
      UNION ALL SELECT id FROM audit_entries WHERE content ->> 'requestId' = ${requestId}))`
    }
    ${fromId === null ? db`` : db`AND id >= ${fromId}`}
    ${toId === null ? db`` : db`AND id < ${toId}`}`;
}
