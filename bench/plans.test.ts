import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureOperatorKey } from '../server/src/identity/operators/operators.service.ts';
import { closeLedgerHours } from '../server/src/ledger/ledger.service.ts';
import { cloneDatabase, type TestDatabase } from '../server/test/harness/database/database.ts';
import { seedBooks } from './plans.seed.ts';
import { mayTouch, readBooks, totalOf } from './plans.ts';

const OPERATOR_KEY = `opk_${'a'.repeat(43)}`;

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await cloneDatabase({ poolSize: 1 });
  directory = await mkdtemp(join(tmpdir(), 'paydesk-plans-'));
  await ensureOperatorKey(database.db, directory, OPERATOR_KEY);
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

describe('lists of the operator and claims of the workers', () => {
  // Security (A database that is away, or slow): Operator lists and claims of workers read only their page, however many rows there are
  // (`npm run bench -- plans` shows it with 2 million invoices)
  it('read only their page, not the whole table', async () => {
    const { db, owner } = database;
    const { companies } = await seedBooks(owner, 8_000);
    await closeLedgerHours(db);
    // So few users and companies would rather be read whole than with an index.
    await db`SET enable_seqscan = off`;
    const touched = await readBooks({ db, operatorKey: OPERATOR_KEY, directory });
    expect(touched.length).toBeGreaterThan(30);
    expect(touched.filter(({ status }) => status !== 200)).toEqual([]);
    expect(Math.max(...touched.map((one) => mayTouch(one, companies)))).toBeLessThan(2_000);
    expect(touched.filter((one) => totalOf(one) > mayTouch(one, companies))).toEqual([]);
  });
});
