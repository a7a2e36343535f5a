import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { preparePaid } from '../../../test/payments/refunds.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ poolSize: 1 });
});
afterAll(() => service.stop());

it('updates of counters and kept answers are HOT: no index is changed', async () => {
  const { db, owner } = service.database;
  for (let round = 0; round < 10; round += 1) {
    const { admin } = await preparePaid(service);
    const headers = { 'idempotency-key': randomUUID() };
    const request = { token: admin.token, body: { city: 'London' }, headers };
    expectStatus(await service.call('POST', '/payments/addresses', request), 201);
  }
  await db`SELECT pg_stat_force_next_flush()`;
  const rows = await owner<{ name: string; updates: number; onTheirPage: number }[]>`
    SELECT relname AS name, n_tup_upd::int AS updates, n_tup_hot_upd::int AS "onTheirPage" FROM pg_stat_user_tables
    WHERE relname IN ('idempotency_keys', 'invoice_counts', 'number_series', 'row_counts') ORDER BY relname`;
  expect(rows.map(({ name }) => name)).toEqual(['idempotency_keys', 'invoice_counts', 'number_series', 'row_counts']);
  expect(rows.filter(({ updates, onTheirPage }) => updates < 9 || onTheirPage < updates)).toEqual([]);
});
