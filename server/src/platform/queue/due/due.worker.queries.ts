import type { Db, Part, Queryable } from '../../database/database.ts';

/**
 * Whether there may be work of a kind. `isDue` is SQL for it, which says yes whenever a claim would find something, and reads as little as
 * the first entry of an index.
 */
export type Question = { name: string; isDue: (db: Queryable) => Part };

/** Asks all questions in one statement. @returns the names of those whose answer is yes */
export async function selectDue(db: Db, questions: readonly Question[]): Promise<Set<string>> {
  const answers = questions.map(({ name, isDue }) => db`, ${isDue(db)} AS ${db(name)}`);
  const [row] = await db<[Record<string, boolean | null>]>`SELECT true AS asked ${answers}`;
  return new Set(Object.keys(row).filter((name) => row[name] === true));
}
