import type { Part, Queryable } from '../../../platform/database/database.ts';

/** The limit for the stored size of a page's lines. They are stored compressed, and are several times as long when they are read. */
const MAX_STORED_BYTES = 100_000;

/** The rows of a page under this name, each with whether the whole page is small enough to be read at once. */
export function pageRows(db: Queryable, rows: Part, name = 'invoices') {
  return db`(
    SELECT *, sum(pg_column_size(details)) OVER () <= ${MAX_STORED_BYTES} AS "isShortPage" FROM (${rows}) AS page
  ) AS ${db(name)}`;
}

/** The page as JSON text, from `pageRows` and an expression for each row; null if it is more than is read at once. */
export function pageData(db: Queryable, item: Part) {
  return db`CASE WHEN bool_and("isShortPage") IS NOT FALSE THEN coalesce(
    json_agg(${item}) FILTER (WHERE "isShortPage"), '[]'
  )::text END AS data`;
}
