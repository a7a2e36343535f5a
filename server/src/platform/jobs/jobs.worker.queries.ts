import { type Db, transaction } from '../database/database.ts';

/** `text` in PostgreSQL's own numbering of types. */
const TEXT_TYPE = 25;
/** What pg-boss does in several statements, as one text. */
const SCRIPT = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/;

/**
 * Runs a statement that pg-boss wrote for another driver on the service's own pool: arrays are sent as PostgreSQL's
 * array text, JSON text as it is (postgres.js would make a JSON string of it), and a script in BEGIN and COMMIT becomes
 * a transaction of ours.
 */
export async function executeForJobs(
  db: Db,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: unknown[] }> {
  const script = SCRIPT.exec(text)?.[1];
  const results =
    script === undefined
      ? await db.unsafe<Row[]>(
          text,
          values.map((value, index) => toParameter(db, text, value, index + 1)),
        )
      : await transaction(db, (tx) => tx.unsafe<Row[]>(script).simple());
  // Several statements give a list of results each.
  return { rows: [...results].flat() };
}

type Row = Record<string, unknown>;
type Parameter = ReturnType<Db['typed']> | string | number | boolean | Date | null;

function toParameter(db: Db, text: string, value: unknown, number: number): Parameter {
  if (value === undefined) return null;
  if (Array.isArray(value)) return db.typed(writeArray(value) as never, TEXT_TYPE);
  const isJson = typeof value === 'string' && new RegExp(`\\$${number}::jsonb?\\b`).test(text);
  return isJson ? db.typed(value as never, TEXT_TYPE) : (value as Parameter);
}

function writeArray(values: readonly unknown[]): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  );
  return `{${items.join()}}`;
}
