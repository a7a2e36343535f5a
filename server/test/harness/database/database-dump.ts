import type { Db } from '../../../src/platform/database/database.ts';

export type DumpedRow = { table: string; text: string; values: unknown[] };

/**
 * Reads every row of every table, as one text and value by value. Bytes are also decoded as text, and JSON inside a value is taken apart.
 */
export async function dumpDatabase(owner: Db): Promise<DumpedRow[]> {
  const tables = await owner<{ name: string }[]>`
    SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const dumped = await owner.unsafe<{ row: object }[]>(`SELECT to_jsonb(t) AS row FROM ${name} AS t`);
      return dumped.map(({ row }) => toDumpedRow(name, row));
    }),
  );
  return rows.flat();
}

function toDumpedRow(table: string, row: object): DumpedRow {
  const values = valuesIn(row);
  return { table, text: [JSON.stringify(row), ...values].join('\n'), values };
}

function valuesIn(value: unknown): unknown[] {
  if (typeof value === 'string') return [value, ...valuesInBytes(value), ...valuesInJson(value)];
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => [key, ...valuesIn(item)]);
  }
  return [value];
}

function valuesInBytes(text: string): unknown[] {
  if (!/^\\x(?:[\da-f]{2})+$/.test(text)) return [];
  return valuesIn(Buffer.from(text.slice(2), 'hex').toString('latin1'));
}

function valuesInJson(text: string): unknown[] {
  if (!/^[{[]/.test(text)) return [];
  try {
    return valuesIn(JSON.parse(text));
  } catch {
    return [];
  }
}
