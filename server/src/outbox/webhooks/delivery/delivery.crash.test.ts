import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus, saveAddress, signUpAdmin } from '../../../../test/customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/database/database.ts';
import { endProcesses, eventually, startPaydesk } from '../../../../test/harness/process.ts';
import { addEndpoint, type Consumer, deliveriesOf, startConsumer, verify } from '../../../../test/outbox/webhooks.ts';

let database: TestDatabase;
let consumer: Consumer;
beforeAll(async () => {
  database = await cloneDatabase();
  consumer = await startConsumer();
});
afterAll(async () => {
  await endProcesses();
  await consumer?.stop();
  await database?.drop();
});

// Security (Events): After a process dies during a delivery, another one sends the event again with the same id
it('after a process dies between a delivery and its record, another one delivers again with the same id (I9)', async () => {
  const environment = { DATABASE_URL: database.url, WEBHOOK_ALLOWED_HOSTS: consumer.host };
  const first = await startPaydesk({ ...environment, FAILPOINTS: 'after_webhook_sent' });
  const admin = await signUpAdmin(first.service);
  const { id, secret } = await addEndpoint(first.service, null, { url: consumer.url('/events'), types: ['address.*'] });
  const addressId = await saveAddress(first.service, admin);
  expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(consumer.received('/events')).toHaveLength(1);

  // By the database's clock, the dead process would hold its lease for another minute and a half.
  await database.owner`
    UPDATE webhook_deliveries SET next_attempt_at = now() + interval '90 seconds', leased_until = now() + interval '90 seconds'
    WHERE lease IS NOT NULL`;
  const second = await startPaydesk({
    ...environment,
    DATA_DIR: first.dataDirectory,
    OPERATOR_KEY: first.service.operatorKey,
  });
  const isDelivered = async () => (await deliveriesOf(second.service, null, id))[0]?.state === 'delivered';
  await eventually(isDelivered);
  const events = consumer.received('/events').map((received) => verify(secret, received));
  expect(events.map(({ data }) => data.id)).toEqual([addressId, addressId]);
  const ids = consumer.received('/events').map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  const [{ attempts }] = await deliveriesOf(second.service, null, id);
  expect(attempts).toHaveLength(1);
  const listed = await second.service.call('GET', '/operator/events?type=address.created', {
    token: first.service.operatorKey,
  });
  expect(expectStatus(listed, 200).body.data.map((event: { id: string }) => event.id)).toEqual([ids[0]]);
});
