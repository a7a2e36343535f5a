/**
 * `WITH RECURSIVE` of this names each gateway that rows of the table wait for, null at the end: one entry of the table's index by gateway
 * for each, however many wait.
 * @param waiting - says of a row that it waits, as the index does
 */
export function distinctGateways(table: 'collections' | 'payments' | 'refunds', waiting: string): string {
  return `
    awaited (gateway) AS (
      SELECT min(gateway) FROM ${table} WHERE ${waiting}
      UNION ALL
      SELECT (SELECT min(${table}.gateway) FROM ${table} WHERE ${waiting} AND ${table}.gateway > awaited.gateway)
      FROM awaited WHERE awaited.gateway IS NOT NULL
    )`;
}
