import type { Part, Queryable } from '../../../platform/database/database.ts';

/** Of the lines of a page, as they are stored: compressed, so that they are several times as long when they are read. */
const MAX_STORED_BYTES = 100_000;

/** The rows of a page under this name, each with whether all of them are little enough to be read at once. */
export function pageRows(db: Queryable, rows: Part, name = 'invoices') {
  return db`(
    SELECT *, sum(pg_column_size(details)) OVER () <= ${MAX_STORED_BYTES} AS "isShortPage" FROM (${rows}) AS page
  ) AS ${db(name)}`;
}

/** The page as JSON text, of `pageRows` and what is made of each; null for more than is read at once. */
export function pageData(db: Queryable, item: Part) {
  return db`CASE WHEN bool_and("isShortPage") IS NOT FALSE THEN coalesce(
    json_agg(${item}) FILTER (WHERE "isShortPage"), '[]'
  )::text END AS data`;
}
