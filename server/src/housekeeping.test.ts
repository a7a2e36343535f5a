import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUpAdmin } from '../test/actors.ts';
import { startTestService, type TestService } from '../test/service.ts';
import { startHousekeeping, tidy } from './housekeeping.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

async function count(table: string): Promise<number> {
  const [row] = await service.database.owner.unsafe<[{ count: number }]>(`SELECT count(*)::int FROM ${table}`);
  return row.count;
}

it('removes answers that are older than a day, in as many batches as it takes, and no younger one', async () => {
  const { owner, db } = service.database;
  await owner`
    INSERT INTO idempotency_keys (company_id, method, path, key, request_hash, created_at)
    SELECT ${randomUUID()}, 'POST', '/labels', number, '', now() - make_interval(hours => CASE WHEN number = 1 THEN 23 ELSE 25 END)
    FROM generate_series(1, 11000) AS number`;
  await tidy(db);
  expect(await owner`SELECT key FROM idempotency_keys`).toEqual([{ key: '1' }]);
});

it('removes login failures out of the window and sessions that ended a week ago; who is logged in stays so', async () => {
  const { owner, db } = service.database;
  const { token, userId } = await signUpAdmin(service);
  await owner`
    INSERT INTO sessions (id, user_id, expires_at)
    VALUES (${randomUUID()}, ${userId}, now() - interval '8 days'), (${randomUUID()}, ${userId}, now() - interval '6 days')`;
  await owner`
    INSERT INTO login_failures (email_hash, address, failed_at)
    VALUES ('', 'old', now() - interval '16 minutes'), ('', 'new', now() - interval '14 minutes')`;
  await tidy(db);
  expect(await owner`SELECT address FROM login_failures`).toEqual([{ address: 'new' }]);
  expect(await count('sessions')).toBe(2);
  expect((await service.call('GET', '/labels', { token })).status).toBe(200);
});

it('stops at once when it is told to', async () => {
  const housekeeping = startHousekeeping(service.database.db, service.server.log);
  await housekeeping.stop();
});
