import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { reconcileDue } from '../../../test/harness/reconcilers.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addEndpoint } from '../../../test/outbox/webhooks.ts';
import { preparePayable } from '../../../test/payments/charge.ts';
import { claimPreview, finishPreview } from '../../billing/previews/previews.operator.queries.ts';
import { claimRun, settleCutoff } from '../../billing/runs/pass/run.worker.queries.ts';
import { JOB_TABLES } from '../../features.ts';
import { claimDeliveries } from '../../outbox/webhooks/delivery/delivery.worker.queries.ts';
import { claimDue } from '../../payments/collection/collection.worker.queries.ts';
import { claimSourcesToDetach } from '../../payments/detach/detach.worker.queries.ts';
import { claimKeptEvents } from '../../payments/gateway-events/gateway-events.worker.queries.ts';
import { PROCESS_ID, startHeartbeat } from '../processes/processes.service.ts';
import { recordHeartbeat } from '../processes/processes.worker.queries.ts';
import { releaseLeasesOfDead } from './releasing.ts';

const CONSUMER = '127.0.0.1:9';
/** What this process claims is then attributed to another process, whose row says when it was last seen. */
const other = randomUUID();

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ webhookAllowedHosts: [CONSUMER] });
});
afterAll(async () => service?.stop());
beforeEach(async () => void (await service.database.owner`DELETE FROM processes`));

const release = () => releaseLeasesOfDead(service.database.db, JOB_TABLES, service.server.log);

/** Sets when the other process was last seen; this one is seen now. */
async function otherWasSeen(secondsAgo: number): Promise<void> {
  const { db, owner } = service.database;
  await recordHeartbeat(db, PROCESS_ID);
  await owner`
    INSERT INTO processes (id, seen_at) VALUES (${other}, now() - make_interval(secs => ${secondsAgo}))
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;
}

/** Creates a payment that the other process has begun, and that is due in an hour. */
async function beginPayment(): Promise<string> {
  const { database, sandbox } = service;
  const payable = await preparePayable(service);
  await sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  await payable.pay();
  const [payment] = await database.owner<[{ id: string }]>`
    UPDATE payments SET state = 'sending', process_id = ${other}, reconcile_at = now() + interval '1 hour'
    WHERE invoice_id = ${payable.invoice.id} RETURNING id`;
  return payment.id;
}

async function isDue(paymentId: string): Promise<boolean> {
  const [row] = await service.database.db<[{ isDue: boolean }]>`
    SELECT reconcile_at <= now() AS "isDue" FROM payments WHERE id = ${paymentId}`;
  return row.isDue;
}

describe('work of a process', () => {
  it.each([
    ['was seen a second ago', 1, false],
    ['was not seen for six seconds', 6, true],
    ['was seen half a minute ahead of now, by a transaction or a clock that is not quite ours', -30, false],
    ['was seen at a time that is still to come, since when the clock was set back', -3_600, true],
  ])('that %s (%d s ago): due for others: %s', async (_, secondsAgo, isReleased) => {
    const payment = await beginPayment();
    await otherWasSeen(secondsAgo);
    await release();
    expect(await isDue(payment)).toBe(isReleased);
  });

  // Security (Faults at every step): A suspended process, an unavailable database and a changed clock do not take work from living
  // processes
  it.each([
    ['the database was away for four seconds', 4],
    ['the clock was set back by an hour', -3_600],
  ])('is not taken over by a process that was itself not seen while %s', async (_, secondsAgo) => {
    const { owner, db } = service.database;
    const payment = await beginPayment();
    await otherWasSeen(10);
    await owner`UPDATE processes SET seen_at = now() - make_interval(secs => ${secondsAgo}) WHERE id = ${PROCESS_ID}`;
    await release();
    expect(await isDue(payment)).toBe(false);
    await recordHeartbeat(db, PROCESS_ID);
    await release();
    expect(await isDue(payment)).toBe(false);
    // As if it had been seen without a gap since.
    await owner`UPDATE processes SET steady_since = now() - interval '6 seconds' WHERE id = ${PROCESS_ID}`;
    await release();
    expect(await isDue(payment)).toBe(true);
  });

  it('is due at once for the only process on the database', async () => {
    const { owner, db } = service.database;
    const payment = await beginPayment();
    await otherWasSeen(0);
    await owner`DELETE FROM processes WHERE id = ${PROCESS_ID}`;
    const heartbeat = await startHeartbeat(db, { isAlone: true });
    await release();
    expect(await isDue(payment)).toBe(true);
    await heartbeat.stop();
    expect(await owner`SELECT id FROM processes`).toEqual([]);
  });

  it('keeps its due time if it waits without a lease', async () => {
    const payment = await beginPayment();
    const { database, gateways, server, sandbox } = service;
    await database.owner`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE id = ${payment}`;
    await sandbox.armFault({ operation: 'any', kind: 'outage' });
    onTestFinished(() => sandbox.clearFaults());
    await reconcileDue({ db: database.db, gateways }, server.log);
    await otherWasSeen(10);
    await release();
    expect(await isDue(payment)).toBe(false);
  });

  it('in a locked row does not delay other rows, and is released afterwards', async () => {
    const [locked, free] = [await beginPayment(), await beginPayment()];
    await otherWasSeen(10);
    await service.database.owner.begin(async (tx) => {
      await tx`SELECT FROM payments WHERE id = ${locked} FOR UPDATE`;
      await release();
      expect(await isDue(free)).toBe(true);
    });
    expect(await isDue(locked)).toBe(false);
    await release();
    expect(await isDue(locked)).toBe(true);
  });

  it('a deleted process that was only suspended records itself again', async () => {
    const { db, owner } = service.database;
    await otherWasSeen(120);
    await release();
    expect(await owner`SELECT FROM processes WHERE id = ${other}`).toHaveLength(0);
    await recordHeartbeat(db, other);
    expect(await owner`SELECT FROM processes WHERE id = ${other}`).toHaveLength(1);
  });
});

describe('leases of workers that died', () => {
  const lease = randomUUID();

  async function die(table: string): Promise<void> {
    const { owner } = service.database;
    await owner`UPDATE ${owner(table)} SET process_id = ${other} WHERE process_id = ${PROCESS_ID}`;
    await otherWasSeen(10);
  }

  it('a billing run continues, and a worker that was only suspended has lost it', async () => {
    const { db, owner } = service.database;
    await owner`
      INSERT INTO billing_runs (id, period, status, as_of) VALUES (${randomUUID()}, '2024-01', 'running', now())`;
    onTestFinished(async () => void (await owner`DELETE FROM billing_runs`));
    const claimed = await claimRun(db, lease);
    if (claimed === null) throw new Error('there is no run');
    await die('billing_runs');
    expect(await claimRun(db, randomUUID())).toBeNull();
    await release();
    expect(await settleCutoff(db, claimed, 1)).toBeNull();
    expect(await claimRun(db, randomUUID())).toMatchObject({ period: '2024-01' });
  });

  it('a preview continues, and a worker that was only suspended has lost it', async () => {
    const { db, owner } = service.database;
    await owner`INSERT INTO billing_previews (id, period, companies) VALUES (${randomUUID()}, '2024-01', 0)`;
    const claimed = await claimPreview(db, lease);
    if (claimed === null) throw new Error('there is no preview');
    await die('billing_previews');
    expect(await claimPreview(db, randomUUID())).toBeNull();
    await release();
    await finishPreview(db, claimed);
    expect(await claimPreview(db, randomUUID())).toMatchObject({ period: '2024-01' });
  });

  it('a collection and a delivery are claimed by others', async () => {
    const { db } = service.database;
    await addEndpoint(service, null, { url: `http://${CONSUMER}/`, types: ['invoice.*'] });
    await preparePayable(service);
    const collect = () => claimDue(db, { gateway: 'sandbox', now: new Date(), lease: randomUUID() });
    const deliver = () => claimDeliveries(db, { lease: randomUUID(), limit: 64, perEndpoint: 64 });
    const collections = [await collect(), await collect(), await collect(), await collect()];
    const deliveries = await deliver();
    expect([collections.filter((claimed) => claimed !== null).length, deliveries.length]).not.toContain(0);
    await die('collections');
    await die('webhook_deliveries');
    await release();
    expect(await collect()).not.toBeNull();
    expect(await deliver()).toHaveLength(deliveries.length);
  });

  it('a deleted card and a gateway event that was kept are claimed by others at once', async () => {
    const { db, owner } = service.database;
    await preparePayable(service);
    await owner`UPDATE cards SET deleted_at = now(), detach_at = now()`;
    await owner`
      INSERT INTO gateway_notices (gateway, id, type, kind, act_at) VALUES ('sandbox', 'evt_kept', 'paid', 'other', now())`;
    const detach = async () => (await claimSourcesToDetach(db, { gateway: 'sandbox', limit: 100 })).length;
    const act = async () => (await claimKeptEvents(db, 100)).length;
    const claimed = [await detach(), await act()];
    expect(claimed).not.toContain(0);
    await die('cards');
    await die('gateway_notices');
    expect([await detach(), await act()]).toEqual([0, 0]);
    await release();
    expect([await detach(), await act()]).toEqual(claimed);
  });
});
