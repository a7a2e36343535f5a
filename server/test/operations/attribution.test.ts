/** A process that is killed while it moves usage to a company that has just got its external id. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { namedEvent } from '../billing/unattributed.ts';
import { reportUsage } from '../billing/usage.ts';
import { expectStatus } from '../customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { endProcesses, eventually, type PaydeskProcess, startPaydesk } from '../harness/process.ts';

const BATCHES = 12;
/** The number of a lock. */
const HELD = 4711;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await endProcesses();
  await database.drop();
});

async function usageOf({ service }: PaydeskProcess, companyId: string): Promise<number> {
  const path = `/operator/usage?companyId=${companyId}&from=2026-01-01&to=2026-02-01&granularity=month`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return Number(data[0]?.quantity ?? 0);
}

it('usage is the company’s after the restart, each event once', async () => {
  const batches = Array.from({ length: BATCHES }, () => Array.from({ length: 1_000 }, () => namedEvent('killed')));
  const first = await startPaydesk({ DATABASE_URL: database.url });
  for (const batch of batches) expect((await reportUsage(first.service, batch)).accepted).toBe(1_000);

  const [last] = await database.owner<
    [{ digest: string }]
  >`SELECT digest FROM unattributed_events ORDER BY digest DESC LIMIT 1`;
  await database.owner.unsafe(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(${HELD}); RETURN new; END $$;
    CREATE TRIGGER held BEFORE INSERT ON usage_event_keys FOR EACH ROW WHEN (new.digest = '${last.digest}') EXECUTE FUNCTION hold();`);

  let id = '';
  await database.owner.begin(async (tx) => {
    // The last step waits for this lock until the process is dead.
    await tx`SELECT pg_advisory_xact_lock(${HELD})`;
    const request = { token: first.service.operatorKey, body: {} };
    const made = await first.service.call('PUT', '/operator/companies/external:killed', request);
    id = expectStatus(made, 201).body.id;
    expect(await eventually(() => usageOf(first, id))).toBeLessThan(BATCHES * 1_000);
    await eventually(async () => (await usageOf(first, id)) === 10_000);
    await first.end('SIGKILL');
  });

  const second = await startPaydesk({ DATABASE_URL: database.url, OPERATOR_KEY: first.service.operatorKey });
  const half = batches.slice(0, BATCHES / 2);
  for (const batch of half) expect((await reportUsage(second.service, batch)).duplicate).toBe(1_000);
  await eventually(async () => (await usageOf(second, id)) >= BATCHES * 1_000);
  for (const batch of batches) expect((await reportUsage(second.service, batch)).duplicate).toBe(1_000);
  expect(await usageOf(second, id)).toBe(BATCHES * 1_000);
});
