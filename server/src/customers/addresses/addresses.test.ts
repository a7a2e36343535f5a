import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, saveAddress, signUpAdmin } from '../../../test/customers/actors.ts';
import { describeIdempotentCreate } from '../../../test/customers/idempotent-creates.contract.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const TEXTS = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  streetAddress: '12 St James Square',
  aptNumber: '4',
  state: 'London',
  country: 'GB',
  zipCode: '01234',
};
const FIELDS = Object.keys(TEXTS);
const EMPTY = Object.fromEntries(FIELDS.map((field) => [field, '']));

const create = ({ token }: Actor, body: unknown) => service.call('POST', '/payments/addresses', { token, body });
const change = ({ token }: Actor, id: string, body: unknown) =>
  service.call('PUT', `/payments/addresses/${id}`, { token, body });
const remove = ({ token }: Actor, id: string) => service.call('DELETE', `/payments/addresses/${id}`, { token });
const list = async ({ token }: Actor) =>
  expectStatus(await service.call('GET', '/payments/addresses', { token }), 200).body;

describe('POST /payments/addresses', () => {
  it('answers 201 with every field', async () => {
    const admin = await signUpAdmin(service);
    const { body } = expectStatus(await create(admin, TEXTS), 201);
    expect(body).toEqual({
      ...TEXTS,
      id: expect.stringMatching(UUID_V7),
      companyId: admin.companyId,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: body.createdAt,
    });
    expect(await list(admin)).toEqual([body]);
  });

  it('takes a body without any of the optional strings; unset text is ""', async () => {
    const { body } = expectStatus(await create(await signUpAdmin(service), {}), 201);
    expect(body).toMatchObject(EMPTY);
  });

  it.each(FIELDS)('%s may come alone', async (field) => {
    const { body } = expectStatus(await create(await signUpAdmin(service), { [field]: 'only this' }), 201);
    expect(body).toMatchObject({ ...EMPTY, [field]: 'only this' });
  });

  it.each(FIELDS)('%s is trimmed, and takes 255 characters of any script but not 256', async (field) => {
    const admin = await signUpAdmin(service);
    const longest = '\u{1F3E0}'.repeat(255);
    const { body } = expectStatus(await create(admin, { [field]: `  ${longest}\t ` }), 201);
    expect(body[field]).toBe(longest);
    const refused = expectStatus(await create(admin, { [field]: 'x'.repeat(256) }), 400);
    expect(refused.body.error.details).toEqual([{ field, message: expect.any(String) }]);
    expect(await list(admin)).toHaveLength(1);
  });

  it.each(FIELDS)('%s refuses null, numbers, booleans, lists and objects, and U+0000', async (field) => {
    const admin = await signUpAdmin(service);
    for (const value of [null, 12, true, ['x'], {}]) {
      const { body } = expectStatus(await create(admin, { [field]: value }), 400);
      expect(body.error.code).toBe('invalid_request');
      expect(body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
    }
    expectStatus(await create(admin, { [field]: 'a\0b' }), 400);
    expect(await list(admin)).toEqual([]);
  });

  it('refuses a body that is not an object', async () => {
    const admin = await signUpAdmin(service);
    for (const body of [null, [], 'text', 1]) expectStatus(await create(admin, body), 400);
    expect(await list(admin)).toEqual([]);
  });

  it('ignores unknown fields and fields that the client can’t set', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const id = randomUUID();
    const createdAt = '2000-01-01T00:00:00.000Z';
    const sent = { firstName: 'Ada', id, companyId: other.companyId, createdAt, updatedAt: createdAt, city: 'London' };
    const { body } = expectStatus(await create(admin, sent), 201);
    expect(body.id).not.toBe(id);
    expect(body.companyId).toBe(admin.companyId);
    expect(body.createdAt).not.toBe(createdAt);
    expect(body.updatedAt).not.toBe(createdAt);
    expect(body).not.toHaveProperty('city');
    expect(await list(other)).toEqual([]);
  });

  it('refuses the 1,001st address with 409 limit_reached', async () => {
    const admin = await signUpAdmin(service);
    await service.database.owner`
      INSERT INTO addresses (company_id, id) SELECT ${admin.companyId}, gen_random_uuid() FROM generate_series(1, 999)`;
    const id = await saveAddress(service, admin);
    const refused = expectStatus(await create(admin, TEXTS), 409);
    expect(refused.body.error.code).toBe('limit_reached');
    expectStatus(await remove(admin, id), 204);
    expectStatus(await create(admin, TEXTS), 201);
  });
});

describe('GET /payments/addresses', () => {
  it('answers 200 with an array: empty at first, then the newest first', async () => {
    const admin = await signUpAdmin(service);
    expect(await list(admin)).toEqual([]);
    const saved = [];
    for (const firstName of ['one', 'two', 'three']) saved.push((await create(admin, { firstName })).body);
    expect(await list(admin)).toEqual(saved.reverse());
  });

  it('shows the addresses of the caller’s company alone', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await saveAddress(service, other);
    const id = await saveAddress(service, admin);
    expect((await list(admin)).map((address: { id: string }) => address.id)).toEqual([id]);
  });
});

describe('PUT /payments/addresses/{address_id}', () => {
  it.each(FIELDS)('writes %s; absent fields keep their values', async (field) => {
    const admin = await signUpAdmin(service);
    const before = (await create(admin, TEXTS)).body;
    await delay(2);
    const { body } = expectStatus(await change(admin, before.id, { [field]: ' changed ' }), 200);
    expect(body).toEqual({ ...before, [field]: 'changed', updatedAt: expect.stringMatching(TIMESTAMP) });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await list(admin)).toEqual([body]);
  });

  it.each(FIELDS)('empties %s when it is sent empty', async (field) => {
    const admin = await signUpAdmin(service);
    const { id } = (await create(admin, TEXTS)).body;
    const { body } = expectStatus(await change(admin, id, { [field]: '' }), 200);
    expect(body).toMatchObject({ ...TEXTS, [field]: '' });
  });

  it.each(FIELDS)('refuses null, a number or 256 characters for %s and changes nothing', async (field) => {
    const admin = await signUpAdmin(service);
    const before = (await create(admin, TEXTS)).body;
    const [other = ''] = FIELDS.filter((one) => one !== field);
    for (const value of [null, 7, 'x'.repeat(256)]) {
      const refused = expectStatus(await change(admin, before.id, { [other]: 'changed', [field]: value }), 400);
      expect(refused.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
    }
    expect(await list(admin)).toEqual([before]);
  });

  it('takes back an address as it was read, and ignores the fields that the client can’t set', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const before = (await create(admin, TEXTS)).body;
    const sent = { ...before, id: randomUUID(), companyId: other.companyId, createdAt: '2000-01-01T00:00:00.000Z' };
    const { body } = expectStatus(await change(admin, before.id, sent), 200);
    expect(body).toEqual({ ...before, updatedAt: body.updatedAt });
  });

  it.each(['an unknown id', 'no UUID', 'another company’s', 'a deleted one'])('answers 404 for %s', async (which) => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const ids: Record<string, string> = {
      'an unknown id': randomUUID(),
      'no UUID': 'address-1',
      'another company’s': await saveAddress(service, other),
      'a deleted one': await saveAddress(service, admin),
    };
    const foreign = await list(other);
    expectStatus(await remove(admin, ids['a deleted one'] ?? ''), 204);
    const refused = expectStatus(await change(admin, ids[which] ?? '', { firstName: 'Eve' }), 404);
    expect(refused.body.error.code).toBe('not_found');
    expect(await list(other)).toEqual(foreign);
    expect(await list(admin)).toEqual([]);
  });

  it('keeps both of two parallel updates of different fields', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveAddress(service, admin, {});
    await Promise.all(FIELDS.map((field) => change(admin, id, { [field]: field })));
    expect((await list(admin))[0]).toMatchObject(Object.fromEntries(FIELDS.map((field) => [field, field])));
  });
});

describe('DELETE /payments/addresses/{address_id}', () => {
  it('answers 204 without content, and the second time 404', async () => {
    const admin = await signUpAdmin(service);
    const [kept, id] = [await saveAddress(service, admin), await saveAddress(service, admin)];
    const deleted = expectStatus(await remove(admin, id), 204);
    expect(deleted.text).toBe('');
    expect(expectStatus(await remove(admin, id), 404).body.error.code).toBe('not_found');
    expect((await list(admin)).map((address: { id: string }) => address.id)).toEqual([kept]);
  });

  it('answers one of ten parallel deletes with 204 and the others with 404', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveAddress(service, admin);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(admin, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  it('answers 404 for an unknown id, an id that is not a UUID and another company’s address, which stays', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const foreign = await saveAddress(service, other);
    for (const id of [randomUUID(), 'nothing', foreign]) expectStatus(await remove(admin, id), 404);
    expect(await list(other)).toHaveLength(1);
  });

  it('takes Content-Type: application/json with an empty body', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveAddress(service, admin);
    const headers = { 'content-type': 'application/json' };
    const path = `/payments/addresses/${id}`;
    expectStatus(await service.call('DELETE', path, { token: admin.token, headers, rawBody: '' }), 204);
  });
});

describeIdempotentCreate({
  service: () => service,
  path: '/payments/addresses',
  makeBody: async (_actor, mark) => ({ ...TEXTS, firstName: mark }),
  invalidFields: { firstName: null },
  countRows: async (actor) => (await list(actor)).length,
});

describe('Idempotency-Key on other methods of /payments/addresses', () => {
  it('is ignored by PUT and GET, whatever its length', async () => {
    const admin = await signUpAdmin(service);
    const id = await saveAddress(service, admin);
    const { token } = admin;
    for (const key of ['k', 'k', 'k'.repeat(300)]) {
      const headers = { 'idempotency-key': key };
      const firstName = randomUUID();
      const body = { firstName };
      const changed = expectStatus(
        await service.call('PUT', `/payments/addresses/${id}`, { token, body, headers }),
        200,
      );
      expect(changed.body.firstName).toBe(firstName);
      const read = expectStatus(await service.call('GET', '/payments/addresses', { token, headers }), 200);
      expect(read.body[0].firstName).toBe(firstName);
      expect([changed, read].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, null]);
    }
  });
});
