import { emptyPart, type Part, type Queryable } from '../../platform/database/database.ts';

/** What an event is about, in a statement: a record with a UUID of version 7, and what tells the events of its type apart. */
type Subject = { companyId: Part; type: Part; id: Part; detail?: Part };

/**
 * The id of an event that happens to its subject once. It follows from the subject, so it is the same when the event is recorded again
 * because the database went back. It is a UUID of version 7: the time is that of the subject's id, the other bits are a hash. The bit
 * before the hash lets lists have the first event of a subject before others of the same transaction.
 */
export function lastingId(db: Queryable, { companyId, type, id, detail }: Subject): Part {
  const what = db`concat_ws(' ', ${companyId}, ${type}, ${id} ${detail === undefined ? emptyPart(db) : db`, ${detail}`})`;
  return db`(
    SELECT (
      left(replace(${id}::text, '-', ''), 12) || '7' || CASE WHEN ${type} ~ '[.](created|started)$' THEN '0' ELSE '1' END
      || left(hash, 2) || '8' || substr(hash, 3, 15)
    )::uuid
    FROM encode(sha256(convert_to(${what}, 'UTF8')), 'hex') AS hash
  )`;
}
