import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { preparePaid } from '../../test/payments/refunds.ts';
import { closeLedgerHours } from './ledger.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The instant this many hours ago. */
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function balancesAt(to?: string): Promise<string[]> {
  const path = `/operator/ledger/balances${to === undefined ? '' : `?to=${to}`}`;
  const { body } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200);
  return body.data.map(({ account, balance }: Record<string, string>) => `${account} ${balance}`);
}

/** Pays an invoice of 48.00 and dates its postings this many hours back. */
async function payHoursAgo(hours: number): Promise<void> {
  const { admin } = await preparePaid(service);
  await service.database.owner`
    UPDATE ledger_postings SET created_at = ${ago(hours)} WHERE company_id = ${admin.companyId}`;
}

// Security (A database that is away, or slow): Balances of the ledger are read from the newest closed hour
it('balances of all companies are the same whether their hours are closed or not', async () => {
  const instants = [undefined, ago(0.5), ago(2.5), ago(29.9), ago(30.1), ago(49), ago(100)];
  for (const hours of [50, 30, 30, 3, 0.2]) await payHoursAgo(hours);
  const read = () => Promise.all(instants.map(balancesAt));
  const before = await read();
  expect(before.map((balances) => balances[0])).toEqual([
    'cash:sandbox 240.00',
    'cash:sandbox 192.00',
    'cash:sandbox 192.00',
    'cash:sandbox 144.00',
    'cash:sandbox 48.00',
    'cash:sandbox 48.00',
    undefined,
  ]);

  const { db, owner } = service.database;
  await closeLedgerHours(db);
  expect((await owner`SELECT DISTINCT at FROM ledger_balances`).length).toBeGreaterThanOrEqual(3);
  expect(await read()).toEqual(before);
  // Closed hours are not read again: without these postings the balances stay the same.
  await owner`CREATE TABLE kept AS SELECT * FROM ledger_postings WHERE created_at < ${ago(5)}`;
  await owner`DELETE FROM ledger_postings WHERE created_at < ${ago(5)}`;
  expect((await read()).slice(0, 3)).toEqual(before.slice(0, 3));
  await closeLedgerHours(db);
  expect((await read()).slice(0, 3)).toEqual(before.slice(0, 3));

  // Postings dated in a closed hour, as after the database's clock was set back.
  await owner`
    INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id, created_at)
    SELECT company_id, source_id, kind, account, currency, amount_minor, invoice_id, created_at FROM kept`;
  expect(await read()).toEqual(before);
  await closeLedgerHours(db);
  expect(await read()).toEqual(before);
});
