import type { Part, Queryable } from '../../../platform/database/database.ts';

/** The limit for the stored size of the lines that are read at once. They are stored compressed, and are several times as long then. */
const MAX_STORED_BYTES = 100_000;

/** The rows of a page under this name, each with whether it is one of the first ones, which are read at once. */
export function pageRows(db: Queryable, rows: Part, name = 'invoices') {
  return db`(
    SELECT *, sum(pg_column_size(details)) OVER (ROWS UNBOUNDED PRECEDING) <= ${MAX_STORED_BYTES} AS "isFirst" FROM (${rows}) AS page
  ) AS ${db(name)}`;
}

/** The first rows of the page as a list of JSON text, from `pageRows` and an expression for each row; and how many they are. */
export function pageData(db: Queryable, item: Part) {
  return db`
    coalesce(json_agg(${item}) FILTER (WHERE "isFirst"), '[]')::text AS data, (count(*) FILTER (WHERE "isFirst"))::int AS count`;
}
