import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, issueInvoice, saveAddress, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  addEndpoint,
  type Consumer,
  callEndpoint,
  deliver,
  deliveriesOf,
  makeDue,
  type Received,
  startConsumer,
  startDelivering,
  verify,
} from '../../../../test/outbox/webhooks.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { insertEvent } from '../../events/events.queries.ts';
import { createSend } from '../sending/send.ts';

let consumer: Consumer;
let service: TestService;
let admin: Actor;
let other: Actor;

beforeAll(async () => {
  consumer = await startConsumer();
  service = await startTestService({ webhookAllowedHosts: [consumer.host] });
  [admin, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
});
// Deliveries that one test leaves waiting must not reach the next one.
afterEach(async () => {
  await service.database.owner`DELETE FROM webhook_endpoints`;
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

/** Adds an endpoint with a path of its own. */
async function add(actor: Actor | null, body: { types?: string[] } = {}) {
  const path = `/${randomUUID()}`;
  const endpoint = await addEndpoint(service, actor, { url: consumer.url(path), ...body });
  return { ...endpoint, path };
}

const NOTHING: Received = { path: '', headers: {}, body: '' };

const typesAt = (path: string, secret: string) =>
  consumer.received(path).map((received) => verify(secret, received).type);

describe('an event is sent to the endpoints subscribed to it', () => {
  // Security (Outgoing webhooks: signatures, secrets and tenants): Deliveries of webhooks verify with the consumers’ own package
  it('verifies with standardwebhooks, and shows the object as the API does', async () => {
    const { path, secret } = await add(admin, { types: ['address.*'] });
    const body = { city: 'London', streetAddress: '12 St James Square' };
    const { token } = admin;
    const address = expectStatus(await service.call('POST', '/payments/addresses', { token, body }), 201).body;
    await deliver(service);
    const [received] = consumer.received(path);
    expect(consumer.received(path)).toHaveLength(1);
    const event = verify(secret, received ?? NOTHING);
    expect(event).toEqual({
      id: received?.headers['webhook-id'],
      type: 'address.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      companyId: admin.companyId,
      companyExternalId: null,
      data: { ...address, companyExternalId: null },
    });
    expect(received?.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  // Security (Outgoing webhooks: signatures, secrets and tenants): Changed deliveries, or ones signed by somebody else, do not verify
  it('does not verify with a changed body or id, or another secret', async () => {
    const { path, secret } = await add(admin, { types: ['address.created'] });
    await saveAddress(service, admin);
    await deliver(service);
    const [received = NOTHING] = consumer.received(path);
    verify(secret, received);
    expect(() => verify(secret, { ...received, body: received.body.replace('address', 'adress') })).toThrow();
    const headers = { ...received.headers, 'webhook-id': randomUUID() };
    expect(() => verify(secret, { ...received, headers })).toThrow();
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, received)).toThrow();
  });

  // Security (Outgoing webhooks: signatures, secrets and tenants): An endpoint gets only the events of its own company
  it('is filtered by type and by group; by default an endpoint gets all events of its company, or of all for the operator', async () => {
    const [one, group, all, operator, operatorOne] = await Promise.all([
      add(admin, { types: ['invoice.created'] }),
      add(admin, { types: ['label.*'] }),
      add(admin),
      add(null, { types: ['label.*', 'invoice.created'] }),
      add(null, { types: ['card.created'] }),
    ]);
    for (const actor of [admin, other]) {
      const body = { name: randomUUID(), description: 'x', color: '#fff', userName: 'Ada' };
      const { id } = expectStatus(await service.call('POST', '/labels', { token: actor.token, body }), 201).body;
      await service.call('PUT', `/labels/${id}`, { token: actor.token, body: { description: 'y' } });
      await service.call('DELETE', '/labels', { token: actor.token, body: { label_ids: [id, randomUUID(), id] } });
      await issueInvoice(service, actor.companyId);
    }
    await deliver(service);
    const labels = ['label.created', 'label.updated', 'label.deleted'];
    expect(typesAt(one.path, one.secret)).toEqual(['invoice.created']);
    expect(typesAt(group.path, group.secret).sort()).toEqual(labels.toSorted());
    expect(typesAt(all.path, all.secret).sort()).toEqual([...labels, 'invoice.created'].sort());
    expect(typesAt(operator.path, operator.secret).sort()).toEqual(
      [...labels, ...labels, 'invoice.created', 'invoice.created'].sort(),
    );
    const companies = consumer.received(operator.path).map((received) => verify(operator.secret, received).companyId);
    expect(new Set(companies)).toEqual(new Set([admin.companyId, other.companyId]));
    expect(consumer.received(operatorOne.path)).toEqual([]);
  });

  it('is never sent for a change that was refused', async () => {
    const { path } = await add(admin, { types: ['label.*', 'address.*', 'card.*'] });
    const { token } = admin;
    const body = { name: randomUUID(), description: 'x', color: '#fff', userName: 'Ada' };
    expectStatus(await service.call('POST', '/labels', { token, body }), 201);
    expectStatus(await service.call('POST', '/labels', { token, body }), 409);
    expectStatus(await service.call('DELETE', `/payments/addresses/${randomUUID()}`, { token }), 404);
    await deliver(service);
    expect(consumer.received(path)).toHaveLength(1);
  });
});

describe('a delivery that fails', () => {
  const STEPS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  async function nextTrySeconds(endpointId: string): Promise<number | null> {
    const [row] = await service.database.owner<{ seconds: number | null }[]>`
      SELECT extract(epoch FROM next_attempt_at - (
               SELECT max(created_at) FROM webhook_attempts WHERE endpoint_id = ${endpointId}
             ))::float AS seconds
      FROM webhook_deliveries WHERE endpoint_id = ${endpointId}`;
    return row?.seconds ?? null;
  }

  it('is attempted ten times over 75 hours with jitter, with the same id and a new timestamp; then the endpoint is failing', async () => {
    const { id, path, secret } = await add(admin, { types: ['address.created'] });
    consumer.answer(path, (response) => response.writeHead(500).end('broken'));
    await saveAddress(service, admin);
    for (const step of STEPS) {
      await deliver(service);
      const seconds = await nextTrySeconds(id);
      expect(seconds).toBeGreaterThanOrEqual(step * 0.9 - 2);
      expect(seconds).toBeLessThanOrEqual(step * 1.1 + 2);
      await makeDue(service, id);
    }
    await deliver(service);
    await makeDue(service, id);
    await deliver(service);
    expect(STEPS.reduce((sum, step) => sum + step, 0) / 3_600).toBeCloseTo(75.6, 1);
    const received = consumer.received(path);
    expect(received).toHaveLength(10);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const one of received) verify(secret, one);
    const [delivery] = await deliveriesOf(service, admin, id);
    expect(delivery).toMatchObject({ state: 'failed', nextAttemptAt: null, type: 'address.created' });
    expect(delivery.attempts.map((attempt: { try: number }) => attempt.try)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(delivery.attempts[0]).toMatchObject({ status: 500, failure: 'status_not_2xx', response: 'broken' });
    expect((await callEndpoint(service, admin, 'GET', id)).body.status).toBe('failing');

    consumer.answer(path, (response) => response.writeHead(204).end());
    await saveAddress(service, admin);
    await deliver(service);
    expect((await callEndpoint(service, admin, 'GET', id)).body.status).toBe('enabled');
  });

  it('is retried with a jitter of its own, so that failures at the same time are spread', async () => {
    const { id, path } = await add(admin, { types: ['address.created'] });
    consumer.answer(path, (response) => response.writeHead(500).end());
    for (let made = 0; made < 6; made += 1) await saveAddress(service, admin);
    await deliver(service);
    await service.database
      .owner`UPDATE webhook_deliveries SET tries = 8, next_attempt_at = now() - interval '1 second' WHERE endpoint_id = ${id}`;
    await deliver(service);
    const rows = await service.database.owner<{ hours: number }[]>`
      SELECT extract(epoch FROM next_attempt_at - now())::float / 3600 AS hours
      FROM webhook_deliveries WHERE endpoint_id = ${id}`;
    const hours = rows.map((row) => row.hours);
    expect(hours).toHaveLength(6);
    expect(Math.max(...hours) - Math.min(...hours)).toBeGreaterThan(0.01);
  });

  // Security (Outgoing webhooks: addresses): Redirects are not followed
  it('a redirect is not followed and is a failure', async () => {
    const { id, path } = await add(admin, { types: ['address.created'] });
    const elsewhere = `/${randomUUID()}`;
    consumer.answer(path, (response) => response.writeHead(307, { location: consumer.url(elsewhere) }).end());
    await saveAddress(service, admin);
    await deliver(service);
    expect(consumer.received(elsewhere)).toEqual([]);
    const [delivery] = await deliveriesOf(service, admin, id);
    expect(delivery.attempts[0]).toMatchObject({ status: 307, failure: 'status_not_2xx' });
    expect(delivery.state).toBe('pending');
  });

  it('an answer that does not come in time is a failure', async () => {
    const { id, path } = await add(admin, { types: ['address.created'] });
    consumer.answer(path, () => undefined);
    await saveAddress(service, admin);
    await deliver(service, { timeoutMs: 500 });
    const [delivery] = await deliveriesOf(service, admin, id);
    expect(delivery.attempts[0]).toMatchObject({ status: null, failure: 'timeout' });
  });

  it('1 KB of a long answer is kept, without U+0000', async () => {
    const { id, path } = await add(admin, { types: ['address.created'] });
    consumer.answer(path, (response) => response.end(`a\0${'x'.repeat(5_000_000)}`));
    await saveAddress(service, admin);
    await deliver(service);
    const [delivery] = await deliveriesOf(service, admin, id);
    expect(delivery.state).toBe('delivered');
    expect(delivery.attempts[0].response).toBe(`a\uFFFD${'x'.repeat(1_022)}`);
  });

  // Security (Outgoing webhooks: addresses): Only the beginning of an endless answer is read
  it('the connection is closed after the beginning of an endless answer', async () => {
    const { id, path } = await add(admin, { types: ['address.created'] });
    const closed = new Promise<void>((resolve) => {
      consumer.answer(path, (response) => {
        response.once('close', resolve);
        response.write('x'.repeat(2_000));
      });
    });
    await saveAddress(service, admin);
    await deliver(service, { timeoutMs: 3_600_000 });
    await closed;
    const [delivery] = await deliveriesOf(service, admin, id);
    expect(delivery.attempts[0]).toMatchObject({ status: 200, response: 'x'.repeat(1_024) });
  });

  it('410 disables the endpoint: waiting deliveries are given up and nothing more is sent', async () => {
    const { id, path } = await add(admin, { types: ['address.created'] });
    consumer.answer(path, (response) => response.writeHead(500).end());
    await saveAddress(service, admin);
    await deliver(service);
    // As after its eighth attempt: it does not become due by itself.
    await service.database
      .owner`UPDATE webhook_deliveries SET tries = 8, next_attempt_at = now() + interval '1 hour' WHERE endpoint_id = ${id}`;
    consumer.answer(path, (response) => response.writeHead(410).end());
    await saveAddress(service, admin);
    await deliver(service);
    expect((await callEndpoint(service, admin, 'GET', id)).body.status).toBe('disabled');
    expect(service.logs()).toMatch(new RegExp(`"endpointId":"${id}".*answered 410 and is disabled`));
    await saveAddress(service, admin);
    await deliver(service);
    expect(consumer.received(path)).toHaveLength(2);
    const deliveries = await deliveriesOf(service, admin, id);
    expect(deliveries.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed']);
    const refused = await callEndpoint(service, admin, 'POST', `${id}/test`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'webhook_endpoint_disabled']);
  });
});

describe('outcomes of several attempts are recorded together', () => {
  it('410 disables an endpoint whatever else it answers at the same time', async () => {
    const { id, path } = await add(admin, { types: ['address.created'] });
    let count = 0;
    consumer.answer(path, (response) => {
      count += 1;
      response.writeHead(count === 2 ? 410 : 200).end();
    });
    for (let event = 0; event < 3; event += 1) await saveAddress(service, admin);
    await deliver(service);
    expect((await callEndpoint(service, admin, 'GET', id)).body.status).toBe('disabled');
    const states = (await deliveriesOf(service, admin, id)).map(({ state }: { state: string }) => state);
    expect(states.sort()).toEqual(['delivered', 'delivered', 'failed']);
  });

  it('a deleted endpoint does not keep the attempts of others from being recorded', async () => {
    const [deleted, kept] = [await add(admin, { types: ['address.*'] }), await add(admin, { types: ['address.*'] })];
    consumer.answer(deleted.path, (response) => {
      void callEndpoint(service, admin, 'DELETE', deleted.id).then(() => response.end());
    });
    await saveAddress(service, admin);
    await deliver(service);
    expect(consumer.received(deleted.path)).toHaveLength(1);
    const [delivery] = await deliveriesOf(service, admin, kept.id);
    expect([delivery.state, delivery.attempts.length]).toEqual(['delivered', 1]);
  });
});

describe("when the database's clock is set back by a day", () => {
  /** Makes the rows look as after the change: events, attempts and waiting times lie a day ahead. */
  async function setBack(endpointId: string): Promise<void> {
    const { owner } = service.database;
    await owner`UPDATE events SET created_at = created_at + interval '1 day' WHERE company_id = ${admin.companyId}`;
    await owner`UPDATE webhook_attempts SET created_at = created_at + interval '1 day' WHERE endpoint_id = ${endpointId}`;
    await owner`
      UPDATE webhook_deliveries
      SET next_attempt_at = next_attempt_at + interval '1 day', leased_until = leased_until + interval '1 day'
      WHERE endpoint_id = ${endpointId}`;
  }
  afterEach(async () => {
    await service.database.owner`UPDATE events SET created_at = now() WHERE created_at > now()`;
  });

  it('deliveries that waited, or that a dead process had claimed, are sent at once', async () => {
    const { id, path } = await add(admin, { types: ['address.*'] });
    for (let saved = 0; saved < 6; saved += 1) await saveAddress(service, admin);
    await service.database.owner`
      UPDATE webhook_deliveries SET lease = gen_random_uuid(), leased_until = now(), next_attempt_at = now()
      WHERE (company_id, endpoint_id, event) IN (
        SELECT company_id, endpoint_id, event FROM webhook_deliveries WHERE endpoint_id = ${id} LIMIT 4)`;
    await setBack(id);
    const worker = startDelivering(service);
    await expect.poll(() => consumer.received(path).length).toBe(6);
    await worker.stop();
  });

  it('a retry waits no longer than its delay, and none comes early when the clock was not changed', async () => {
    const { id, path } = await add(admin, { types: ['address.*'] });
    consumer.answer(path, (response) => response.writeHead(500).end());
    await saveAddress(service, admin);
    for (let tried = 0; tried < 3; tried += 1) {
      await makeDue(service, id);
      await deliver(service);
    }
    // Its fourth attempt is half an hour away.
    await deliver(service);
    expect(consumer.received(path)).toHaveLength(3);
    await setBack(id);
    await deliver(service);
    expect(consumer.received(path)).toHaveLength(4);
    const [{ nextAttemptAt, attempts }] = await deliveriesOf(service, admin, id);
    expect(attempts).toHaveLength(4);
    expect(Date.parse(nextAttemptAt) - Date.now()).toBeLessThan(3 * 3_600_000);
  });

  it('leases of a process that died delay no new delivery', async () => {
    const { id, path } = await add(admin, { types: ['address.*'] });
    for (let saved = 0; saved < 4; saved += 1) await saveAddress(service, admin);
    // Written so late that only this row reveals the clock change.
    await service.database.owner`
      UPDATE webhook_deliveries
      SET lease = gen_random_uuid(), leased_until = now() + interval '1 day', next_attempt_at = now() + interval '1 day'
      WHERE endpoint_id = ${id}`;
    await saveAddress(service, admin);
    await deliver(service);
    expect(consumer.received(path)).toHaveLength(1);
  });
});

describe('connections', () => {
  it('serve several events; one that breaks is replaced, which does not count as a failure', async () => {
    const send = createSend({ allowedHosts: [consumer.host] });
    const path = `/${randomUUID()}`;
    const sockets = new Set<unknown>();
    let breaks = 0;
    consumer.answer(path, (response) => {
      sockets.add(response.socket);
      if (breaks > 0) response.destroy();
      else response.end();
      breaks -= 1;
    });
    await send({ companyId: OPERATOR_SCOPE, url: consumer.url(path) }, {}, '{}');
    await send({ companyId: OPERATOR_SCOPE, url: consumer.url(path) }, {}, '{}');
    expect(sockets.size).toBe(1);
    breaks = 1;
    expect(await send({ companyId: OPERATOR_SCOPE, url: consumer.url(path) }, {}, '{}')).toMatchObject({
      status: 200,
      failure: null,
    });
    expect(sockets.size).toBe(2);
    breaks = 1;
    expect(await send({ companyId: OPERATOR_SCOPE, url: consumer.url(path) }, {}, '{}')).toMatchObject({
      failure: 'connection_failed',
    });
  });
});

describe('secrets', () => {
  // Security (Outgoing webhooks: signatures, secrets and tenants): Secrets of webhooks rotate with two live signatures
  it('after a rotation both sign for 24 hours, then only the new one', async () => {
    const { id, path, secret: old } = await add(admin, { types: ['address.created'] });
    const rotated = expectStatus(await callEndpoint(service, admin, 'POST', `${id}/rotate-secret`), 200).body;
    expect(rotated.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(rotated.secret).not.toBe(old);
    const hours = (new Date(rotated.previousSecretUntil).getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    await saveAddress(service, admin);
    await deliver(service);
    const [both = NOTHING] = consumer.received(path);
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    verify(old, both);
    verify(rotated.secret, both);

    await service.database.owner`
      UPDATE webhook_endpoints SET previous_secret_until = now() - interval '1 second' WHERE id = ${id}`;
    await saveAddress(service, admin);
    await deliver(service);
    const after = consumer.received(path)[1] ?? both;
    verify(rotated.secret, after);
    expect(() => verify(old, after)).toThrow();
    expect((await callEndpoint(service, admin, 'GET', id)).body.previousSecretUntil).toBeNull();
  });

  // Security (Outgoing webhooks: signatures, secrets and tenants): Secrets of webhooks are shown only at creation and rotation
  it('are shown only at creation and rotation', async () => {
    const { id } = await add(admin);
    expect((await callEndpoint(service, admin, 'GET', id)).body).not.toHaveProperty('secret');
    expect((await callEndpoint(service, admin, 'GET', '')).text).not.toContain('whsec_');
    const changed = await callEndpoint(service, admin, 'PUT', id, { description: 'Changed' });
    expect(changed.body).toMatchObject({ description: 'Changed' });
    expect(changed.text).not.toContain('whsec_');
  });
});

describe('replay and test', () => {
  it('sends one event again with its id, and a range of events, even those from before the endpoint existed', async () => {
    const startAt = new Date(Date.now() - 1).toISOString();
    const addresses = [await saveAddress(service, other), await saveAddress(service, other)];
    const { id, path, secret } = await add(other, { types: ['address.created'] });
    addresses.push(await saveAddress(service, other));
    await deliver(service);
    expect(consumer.received(path)).toHaveLength(1);
    const [first] = consumer.received(path);
    const eventId = first?.headers['webhook-id'] ?? '';
    expect(expectStatus(await callEndpoint(service, other, 'POST', `${id}/replay`, { eventId }), 200).body).toEqual({
      scheduled: 1,
      continueAt: null,
    });
    await deliver(service);
    expect(consumer.received(path).map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);

    const endAt = new Date(Date.now() + 60_000).toISOString();
    const range = await callEndpoint(service, other, 'POST', `${id}/replay`, { startAt, endAt });
    expect(range.body).toEqual({ scheduled: 3, continueAt: null });
    await deliver(service);
    const sent = consumer.received(path).map((received) => verify(secret, received).data.id);
    expect(sent.slice(2).sort()).toEqual(addresses.sort());
  });

  it('the operator’s endpoint replays the events of all companies', async () => {
    const startAt = new Date(Date.now() - 1).toISOString();
    await saveAddress(service, other);
    const { id, path, secret } = await add(null, { types: ['address.created'] });
    const listed = await service.call(
      'GET',
      `/operator/events?companyId=${other.companyId}&type=address.created&perPage=1`,
      {
        token: service.operatorKey,
      },
    );
    const eventId = listed.body.data[0].id;
    expectStatus(await callEndpoint(service, null, 'POST', `${id}/replay`, { eventId }), 200);
    await deliver(service);
    expect(consumer.received(path).map((received) => verify(secret, received).companyId)).toEqual([other.companyId]);
    const range = { startAt, endAt: new Date(Date.now() + 60_000).toISOString() };
    expect((await callEndpoint(service, null, 'POST', `${id}/replay`, range)).body.scheduled).toBe(1);
  });

  it.each(['company', 'operator'])(
    'an event of the %s’s endpoint with the time of its subject in its id',
    async (whose) => {
      const actor = whose === 'company' ? other : null;
      const type = whose === 'company' ? 'invoice.voided' : 'invoice.failed';
      const subject = { id: uuidv7({ msecs: Date.now() - 40 * 86_400_000 }) };
      await insertEvent(service.database.db, other.companyId, { type, data: '{}', subject });
      const { id } = await add(actor, { types: [type] });
      const listed = await service.call('GET', `/operator/events?type=${type}`, { token: service.operatorKey });
      const eventId = listed.body.data[0].id;
      const replay = async (body: object) =>
        expectStatus(await callEndpoint(service, actor, 'POST', `${id}/replay`, body), 200).body;
      expect(await replay({ eventId })).toEqual({ scheduled: 1, continueAt: null });
      const [startAt, endAt] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
      expect(await replay({ startAt, endAt })).toEqual({ scheduled: 1, continueAt: null });
    },
  );

  // Security (Outgoing webhooks: signatures, secrets and tenants): Another company's events can't be replayed
  it('refuses an event of another company, an unknown one, and a body that names neither or both', async () => {
    const { id } = await add(admin);
    await saveAddress(service, other);
    const listed = await service.call('GET', `/operator/events?companyId=${other.companyId}`, {
      token: service.operatorKey,
    });
    const replay = (body: object) => callEndpoint(service, admin, 'POST', `${id}/replay`, body);
    const foreign = await replay({ eventId: listed.body.data[0].id });
    const none = await replay({ eventId: randomUUID() });
    const instants = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' };
    const refusals = [
      foreign,
      none,
      await replay({ eventId: 'x' }),
      await replay({}),
      await replay({ eventId: randomUUID(), ...instants }),
    ];
    const swapped = await replay({ startAt: instants.endAt, endAt: instants.startAt });
    for (const { status } of [...refusals, swapped]) expect(status).toBe(400);
    expect({ ...foreign.body.error, requestId: '' }).toEqual({ ...none.body.error, requestId: '' });
    expect(await deliveriesOf(service, admin, id)).toEqual([]);
  });

  it('a test sends a ping to this endpoint only, whatever it is subscribed to', async () => {
    const [one, beside] = [await add(admin, { types: ['card.created'] }), await add(admin)];
    const { eventId } = expectStatus(await callEndpoint(service, admin, 'POST', `${one.id}/test`), 201).body;
    await deliver(service);
    const [received = NOTHING] = consumer.received(one.path);
    expect(received.headers['webhook-id']).toBe(eventId);
    expect(verify(one.secret, received)).toMatchObject({ type: 'webhook.ping', data: { endpointId: one.id } });
    expect(consumer.received(beside.path)).toEqual([]);
  });
});

describe('another company’s endpoint', () => {
  // Security (Outgoing webhooks: signatures, secrets and tenants): Another company's endpoint is a 404
  it('is 404 on every route and does not change', async () => {
    const { id, path } = await add(other, { types: ['address.created'] });
    const routes: [string, string, object?][] = [
      ['GET', ''],
      ['PUT', '', { status: 'disabled' }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/replay', { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' }],
    ];
    for (const actor of [admin, null]) {
      for (const [method, rest, body] of routes) {
        expect((await callEndpoint(service, actor, method, `${id}${rest}`, body)).status).toBe(404);
      }
    }
    expect((await callEndpoint(service, other, 'GET', id)).body).toMatchObject({ status: 'enabled' });
    await saveAddress(service, admin);
    await deliver(service);
    expect(consumer.received(path)).toEqual([]);
  });
});

describe('a slow endpoint does not delay the others', () => {
  // Security (Outgoing webhooks: signatures, secrets and tenants): A slow endpoint does not delay others
  it('at most four of its queue are sent at a time, and another endpoint’s event is sent at once', async () => {
    const [slow, quick] = [
      await add(admin, { types: ['address.created'] }),
      await add(admin, { types: ['label.created'] }),
    ];
    let [open, most] = [0, 0];
    consumer.answer(slow.path, (response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end();
      }, 50);
    });
    for (let made = 0; made < 100; made += 1) await saveAddress(service, admin);
    const body = { name: randomUUID(), description: 'x', color: '#fff', userName: 'Ada' };
    expectStatus(await service.call('POST', '/labels', { token: admin.token, body }), 201);
    consumer.answer(quick.path, (response) => {
      expect(consumer.received(slow.path).length).toBeLessThan(10);
      response.end();
    });
    await deliver(service);
    expect(consumer.received(quick.path)).toHaveLength(1);
    expect(consumer.received(slow.path)).toHaveLength(100);
    expect(most).toBe(4);
  });
});
