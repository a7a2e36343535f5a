/** What a process has claimed of an endpoint before it can send it. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pollUntil } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, saveAddress, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  addEndpoint,
  type Consumer,
  callEndpoint,
  deliveriesOf,
  startConsumer,
  startDelivering,
} from '../../../../test/outbox/webhooks.ts';
import { claimDeliveries } from './delivery.worker.queries.ts';

const EVENTS = 72;
/** How many of one endpoint a process has claimed while it has room, and while others need it. */
const [MORE, FEW] = [64, 16];

let consumer: Consumer;
let service: TestService;
let admin: Actor;
beforeAll(async () => {
  consumer = await startConsumer();
  service = await startTestService({ webhookAllowedHosts: [consumer.host] });
  admin = await signUpAdmin(service);
});
afterEach(async () => {
  await service.database.owner`DELETE FROM webhook_endpoints`;
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

/** An endpoint with events that wait, which answers when the test says so. */
async function addSlow() {
  const path = `/${randomUUID()}`;
  const endpoint = await addEndpoint(service, admin, { url: consumer.url(path), types: ['address.created'] });
  for (let saved = 0; saved < EVENTS; saved += 1) await saveAddress(service, admin);
  let open: ServerResponse[] = [];
  consumer.answer(path, (response) => open.push(response));
  const answerAll = () => {
    const answered = open;
    open = [];
    for (const response of answered) response.end();
  };
  return { ...endpoint, path, openNow: () => open.length, answerAll };
}

const countLeased = async () =>
  (await service.database.owner`SELECT FROM webhook_deliveries WHERE lease IS NOT NULL`).length;

const idsAt = (path: string) => consumer.received(path).map(({ headers }) => headers['webhook-id']);

it('four are sent at a time, each once, whatever a process has claimed', async () => {
  const { id, path, openNow, answerAll } = await addSlow();
  const worker = startDelivering(service);
  await pollUntil(countLeased, (count) => count === MORE);
  let most = 0;
  await pollUntil(
    async () => {
      most = Math.max(most, openNow());
      answerAll();
      return deliveriesOf(service, admin, id);
    },
    (deliveries: { state: string }[]) => deliveries.every(({ state }) => state === 'delivered'),
  );
  await worker.stop();
  expect(most).toBe(4);
  expect([idsAt(path).length, new Set(idsAt(path)).size]).toEqual([EVENTS, EVENTS]);
});

it('what waits too long for its turn is sent to the endpoint as it is then', async () => {
  const { id, path, openNow, answerAll } = await addSlow();
  const worker = startDelivering(service, { longestWaitMs: 0 });
  await pollUntil(countLeased, (count) => count === MORE);
  await pollUntil(
    async () => openNow(),
    (open) => open === 4,
  );
  const moved = `/${randomUUID()}`;
  expectStatus(await callEndpoint(service, admin, 'PUT', id, { url: consumer.publicUrl(moved) }), 200);
  answerAll();
  await pollUntil(
    async () => deliveriesOf(service, admin, id),
    (deliveries: { state: string }[]) => deliveries.every(({ state }) => state === 'delivered'),
  );
  await worker.stop();
  expect([idsAt(path).length, idsAt(moved).length]).toEqual([4, EVENTS - 4]);
  expect(new Set([...idsAt(path), ...idsAt(moved)]).size).toBe(EVENTS);
  for (const { attempts } of await deliveriesOf(service, admin, id)) expect(attempts).toHaveLength(1);
});

it('slow endpoints with many events leave room for those of others', async () => {
  const slow: Awaited<ReturnType<typeof addSlow>>[] = [];
  for (let added = 0; added < 5; added += 1) slow.push(await addSlow());
  const worker = startDelivering(service);
  await pollUntil(countLeased, (count) => count >= 2 * MORE);
  const path = `/${randomUUID()}`;
  await addEndpoint(service, admin, { url: consumer.url(path), types: ['address.created'] });
  for (let saved = 0; saved < FEW; saved += 1) await saveAddress(service, admin);
  await pollUntil(
    async () => idsAt(path).length,
    (count) => count === FEW,
  );
  expect(slow.map(({ path: ofSlow }) => idsAt(ofSlow).length)).toEqual([4, 4, 4, 4, 4]);
  for (const { path: ofSlow, answerAll } of slow) {
    consumer.answer(ofSlow, (response) => response.end());
    answerAll();
  }
  await worker.stop();
});

it('a process that stops sends what it has begun, and leaves the rest to others at once', async () => {
  const { id, path, openNow, answerAll } = await addSlow();
  const worker = startDelivering(service);
  await pollUntil(countLeased, (count) => count === MORE);
  await pollUntil(
    async () => openNow(),
    (open) => open === 4,
  );
  const stopped = worker.stop();
  answerAll();
  await stopped;
  expect([idsAt(path).length, await countLeased()]).toEqual([4, 0]);
  consumer.answer(path, (response) => response.end());
  const next = startDelivering(service);
  await pollUntil(
    async () => deliveriesOf(service, admin, id),
    (deliveries: { state: string }[]) => deliveries.every(({ state }) => state === 'delivered'),
  );
  await next.stop();
  expect([idsAt(path).length, new Set(idsAt(path)).size]).toEqual([EVENTS, EVENTS]);
});

it('one process at a time has claimed of an endpoint, so that all together send four to it', async () => {
  const { db, owner } = service.database;
  const { id } = await addSlow();
  const claim = async () => (await claimDeliveries(db, { lease: randomUUID(), limit: 64, perEndpoint: FEW })).length;
  expect([await claim(), await claim()]).toEqual([FEW, 0]);
  await owner`
    UPDATE webhook_deliveries SET lease = NULL, leased_until = NULL
    WHERE event IN (SELECT event FROM webhook_deliveries WHERE endpoint_id = ${id} AND lease IS NOT NULL LIMIT ${FEW - 1})`;
  await owner`UPDATE webhook_deliveries SET process_id = gen_random_uuid() WHERE lease IS NOT NULL`;
  expect(await claim()).toBe(0);
  await owner`UPDATE webhook_deliveries SET lease = NULL, leased_until = NULL`;
  expect(await claim()).toBe(FEW);
});
