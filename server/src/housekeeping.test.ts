import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportUsage, usageEvent } from '../test/billing/usage.ts';
import { expectStatus, issueInvoice, signUpAdmin } from '../test/customers/actors.ts';
import { readToken } from '../test/customers/tokens.ts';
import { startTestService, type TestService } from '../test/harness/service.ts';
import { logInToConsole, openView } from '../test/identity/operator-sessions.ts';
import { raiseAlert } from '../test/outbox/alerts.ts';
import { preparePaid } from '../test/payments/refunds.ts';
import { runHousekeeping, startHousekeeping } from './housekeeping.ts';
import { rollUpUsage } from './metering/usage/rollup/rollup.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

function yearsAgo(now: Date, years: number): Date {
  return new Date(now.getTime() - years * 365.25 * 86_400_000);
}

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
  await runHousekeeping({ db, usageRetentionYears: 10 });
  expect(await owner`SELECT key FROM idempotency_keys`).toEqual([{ key: '1' }]);
});

it('deletes failed logins outside of the window and sessions that ended a week ago, but no open session', async () => {
  const { owner, db } = service.database;
  const { token, userId } = await signUpAdmin(service);
  await owner`
    INSERT INTO sessions (id, user_id, expires_at)
    VALUES (${randomUUID()}, ${userId}, now() - interval '8 days'), (${randomUUID()}, ${userId}, now() - interval '6 days')`;
  await owner`
    INSERT INTO login_failures (email_hash, address, failed_at)
    VALUES ('', 'old', now() - interval '16 minutes'), ('', 'new', now() - interval '14 minutes')`;
  await runHousekeeping({ db, usageRetentionYears: 10 });
  expect(await owner`SELECT address FROM login_failures`).toEqual([{ address: 'new' }]);
  expect(await count('sessions')).toBe(2);
  expect((await service.call('GET', '/labels', { token })).status).toBe(200);
});

it('deletes sessions of the console and views a day after they expired, but no younger one', async () => {
  const { owner, db } = service.database;
  const { companyId } = await signUpAdmin(service);
  await openView(service, companyId);
  await logInToConsole(service);
  for (const hours of [23, 25]) {
    const old = await openView(service, companyId);
    await owner`
      UPDATE operator_sessions SET expires_at = now() - make_interval(hours => ${hours}), opener_name = ${`${hours} hours`}
      WHERE id = ${String(readToken(old.token).claims.sid)}`;
  }
  await runHousekeeping({ db, usageRetentionYears: 10 });
  const left = await owner`SELECT opener_name AS name FROM operator_sessions ORDER BY id`;
  expect(left.map(({ name }) => name)).toEqual(['first', 'first', '23 hours']);
});

// Security (A database that is away, or slow): Data that would grow for ever is deleted in time, and no repeat of usage counts twice
// because of it ([retention](retention.md))
it('deletes usage events whose time is over, month by month, and never counts a repeat of them', async () => {
  const { owner, db } = service.database;
  const { companyId } = await signUpAdmin(service);
  const now = new Date();
  const old = usageEvent(companyId, { time: yearsAgo(now, 1.5).toISOString() });
  const young = usageEvent(companyId, { time: now.toISOString() });
  expect((await reportUsage(service, [old, young])).accepted).toBe(2);
  // As if the first had come then.
  const month = yearsAgo(now, 1.5).toISOString().slice(0, 7);
  const partition = `usage_events_${month.replace('-', '_')}`;
  await owner.unsafe(`
    CREATE TABLE ${partition} PARTITION OF usage_events
      FOR VALUES FROM ('${month}-01Z') TO ('${month}-01Z'::timestamptz + interval '1 month');
    UPDATE usage_events SET stored_at = happened_at WHERE happened_at < now() - interval '1 year'`);

  await runHousekeeping({ db, usageRetentionYears: 2 });
  expect([await count('usage_events'), await count('usage_event_keys')]).toEqual([2, 2]);
  for (let rounds = 0; rounds < 2; rounds += 1) await runHousekeeping({ db, usageRetentionYears: 1 });
  expect([await count('usage_events'), await count('usage_event_keys')]).toEqual([1, 1]);
  expect(await owner`SELECT to_regclass(${partition}) AS partition`).toEqual([{ partition: null }]);
  const before = usageEvent(companyId, { time: yearsAgo(now, 5).toISOString() });
  const { results } = await reportUsage(service, [
    old,
    young,
    before,
    usageEvent(companyId, { time: now.toISOString() }),
  ]);
  const tooLate = { status: 'rejected', reason: 'too_late', message: expect.stringMatching(/^time .*still kept$/) };
  expect(results).toMatchObject([tooLate, { status: 'duplicate' }, tooLate, { status: 'accepted' }]);
  // What was used then is still counted.
  await rollUpUsage(db);
  const [sum] = await owner<
    [{ quantity: string }]
  >`SELECT sum(quantity) AS quantity FROM usage_days WHERE company_id = ${companyId}`;
  expect(sum.quantity).toBe('3');
});

it('deletes the records of the collection about invoices settled a year ago, and alerts acknowledged two years ago', async () => {
  const { owner, db } = service.database;
  const { admin, invoice, paymentId } = await preparePaid(service);
  const unpaid = await issueInvoice(service, admin.companyId);
  await raiseAlert(service, { companyId: admin.companyId, paymentId });
  const acknowledged = await raiseAlert(service, { companyId: admin.companyId, paymentId });
  const old = '13 months';
  await owner`UPDATE collections SET state = 'closed', next_attempt_at = NULL WHERE invoice_id = ${invoice.id}`;
  await owner`UPDATE collections SET updated_at = now() - ${old}::interval`;
  await owner`UPDATE alerts SET created_at = now() - interval '3 years'`;
  await owner`UPDATE alerts SET acknowledged_at = now() - interval '25 months' WHERE id = ${acknowledged}`;
  await runHousekeeping({ db, usageRetentionYears: 10 });
  expect(await owner`SELECT invoice_id FROM collections WHERE company_id = ${admin.companyId}`).toEqual([
    { invoice_id: unpaid.id },
  ]);
  expect(await count('alerts')).toBe(1);
  const read = await service.call('GET', `/payments/orders/${invoice.id}`, { token: admin.token });
  expect(expectStatus(read, 200).body.collection.state).toBe('closed');
});

it('stops at once on request', async () => {
  const housekeeping = startHousekeeping({ db: service.database.db, usageRetentionYears: 10 }, service.server.log);
  await housekeeping.stop();
});
