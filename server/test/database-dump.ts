import type { Db } from '../src/database/database.ts';

export type DumpedRow = { table: string; text: string; values: unknown[] };

/** Every row of every table as `pg_dump` would write it: as one text, and value by value with JSON texts taken apart. */
export async function dumpDatabase(owner: Db): Promise<DumpedRow[]> {
  const tables = await owner<{ name: string }[]>`
    SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const dumped = await owner.unsafe<{ row: object }[]>(`SELECT to_jsonb(t) AS row FROM ${name} AS t`);
      return dumped.map(({ row }) => ({ table: name, text: JSON.stringify(row), values: valuesIn(row) }));
    }),
  );
  return rows.flat();
}

function valuesIn(value: unknown): unknown[] {
  if (typeof value === 'string') return [value, ...valuesInJson(value)];
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => [key, ...valuesIn(item)]);
  }
  return [value];
}

function valuesInJson(text: string): unknown[] {
  if (!/^[{[]/.test(text)) return [];
  try {
    return valuesIn(JSON.parse(text));
  } catch {
    return [];
  }
}
