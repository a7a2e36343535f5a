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

it('each table and function has a comment that says what it is for', async () => {
  const { owner } = database;
  const withoutComment = await owner<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND obj_description(oid, 'pg_class') IS NULL
    UNION ALL
    SELECT proname FROM pg_proc AS routine
    WHERE pronamespace = 'public'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = routine.oid AND deptype = 'e')`;
  expect(
    withoutComment.map(({ name }) => name),
    'COMMENT ON TABLE … or FUNCTION … in your migration',
  ).toEqual([]);
});
