import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUpAdmin } from './actors.ts';
import { invoicesOf, setBilling, setPrice, use } from './billing.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { endProcesses, eventually, startPaydesk } from './process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await endProcesses();
  await database.drop();
});

it('a service that is started bills by itself what became due while it was not there', async () => {
  const now = new Date();
  const monthBeforeLast = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15)).toISOString();
  const environment = { DATABASE_URL: database.url, OPERATOR_KEY: `opk_${'k'.repeat(40)}` };
  const first = await startPaydesk(environment);
  const admin = await signUpAdmin(first.service);
  await setBilling(first.service, admin, { invoiceGraceHours: 0 });
  await setPrice(first.service, { path: '/call', unitAmount: '1.00' });
  await use(first.service, admin, '/call', 5, monthBeforeLast);
  await first.end('SIGTERM');

  const second = await startPaydesk({ ...environment, DATA_DIR: first.dataDirectory });
  const invoices = await eventually(async () => {
    const made = await invoicesOf(second.service, admin);
    return made.length > 0 && made;
  });
  expect(invoices).toMatchObject([{ number: 'INV-000001', total: '5.00' }]);
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const troubles = second.logged().filter(({ level }) => Number(level) >= 40);
  expect(troubles).toEqual([]);
});
