import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { preparePaid } from '../../test/payments/refunds.ts';
import { closeLedgerHours, readLedgerMonths } from './ledger.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const BEGINNING = new Date('2026-01-01T00:00:00Z');

/** Pays an invoice of 48.00 and dates its postings. */
async function payAt(instant: string): Promise<void> {
  const { admin } = await preparePaid(service);
  await service.database
    .owner`UPDATE ledger_postings SET created_at = ${instant} WHERE company_id = ${admin.companyId}`;
}

it('the sums of months are the same whether their hours are summed or not', async () => {
  const { db, owner } = service.database;
  for (const at of ['2026-01-31T23:59:59Z', '2026-02-01T00:00:00Z', '2026-02-28T12:00:00Z', '2026-03-05T08:00:00Z'])
    await payAt(at);
  const month = (name: string, amount: string) => ({
    ...{ month: name, currency: 'USD', billed: amount, collected: amount, refunded: '0.00' },
  });
  const expected = [month('2026-01', '48.00'), month('2026-02', '96.00'), month('2026-03', '48.00')];
  expect(await readLedgerMonths(db, BEGINNING)).toEqual(expected);
  await closeLedgerHours(db);
  expect(await readLedgerMonths(db, BEGINNING)).toEqual(expected);
  expect(await readLedgerMonths(db, new Date('2026-02-01T00:00:00Z'))).toEqual(expected.slice(1));
  // Summed hours are not read again: without their postings the sums stay the same.
  await owner`CREATE TABLE kept_postings AS SELECT * FROM ledger_postings WHERE created_at < '2026-02-15'`;
  await owner`DELETE FROM ledger_postings WHERE created_at < '2026-02-15'`;
  await closeLedgerHours(db);
  expect(await readLedgerMonths(db, BEGINNING)).toEqual(expected);

  // Postings dated in a summed hour, as after the database's clock was set back: their month and those after it are summed again.
  await owner`
    INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id, created_at)
    SELECT company_id, source_id, kind, account, currency, amount_minor, invoice_id, created_at FROM kept_postings`;
  expect(await readLedgerMonths(db, BEGINNING)).toEqual(expected);
  await closeLedgerHours(db);
  expect(await readLedgerMonths(db, BEGINNING)).toEqual(expected);
});
