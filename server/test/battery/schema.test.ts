import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeSchema } from '../../../tools/schema/describe.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => database.drop());

it('server/schema.sql is what the migrations make (npm run schema writes it)', async () => {
  const committed = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8');
  expect(committed).toBe(await describeSchema(database.owner));
});

it('docs/schema-functions.md names every function and trigger, and nothing else', async () => {
  const page = await readFile(new URL('../../../docs/schema-functions.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/^\| (`.*?) \|(.*?)\| .+ \|$/gm)].flatMap(([, functions = '', triggers = '']) =>
    wordsOf(functions).map((name) => ({ name, triggers: wordsOf(triggers).sort() })),
  );
  const { owner } = database;
  const existing = await owner<{ name: string; triggers: string[] }[]>`
    SELECT proname AS name, coalesce(json_agg(tgname ORDER BY tgname) FILTER (WHERE tgname IS NOT NULL), '[]') AS triggers
    FROM pg_proc AS routine LEFT JOIN pg_trigger ON tgfoid = routine.oid AND NOT tgisinternal
    WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = routine.oid AND deptype = 'e')
    GROUP BY proname ORDER BY proname COLLATE "C"`;
  expect(named.sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual([...existing]);
});

/** The words in a table cell that are marked as code. */
function wordsOf(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
}
