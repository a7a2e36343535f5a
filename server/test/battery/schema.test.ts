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
