import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  CARDS,
  expectStatus,
  issueInvoice,
  PASSWORD,
  saveCard,
  signUpAdmin,
} from '../../../../test/customers/actors.ts';
import { type DumpedRow, dumpDatabase } from '../../../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  addEndpoint,
  type Consumer,
  callEndpoint,
  deliver,
  deliveriesOf,
  startConsumer,
  verify,
} from '../../../../test/outbox/webhooks.ts';

let consumer: Consumer;
let service: TestService;
let admin: Actor;
let rows: DumpedRow[];
const secrets: string[] = [];

/** Creates, repeats, rotates, changes, reads and tests an endpoint that is subscribed to everything. */
beforeAll(async () => {
  consumer = await startConsumer();
  service = await startTestService({ webhookAllowedHosts: [consumer.host] });
  admin = await signUpAdmin(service);
  const { token } = admin;
  const post = (path: string, body?: object) =>
    service.call('POST', path, {
      token,
      headers: { 'idempotency-key': 'same' },
      ...(body === undefined ? {} : { body }),
    });
  const url = consumer.publicUrl('/events');
  const created = expectStatus(await post('/payments/webhook-endpoints', { url }), 201);
  const repeated = await post('/payments/webhook-endpoints', { url });
  expect([repeated.headers.get('idempotent-replayed'), repeated.text]).toEqual(['true', created.text]);
  const { id } = created.body;
  const rotated = expectStatus(await post(`/payments/webhook-endpoints/${id}/rotate-secret`), 200);
  expect((await post(`/payments/webhook-endpoints/${id}/rotate-secret`)).text).toBe(rotated.text);
  secrets.push(
    created.body.secret,
    rotated.body.secret,
    (await addEndpoint(service, null, { url: consumer.url('/events') })).secret,
  );

  await callEndpoint(service, admin, 'PUT', id, { description: 'Changed' });
  expectStatus(await callEndpoint(service, admin, 'POST', `${id}/test`), 201);
  await saveCard(service, admin, { cardNumber: CARDS.mastercard, isDefault: true });
  const invoice = await issueInvoice(service, admin.companyId);
  expectStatus(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token }), 200);
  const label = { name: randomUUID(), description: 'x', color: '#fff', userName: 'Ada' };
  expectStatus(await service.call('POST', '/labels', { token, body: label }), 201);
  await deliver(service);
  rows = await dumpDatabase(service.database.owner);
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

/** The secret as shown, and its key as raw text, in hexadecimal and in base64 at each alignment. */
function formsOf(secret: string): string[] {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return [
    secret,
    secret.slice('whsec_'.length),
    key.toString('latin1'),
    key.toString('hex'),
    key.toString('base64url'),
  ];
}

describe('webhook secrets', () => {
  it('sign what is sent', () => {
    const requests = consumer.received('/events').filter(({ headers }) => headers['webhook-signature']?.includes(' '));
    expect(requests.length).toBeGreaterThan(4);
    for (const received of requests) for (const secret of secrets.slice(0, 2)) verify(secret, received);
  });

  // Security (Outgoing webhooks: signatures, secrets and tenants): No row of the database contains a secret of a webhook, including stored
  // answers
  it('are in no row of the database, kept answers included', () => {
    expect(new Set(secrets).size).toBe(3);
    const tables = new Set(rows.map(({ table }) => table));
    expect([...tables]).toEqual(
      expect.arrayContaining(['webhook_endpoints', 'webhook_attempts', 'events', 'idempotency_keys']),
    );
    // The control: the search does find text that is there.
    expect(rows.some(({ text }) => text.includes(consumer.host))).toBe(true);
    const forms = secrets.flatMap(formsOf);
    expect(rows.filter(({ text }) => text.includes('whsec_') || forms.some((form) => text.includes(form)))).toEqual([]);
  });

  // Security (Outgoing webhooks: signatures, secrets and tenants): No log and no event contains a secret of a webhook
  it('are in no log line and no event', () => {
    for (const form of secrets.flatMap(formsOf)) expect(service.logs()).not.toContain(form);
    expect(service.logs()).not.toContain('whsec_');
    for (const { body } of consumer.received('/events')) expect(body).not.toContain('whsec_');
  });

  // Security (Outgoing webhooks: signatures, secrets and tenants): A stolen database does not reveal the secrets of webhooks
  it('can’t be decrypted without the key in the data directory, nor moved to another endpoint', async () => {
    const { sealing } = JSON.parse(readFileSync(join(service.config.dataDirectory, 'keys.json'), 'utf8'));
    expect(sealing).toHaveLength(1);
    for (const { secret } of sealing) expect(rows.some(({ text }) => text.includes(secret))).toBe(false);
    const [one, two] = [
      await addEndpoint(service, admin, { url: consumer.url('/one') }),
      await addEndpoint(service, admin, { url: consumer.url('/two') }),
    ];
    await service.database.owner`
      UPDATE webhook_endpoints SET secret = (SELECT secret FROM webhook_endpoints WHERE id = ${one.id}) WHERE id = ${two.id}`;
    expectStatus(await callEndpoint(service, admin, 'POST', `${two.id}/test`), 201);
    await deliver(service);
    expect(consumer.received('/two')).toEqual([]);
    const [delivery] = await deliveriesOf(service, admin, two.id);
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ try: 1, failure: 'secret_unreadable' }] });
  });
});

describe('events', () => {
  // Security (Events): No event contains a card number, code, password or token
  it('hold no card number, security code, password or token', () => {
    const requests = consumer.received('/events').map(({ body }) => body);
    expect(requests.some((body) => body.includes('5555********4444'))).toBe(true);
    const events = rows.filter(({ table }) => table === 'events').map(({ text }) => text);
    expect(events.length).toBeGreaterThan(5);
    for (const text of [...requests, ...events]) {
      for (const secret of [
        CARDS.mastercard,
        '55554444',
        PASSWORD,
        admin.token,
        'argon2',
        'gatewayToken',
        'fingerprint',
      ]) {
        expect(text).not.toContain(secret);
      }
      expect(text).not.toMatch(/"cvv"|"tok_/);
    }
  });
});
