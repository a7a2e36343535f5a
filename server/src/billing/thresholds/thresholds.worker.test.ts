/**
 * Each event is recorded exactly once, with any number of workers and whenever one dies, and only fresh usage causes
 * work.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { use } from '../../../test/billing/billing.ts';
import { startTimedService, type TimedService } from '../../../test/billing/schedule.ts';
import { addThreshold, checkOnce, reachedOf, rollUpAndCheck } from '../../../test/billing/thresholds.ts';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, signUpAdmin } from '../../../test/customers/actors.ts';
import { addEndpoint, type Consumer, deliver, startConsumer, verify } from '../../../test/outbox/webhooks.ts';
import { closeUsageCutoff, rollUpUsage } from '../../metering/usage/rollup/rollup.ts';
import { readJobQueue } from '../../platform/queue/metrics.worker.queries.ts';
import { THRESHOLD_JOBS } from './thresholds.worker.queries.ts';
import { startThresholdWorker } from './thresholds.worker.ts';

const NOW = '2026-10-15T12:00:00.000Z';

let service: TimedService;
let consumer: Consumer;
beforeAll(async () => {
  consumer = await startConsumer();
  service = await startTimedService(NOW, { webhookAllowedHosts: [consumer.host] });
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

/** Creates a company that has reached its threshold and has not been checked. */
async function prepareReached(): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await addThreshold(service, admin, { quantity: '10' });
  await use(service, admin, '/v1/a', 10, NOW);
  await rollUpUsage(service.database.db);
  return admin;
}

async function checksOf({ companyId }: Actor): Promise<number> {
  const rows = await service.database.owner`SELECT FROM usage_threshold_checks WHERE company_id = ${companyId}`;
  return rows.length;
}

// Security (Events): A usage threshold records one event for each period, however many workers there are
it('many parallel workers and rollups record each threshold once', async () => {
  const { db } = service.database;
  const admins = await Promise.all(Array.from({ length: 6 }, () => signUpAdmin(service)));
  for (const admin of admins) {
    for (const quantity of ['10', '20', '1000']) await addThreshold(service, admin, { quantity });
  }
  for (let round = 0; round < 4; round += 1) {
    const using = admins.map((admin) => use(service, admin, '/v1/a', 5, NOW));
    await Promise.all([
      ...using,
      rollUpUsage(db),
      checkOnce(service),
      checkOnce(service),
      rollUpUsage(db),
      checkOnce(service),
    ]);
  }
  await rollUpUsage(db);
  await Promise.all([checkOnce(service), checkOnce(service), checkOnce(service)]);
  for (const admin of admins) {
    const reachedQuantities = (await reachedOf(service, admin)).map(({ threshold }) => threshold.quantity);
    expect(reachedQuantities.sort()).toEqual(['10', '20']);
    expect(await checksOf(admin)).toBe(0);
  }
});

it('if two workers find the same crossing, the second waits and records nothing', async () => {
  const { owner, db } = service.database;
  const admin = await prepareReached();
  const { looking } = await owner.begin(async (tx) => {
    await tx`
      INSERT INTO usage_threshold_crossings (company_id, threshold_id, period, quantity)
      SELECT company_id, id, '2026-10', 10 FROM usage_thresholds WHERE company_id = ${admin.companyId}`;
    const waiting = checkOnce(service);
    await pollUntil(
      async () => db`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      (waiters) => waiters.length > 0,
    );
    return { looking: waiting };
  });
  await looking;
  expect(await reachedOf(service, admin)).toEqual([]);
  expect(await checksOf(admin)).toBe(0);
});

// Security (Events): If a worker dies between a threshold and its event, another one records the event
it('if a worker dies between the crossing and its event, neither is recorded, and the next worker records both', async () => {
  const { owner, db } = service.database;
  const admin = await prepareReached();
  await owner.begin(async (tx) => {
    await tx`LOCK TABLE events IN SHARE MODE`;
    const looking = checkOnce(service);
    const killed = await pollUntil(
      async () => db`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO events%'
          AND pid <> pg_backend_pid()`,
      (rows) => rows.length > 0,
    );
    expect(killed).toHaveLength(1);
    await looking;
  });
  expect(service.logs()).toContain('usage thresholds could not be checked');
  expect(await reachedOf(service, admin)).toEqual([]);
  expect(await checksOf(admin)).toBeGreaterThan(0);
  await checkOnce(service);
  expect(await reachedOf(service, admin)).toMatchObject([{ quantity: '10' }]);
  expect(await checksOf(admin)).toBe(0);
});

it('a company whose check fails does not block others, and is checked again', async () => {
  const { owner } = service.database;
  const [broken, sound] = [await prepareReached(), await prepareReached()];
  await owner`
    ALTER TABLE usage_threshold_crossings
    ADD CONSTRAINT broken CHECK (company_id <> ${owner.unsafe(`'${broken.companyId}'`)}) NOT VALID`;
  await checkOnce(service);
  await owner`ALTER TABLE usage_threshold_crossings DROP CONSTRAINT broken`;
  expect([await reachedOf(service, broken), (await reachedOf(service, sound)).length]).toEqual([[], 1]);
  await checkOnce(service);
  expect(await reachedOf(service, broken)).toHaveLength(1);
});

it('only companies with thresholds and fresh usage are checked, whoever rolls the usage up', async () => {
  const [admin, without] = [await signUpAdmin(service), await signUpAdmin(service)];
  await addThreshold(service, admin, { quantity: '10' });
  await checkOnce(service);
  expect(await checksOf(admin)).toBe(0);
  for (const actor of [admin, without]) await use(service, actor, '/v1/a', 10, NOW);
  expect(await checksOf(admin)).toBe(0);
  await closeUsageCutoff(service.database.db);
  expect([await checksOf(admin), await checksOf(without)]).toEqual([1, 0]);
  expect(await readJobQueue(service.database.db, [THRESHOLD_JOBS])).toMatchObject([
    { name: 'usage_thresholds', depth: 1 },
  ]);
  await checkOnce(service);
  expect(await reachedOf(service, admin)).toHaveLength(1);
  expect(await readJobQueue(service.database.db, [THRESHOLD_JOBS])).toMatchObject([{ depth: 0 }]);
});

it('usage that arrives during a check is checked afterwards', async () => {
  const { owner, db } = service.database;
  const admin = await signUpAdmin(service);
  await addThreshold(service, admin, { quantity: '10' });
  await checkOnce(service);
  await use(service, admin, '/v1/a', 9, NOW);
  await rollUpUsage(db);
  await owner.begin(async (tx) => {
    // As a worker that has read the sums and has not committed.
    await tx`DELETE FROM usage_threshold_checks WHERE company_id = ${admin.companyId}`;
    await use(service, admin, '/v1/a', 1, NOW);
    await rollUpUsage(db);
  });
  expect(await checksOf(admin)).toBe(1);
  await checkOnce(service);
  expect(await reachedOf(service, admin)).toMatchObject([{ quantity: '10' }]);
});

it('the worker runs in the background', async () => {
  const admin = await prepareReached();
  const { db } = service.database;
  const worker = startThresholdWorker({ db, clock: () => service.now }, service.server.log);
  await pollUntil(
    () => reachedOf(service, admin),
    (reachedQuantities) => reachedQuantities.length > 0,
  );
  await worker.stop();
});

it('the endpoints of the company and of the operator get the event, and no other company’s', async () => {
  const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
  const types = ['usage.*'];
  const { secret } = await addEndpoint(service, admin, { url: consumer.url('/own'), types });
  await addEndpoint(service, other, { url: consumer.url('/other'), types });
  await addEndpoint(service, null, { url: consumer.url('/operator'), types });
  await addThreshold(service, admin, { quantity: '3' });
  await use(service, admin, '/v1/a', 3, NOW);
  await rollUpAndCheck(service);
  await deliver(service);
  expect(['/own', '/other', '/operator'].map((path) => consumer.received(path).length)).toEqual([1, 0, 1]);
  expect(consumer.received('/own').map((received) => verify(secret, received))).toMatchObject([
    {
      type: 'usage.threshold_reached',
      companyId: admin.companyId,
      data: { period: '2026-10', quantity: '3', threshold: { quantity: '3', path: '*' } },
    },
  ]);
});
