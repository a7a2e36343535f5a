import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import fastify, { type FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, saveAddress, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { sendResult } from '../route/answer.ts';
import { handleErrors } from '../route/errors.ts';
import type { JsonList } from '../schema/json.ts';
import { Type } from '../schema/type.ts';
import { writeInBatches } from './batches.ts';
import { createShares } from './shares.ts';

/** More of everything than is held in memory at once. */
const ITEMS = 150;

let service: TestService;
let admin: Actor;
let endpointId: string;

beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
  const body = { url: 'https://hooks.example.com/paydesk', types: ['card.deleted'] };
  const { token } = admin;
  ({ id: endpointId } = expectStatus(
    await service.call('POST', '/payments/webhook-endpoints', { token, body }),
    201,
  ).body);
  await fill(admin, await saveAddress(service, admin));
});
afterAll(() => service?.stop());

/** The first items are short, and the rest as long as possible. */
async function fill({ companyId, userId }: Actor, addressId: string): Promise<void> {
  const { owner } = service.database;
  const text = (most: number) => owner`repeat('☃', CASE WHEN n <= 20 THEN 1 ELSE ${most}::int END)`;
  const rows = owner`generate_series(1, ${ITEMS}::int) AS n`;
  await owner`
    INSERT INTO labels (company_id, id, user_id, created_by, updated_by, name, description, color)
    SELECT ${companyId}, gen_random_uuid(), ${userId}, 'Ada', 'Ada', 'Label ' || n, ${text(2_000)}, '#fff' FROM ${rows}`;
  await owner`
    INSERT INTO addresses (company_id, id, street_address) SELECT ${companyId}, gen_random_uuid(), ${text(255)} FROM ${rows}`;
  await owner`
    INSERT INTO cards (company_id, id, address_id, country, exp_month, exp_year, card_name, brand, first_four, last_four, number_length,
                       fingerprint, fingerprint_key_version, gateway, gateway_token)
    SELECT ${companyId}, gen_random_uuid(), ${addressId}, 'GB', 12, 2099, ${text(255)}, 'visa', '4242', '4242', 16, '', 1, 'sandbox',
           'card ' || n FROM ${rows}`;
  await owner`
    WITH made AS (
      INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, state)
      SELECT ${companyId}, ${endpointId}, gen_random_uuid(), ${companyId}, 'failed' FROM ${rows} RETURNING event
    )
    INSERT INTO webhook_attempts (company_id, id, endpoint_id, event, try, duration_ms, response)
    SELECT ${companyId}, gen_random_uuid(), ${endpointId}, event, n, 1, repeat('x', 400 * n) FROM made, generate_series(1, 2) AS n`;
  await owner`
    INSERT INTO billing_information_changes (company_id, id, changed_by, before, after)
    SELECT ${companyId}, gen_random_uuid(), 'operator', json_build_object('address', ${text(2_000)}), '{}' FROM ${rows}`;
}

/** A list as it comes when it is asked for as a whole, and its items. */
async function readWhole(path: string, token: string) {
  const { body, headers } = expectStatus(await service.call('GET', path, { token }), 200);
  return { body, items: Array.isArray(body) ? body : body.data, length: headers.get('content-length') };
}

// Security (HTTP, and what all share): Long lists of labels, cards, addresses, deliveries and corrections are read and sent in parts
describe('a list too long to hold in memory is sent in batches, with the content of shorter lists, in order:', () => {
  it.each([
    ['labels', '/labels?order_by=createdAt', 'per_page', 'current_page'],
    ['corrections of billing information', '', 'perPage', 'page'],
  ])('%s', async (_name, labels, perPage, page) => {
    const path = labels || `/operator/companies/${admin.companyId}/billing-information/changes?`;
    const token = labels === '' ? service.operatorKey : admin.token;
    const whole = await readWhole(`${path}&${perPage}=1000`, token);
    expect([whole.length, whole.body.total, whole.items.length]).toEqual([null, ITEMS, ITEMS]);
    const parts = await Promise.all([1, 2].map((one) => readWhole(`${path}&${perPage}=75&${page}=${one}`, token)));
    expect(parts.map(({ length }) => length)).not.toContain(null);
    expect(parts.flatMap(({ items }) => items)).toEqual(whole.items);
  });

  it('deliveries of a webhook', async () => {
    const path = `/payments/webhook-endpoints/${endpointId}/deliveries`;
    const whole = await readWhole(`${path}?perPage=140`, admin.token);
    expect([whole.length, whole.items.length, whole.items[7].attempts.length]).toEqual([null, 140, 2]);
    const first = await readWhole(`${path}?perPage=20`, admin.token);
    expect(first.items).toEqual(whole.items.slice(0, 20));
    const next = await readWhole(`${path}?perPage=20&cursor=${first.body.nextCursor}&state=failed`, admin.token);
    expect(next.items).toEqual(whole.items.slice(20, 40));
    const last = await readWhole(`${path}?perPage=20&cursor=${whole.body.nextCursor}`, admin.token);
    expect([last.items.length, last.body.nextCursor]).toEqual([10, null]);
  });

  it.each([
    ['cards', '/payments/cards'],
    ['addresses', '/payments/addresses'],
  ])('%s', async (table, path) => {
    const whole = await readWhole(path, admin.token);
    const kept = await service.database.owner`
      SELECT id FROM ${service.database.owner(table)} WHERE company_id = ${admin.companyId} ORDER BY id DESC`;
    expect(whole.length).toBe(null);
    expect(whole.items.map(({ id }: { id: string }) => id)).toEqual(kept.map(({ id }) => id));
    await service.database.owner`
      UPDATE ${service.database.owner(table)} SET deleted_at = now()
      WHERE company_id = ${admin.companyId} AND id < ${whole.items[99].id}`;
    const short = await readWhole(path, admin.token);
    expect(short.length).not.toBe(null);
    expect(short.items).toEqual(whole.items.slice(0, 100));
  });
});

// Security (HTTP, and what all share): A client that disconnects before its answer uses none of its company's share
it("a long list whose client disconnects releases its company's share", async () => {
  const { hostname, port } = new URL(service.url);
  const request = `GET /labels?per_page=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n\r\n`;
  for (let time = 1; time <= 40; time += 1) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(request, resolve));
    socket.destroy();
    await once(socket, 'close');
  }
  const ask = () => service.call('GET', '/labels?per_page=1000', { token: admin.token });
  await expect.poll(async () => (await ask()).status).toBe(200);
});

const NAMES = Type.Array(Type.String());

describe('a long list while the database goes away', () => {
  /** Reads a list of two items, each of which is a batch. */
  async function readList(readBatch: (item: number) => Promise<string>): Promise<Response> {
    const server = fastify();
    handleErrors(server);
    const shares = createShares({ poolSize: 10 });
    server.get('/', (_request, reply) => {
      const result = writeInBatches<typeof NAMES, number>(
        null,
        [1, 2],
        async ([item = 0]) => (await readBatch(item)) as JsonList<typeof NAMES>,
      );
      return sendResult(shares, 'one', { result, schema: null }, reply);
    });
    servers.push(server);
    return fetch(await server.listen({ host: '127.0.0.1', port: 0 }));
  }
  const servers: { close: () => Promise<void> }[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  const goAway = () => Object.assign(new Error('The connection was closed.'), { code: 'CONNECTION_CLOSED' });

  it('is 503 with Retry-After if no item was read', async () => {
    const answer = await readList(() => Promise.reject(goAway()));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toMatchObject({ error: { code: 'service_unavailable' } });
  });

  it('is cut off if some were sent, so that it is neither whole nor valid JSON', async () => {
    const answer = await readList((item) => (item === 1 ? Promise.resolve('["first"]') : Promise.reject(goAway())));
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('is whole if the database stays', async () => {
    const answer = await readList((item) => Promise.resolve(item === 1 ? '[]' : '["second"]'));
    expect([answer.status, await answer.json()]).toEqual([200, ['second']]);
  });
});

// Security (HTTP, and what all share): The data on its way to all clients is limited: the slowest reader is cut off
describe('answers that are being sent', () => {
  const MEGABYTE = 1024 * 1024;
  const newReply = () => ({ raw: new PassThrough() }) as unknown as FastifyReply;

  it('the longest-running one is cut off when they exceed the limit, whosever it is', () => {
    const shares = createShares({ poolSize: 10, maxBytesInAll: 10 * MEGABYTE, minTimeToReadMs: 0 });
    const replies = Array.from({ length: 6 }, newReply);
    for (const [index, reply] of replies.entries()) shares.count(`company ${index}`, 3 * MEGABYTE, reply);
    expect(replies.map(({ raw }) => raw.destroyed)).toEqual([true, true, true, false, false, false]);
  });

  it('nothing is cut off that had little time yet: new requests get Retry-After instead', async () => {
    const shares = createShares({ poolSize: 10, maxBytesInAll: 10 * MEGABYTE });
    const [first, ...rest] = Array.from({ length: 3 }, newReply);
    for (const reply of [first, ...rest]) shares.count('one', 3 * MEGABYTE, reply as FastifyReply);
    expect(() => shares.count('another', 3 * MEGABYTE, newReply())).toThrow(
      expect.objectContaining({ code: 'service_unavailable', retryAfterSeconds: 2 }),
    );
    first?.raw.emit('close');
    expect(() => shares.count('another', 3 * MEGABYTE, newReply())).not.toThrow();
    expect(rest.map(({ raw }) => raw.destroyed)).toEqual([false, false]);
  });
});
