import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrice, flatPriceBody, priceBody } from '../../../test/billing/prices.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(async () => service.stop());

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const operator = (method: string, path: string, body?: object) =>
  service.call(method, `/operator/prices${path}`, { token: service.operatorKey, ...(body ? { body } : {}) });
const post = (body: object) => operator('POST', '', body);
const read = async (id: string) => expectStatus(await operator('GET', `/${id}`), 200).body;

/** The refusal's code and details. */
const refusalOf = ({ status, body }: Answer) => ({
  status,
  code: body.error?.code,
  fields: Object.fromEntries(
    (body.error?.details ?? []).map(({ field, message }: { field: string; message: string }) => [field, message]),
  ),
});

describe('POST /operator/prices', () => {
  it('sets a price with every field, and reads it back as sent', async () => {
    const body = priceBody({ companyId: admin.companyId, freeRequests: 1_000, pooled: true });
    const { body: price } = expectStatus(await post(body), 201);
    expect(price).toEqual({
      ...body,
      companyExternalId: null,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      effectiveFrom: '2099-01-01T00:00:00.000Z',
      effectiveTo: null,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(await read(price.id)).toEqual(price);
  });

  it.each([
    ['flat', { unitAmount: '0.004' }],
    ['package', { packageAmount: '5.00', packageSize: 1_000 }],
    ['graduated', { tiers: [{ upTo: null, unitAmount: '0' }] }],
    [
      'volume',
      {
        tiers: [
          { upTo: 1, unitAmount: '1', flatAmount: '2' },
          { upTo: null, unitAmount: '0.5' },
        ],
      },
    ],
  ])(
    'takes the model %s with its own fields and shows no others; by default nothing is free or pooled',
    async (model, rates) => {
      const { tiers, ...body } = priceBody({ model, ...rates });
      const { body: price } = expectStatus(await post({ ...body, ...rates }), 201);
      expect(price).toMatchObject({ model, ...rates, freeRequests: 0, pooled: false, companyId: null });
      const others = ['unitAmount', 'packageAmount', 'packageSize', 'tiers'].filter((field) => !(field in rates));
      for (const field of others) expect(price).not.toHaveProperty(field);
    },
  );

  it('takes its own answer as the next version', async () => {
    const { id, companyExternalId, createdAt, updatedAt, ...first } = await createPrice(service);
    expectStatus(await post({ ...first, effectiveFrom: '2099-02-01T00:00:00.000Z' }), 201);
  });

  it.each(['0', '0.000000000001', '99999999999999.999999999999', '4242.424242424242', '007.50', '1'])(
    'takes an amount of %s',
    async (unitAmount) => {
      expect(expectStatus(await post(flatPriceBody({ unitAmount })), 201).body.unitAmount).toBe(unitAmount);
    },
  );

  it.each([
    '/',
    '*',
    '/*',
    'transcriptions',
    'GET /v1/a',
    '/v1/a',
    '/v1/a*',
    '/v1/*',
    '/v1/über',
    '/v1/{id}/x',
    `/${'x'.repeat(254)}`,
  ])('takes the path %s', async (path) => {
    expect(expectStatus(await post(flatPriceBody({ path })), 201).body.path).toBe(path);
  });

  it.each(['JPY', 'USD', 'KWD'])('takes the currency %s', async (currency) => {
    expect(expectStatus(await post(flatPriceBody({ currency })), 201).body.currency).toBe(currency);
  });

  it.each(['2026-10-01T00:00:00Z', '2026-10-01T05:30:00+05:30', '1999-12-31T23:00Z'])(
    'takes %s, which is a whole hour of UTC, past or future',
    async (effectiveFrom) => {
      const { body } = expectStatus(await post(flatPriceBody({ effectiveFrom })), 201);
      expect(body.effectiveFrom).toBe(new Date(effectiveFrom).toISOString());
    },
  );

  const tier = (upTo: number | null, changes: object = {}) => ({ upTo, unitAmount: '1', ...changes });
  it.each<[field: string, rule: RegExp, changes: object]>([
    ['path', /required/, { path: undefined }],
    ['path', /empty/, { path: ' ' }],
    ['path', /\* only at its end/, { path: '/v1/*/a' }],
    ['path', /\* only at its end/, { path: '/v1/**' }],
    ['path', /at most 255/, { path: `/${'x'.repeat(255)}` }],
    ['title', /required/, { title: undefined }],
    ['title', /empty/, { title: '  ' }],
    ['currency', /required/, { currency: undefined }],
    ['currency', /ISO 4217/, { currency: 'usd' }],
    ['currency', /ISO 4217/, { currency: 'XXX' }],
    ['companyId', /id of a company/, { companyId: randomUUID() }],
    ['companyId', /id of a company/, { companyId: 'nobody' }],
    ['companyId', /id of a company/, { companyId: '' }],
    ['effectiveFrom', /required/, { effectiveFrom: undefined }],
    ['effectiveFrom', /date-time with a zone/, { effectiveFrom: '2099-01-01' }],
    ['effectiveFrom', /date-time with a zone/, { effectiveFrom: '2099-02-30T00:00:00Z' }],
    ['effectiveFrom', /whole hour of UTC/, { effectiveFrom: '2099-01-01T00:00:01Z' }],
    ['effectiveFrom', /whole hour of UTC/, { effectiveFrom: '2099-01-01T00:00:00.001Z' }],
    ['effectiveFrom', /whole hour of UTC/, { effectiveFrom: '2099-01-01T00:00:00+05:30' }],
    ['effectiveTo', /whole hour of UTC/, { effectiveTo: '2099-01-01T00:30:00Z' }],
    ['effectiveTo', /after effectiveFrom/, { effectiveTo: '2099-01-01T00:00:00Z' }],
    ['effectiveTo', /after effectiveFrom/, { effectiveTo: '2098-01-01T00:00:00Z' }],
    ['model', /required/, { model: undefined }],
    ['model', /one of flat, package, graduated, volume/, { model: 'Flat' }],
    ['unitAmount', /required by the model flat/, { unitAmount: undefined }],
    ['unitAmount', /string/, { unitAmount: 0.004 }],
    ['unitAmount', /plain decimal/, { unitAmount: '-1' }],
    ['unitAmount', /plain decimal/, { unitAmount: '1e-3' }],
    ['unitAmount', /plain decimal/, { unitAmount: '1,5' }],
    ['unitAmount', /plain decimal/, { unitAmount: '.5' }],
    ['unitAmount', /plain decimal/, { unitAmount: 'NaN' }],
    ['unitAmount', /12 decimal places/, { unitAmount: '0.0000000000001' }],
    ['unitAmount', /less than 100000000000000/, { unitAmount: '100000000000000' }],
    ['unitAmount', /less than 100000000000000/, { unitAmount: `${'0'.repeat(60)}1` }],
    ['packageAmount', /not for the model flat/, { packageAmount: '5' }],
    ['packageSize', /not for the model flat/, { packageSize: 1_000 }],
    ['tiers', /not for the model flat/, { tiers: [tier(null)] }],
    ['packageAmount', /required by the model package/, { model: 'package', packageSize: 1_000 }],
    ['packageSize', /required by the model package/, { model: 'package', packageAmount: '5' }],
    ['packageSize', />= 1/, { model: 'package', packageAmount: '5', packageSize: 0 }],
    ['packageSize', /integer/, { model: 'package', packageAmount: '5', packageSize: 1.5 }],
    ['packageSize', /<= 1000000000000000/, { model: 'package', packageAmount: '5', packageSize: 1e15 + 1 }],
    ['tiers', /required by the model graduated/, { model: 'graduated' }],
    ['tiers', /required by the model volume/, { model: 'volume' }],
    ['unitAmount', /not for the model volume/, { model: 'volume', tiers: [tier(null)] }],
    ['tiers', /must not be empty/, { model: 'volume', tiers: [] }],
    ['tiers', /at most 100/, { model: 'volume', tiers: Array.from({ length: 101 }, () => tier(null)) }],
    ['tiers[0].upTo', /required/, { model: 'volume', tiers: [{ unitAmount: '1' }] }],
    ['tiers[0].upTo', />= 1/, { model: 'volume', tiers: [tier(0), tier(null)] }],
    ['tiers[0].upTo', /must be null: the last tier/, { model: 'volume', tiers: [tier(100)] }],
    ['tiers[0].upTo', /only the last tier/, { model: 'volume', tiers: [tier(null), tier(null)] }],
    ['tiers[1].upTo', /greater than in the tier before/, { model: 'volume', tiers: [tier(5), tier(5), tier(null)] }],
    ['tiers[1].upTo', /greater than in the tier before/, { model: 'graduated', tiers: [tier(5), tier(4), tier(null)] }],
    ['tiers[0].unitAmount', /required/, { model: 'volume', tiers: [{ upTo: null }] }],
    ['tiers[0].unitAmount', /12 decimal/, { model: 'volume', tiers: [tier(null, { unitAmount: '0.1234567890123' })] }],
    ['tiers[0].flatAmount', /plain decimal/, { model: 'volume', tiers: [tier(null, { flatAmount: '-1' })] }],
    ['freeRequests', />= 0/, { freeRequests: -1 }],
    ['freeRequests', /integer/, { freeRequests: 0.5 }],
    ['pooled', /boolean/, { pooled: 'true' }],
  ])('refuses a %s with 400: %s', async (field, rule, changes) => {
    const { status, code, fields } = refusalOf(await post(flatPriceBody(changes)));
    expect([status, code]).toEqual([400, 'invalid_request']);
    expect(fields[field]).toMatch(rule);
  });

  it('names every field that breaks a rule at once', async () => {
    const { fields } = refusalOf(
      await post(
        flatPriceBody({
          model: 'graduated',
          effectiveTo: '2000-01-01T00:00:00Z',
          tiers: [tier(null), tier(5), tier(5)],
        }),
      ),
    );
    expect(Object.keys(fields).sort()).toEqual(['effectiveTo', 'tiers[0].upTo', 'tiers[2].upTo', 'unitAmount']);
  });
});

describe('versions of a price', () => {
  const NEXT = '2099-03-01T00:00:00.000Z';

  it('a later version takes over from the one before, of which only the end changes', async () => {
    const first = await createPrice(service);
    const second = await createPrice(service, { path: first.path, effectiveFrom: NEXT, title: 'New title' });
    expect(await read(first.id)).toEqual({ ...first, effectiveTo: NEXT });
    expect(second).toMatchObject({ title: 'New title', effectiveFrom: NEXT, effectiveTo: null });
  });

  it("a version can't begin before or with the newest one: 409 price_superseded, and nothing is set", async () => {
    const { path } = await createPrice(service, { effectiveFrom: NEXT });
    for (const effectiveFrom of [NEXT, '2099-02-28T23:00:00Z', '2000-01-01T00:00:00Z']) {
      const { status, code, fields } = refusalOf(await post(priceBody({ path, effectiveFrom })));
      expect([status, code]).toEqual([409, 'price_superseded']);
      expect(fields.effectiveFrom).toContain(NEXT);
    }
    expect((await operator('GET', `?path=${path}`)).body.total).toBe(1);
  });

  it('versions of another currency, company or path are another price', async () => {
    const other = await signUpAdmin(service);
    const { path } = await createPrice(service, { effectiveFrom: NEXT });
    for (const changes of [
      { path, currency: 'JPY' },
      { path, companyId: admin.companyId },
      { path, companyId: other.companyId },
      { path: `${path}*` },
    ]) {
      expect((await createPrice(service, changes)).effectiveTo).toBeNull();
    }
  });

  it('of two that are set in parallel with the same start, one succeeds', async () => {
    const body = priceBody();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(body)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(7).fill(409)]);
  });
});

describe('POST /operator/prices/:price_id/end', () => {
  const END = '2099-06-01T00:00:00.000Z';
  const end = (id: string, effectiveTo: unknown = END) => operator('POST', `/${id}/end`, { effectiveTo });

  it('sets the end of the newest version', async () => {
    const price = await createPrice(service);
    const { body } = expectStatus(await end(price.id), 200);
    expect(body).toEqual({ ...price, effectiveTo: END, updatedAt: expect.stringMatching(TIMESTAMP) });
    expect(await read(price.id)).toEqual(body);
  });

  it('succeeds once: the second is 409 price_ended, also for a price that was set with its end', async () => {
    const ended = await createPrice(service, { effectiveTo: END });
    expect(refusalOf(await end(ended.id, '2099-07-01T00:00:00Z'))).toMatchObject({ status: 409, code: 'price_ended' });
    expect((await read(ended.id)).effectiveTo).toBe(END);
  });

  it('a version may follow after the end, or before it and so take over earlier', async () => {
    for (const effectiveFrom of ['2099-09-01T00:00:00.000Z', '2099-04-01T00:00:00.000Z']) {
      const ended = await createPrice(service, { effectiveTo: END });
      await createPrice(service, { path: ended.path, effectiveFrom });
      expect((await read(ended.id)).effectiveTo).toBe([END, effectiveFrom].sort()[0]);
    }
  });

  it('is refused for a version that has a next one: 409 price_superseded', async () => {
    const first = await createPrice(service);
    await createPrice(service, { path: first.path, effectiveFrom: END });
    expect(refusalOf(await end(first.id))).toMatchObject({ status: 409, code: 'price_superseded' });
  });

  it.each([
    ['2099-01-01T00:00:00Z', /after effectiveFrom/],
    ['2000-01-01T00:00:00Z', /after effectiveFrom/],
    ['2099-06-01T00:15:00Z', /whole hour/],
    ['2099-06-01', /date-time/],
    ['', /empty|date-time/],
    [null, /string/],
    [undefined, /required/],
  ])('refuses %s with 400 on effectiveTo', async (effectiveTo, rule) => {
    const { id } = await createPrice(service);
    const { status, fields } = refusalOf(await operator('POST', `/${id}/end`, { effectiveTo }));
    expect(status).toBe(400);
    expect(fields.effectiveTo).toMatch(rule);
  });

  it('is 404 for an unknown price', async () => {
    expect(refusalOf(await end(randomUUID()))).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('DELETE /operator/prices/:price_id', () => {
  it('removes a version that is not in force yet, and the one before goes on', async () => {
    const first = await createPrice(service, { effectiveFrom: '2020-01-01T00:00:00Z' });
    const wrong = await createPrice(service, { path: first.path });
    expectStatus(await operator('DELETE', `/${wrong.id}`), 204);
    expect((await read(first.id)).effectiveTo).toBeNull();
    expect((await operator('GET', `/${wrong.id}`)).status).toBe(404);
    expect((await operator('DELETE', `/${wrong.id}`)).status).toBe(404);
    await createPrice(service, { path: first.path });
  });

  it('removes a version in force while nothing is billed by it, so a mistake can be corrected from its first hour', async () => {
    const before = await createPrice(service, { effectiveFrom: '2020-01-01T00:00:00Z' });
    const mistaken = { path: before.path, effectiveFrom: '2020-02-01T00:00:00Z' };
    const wrong = await createPrice(service, { ...mistaken, freeRequests: 1 });
    expectStatus(await operator('DELETE', `/${wrong.id}`), 204);
    expect((await read(before.id)).effectiveTo).toBeNull();
    const right = await createPrice(service, { ...mistaken, freeRequests: 1_000 });
    expect((await read(before.id)).effectiveTo).toBe(right.effectiveFrom);
  });
});

describe('the database', () => {
  // Security (Tenants): The service's role may only change the end of a price
  it('lets the service change only the end of a price', async () => {
    const { id } = await createPrice(service);
    for (const column of [
      'rates',
      'title',
      'path',
      'currency',
      'company_id',
      'effective_from',
      'free_requests',
      'model',
    ]) {
      const { db } = service.database;
      const refused = db`UPDATE prices SET ${db(column)} = ${db(column)} WHERE id = ${id}`;
      await expect(refused, column).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('Idempotency-Key on POST /operator/prices', () => {
  it('sets one price, however often it is sent', async () => {
    const body = priceBody();
    const headers = { 'idempotency-key': randomUUID() };
    const send = (changes = {}) =>
      service.call('POST', '/operator/prices', { token: service.operatorKey, headers, body: { ...body, ...changes } });
    const first = expectStatus(await send(), 201);
    const again = await send();
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await send({ title: 'Other' })).status).toBe(422);
  });
});
