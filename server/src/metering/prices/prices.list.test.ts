import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatPriceBody } from '../../../test/billing/prices.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { findPrices, matchPrice, priceSegments, rateUsage } from './prices.service.ts';
import type { PriceBook } from './rating/matching.ts';

const JANUARY = '2026-01-01T00:00:00.000Z';
const JULY = '2026-07-01T00:00:00.000Z';
const OCTOBER = '2026-10-01T00:00:00.000Z';

let service: TestService;
let admin: Actor;
let other: Actor;
beforeAll(async () => {
  service = await startTestService();
  [admin, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
  const own = { companyId: admin.companyId };
  await set('b, for other', { path: '/b', companyId: other.companyId, unitAmount: '0.03' });
  await set('a, from January', { path: '/a', unitAmount: '0.01' });
  await set('a, from July', { path: '/a', effectiveFrom: JULY, unitAmount: '0.02' });
  await set('a, for admin', { ...own, path: '/a', effectiveFrom: JULY, effectiveTo: OCTOBER, unitAmount: '0.5' });
  await set('a, yen', { path: '/a', currency: 'JPY', unitAmount: '1.5' });
  await set('everything', { path: '/*', unitAmount: '0.001' });
});
afterAll(async () => service.stop());

async function set(title: string, changes: object): Promise<void> {
  const body = flatPriceBody({ title, effectiveFrom: JANUARY, ...changes });
  expectStatus(await service.call('POST', '/operator/prices', { token: service.operatorKey, body }), 201);
}

const IN_ORDER = ['everything', 'a, yen', 'a, from July', 'a, from January', 'a, for admin', 'b, for other'];

const titlesOf = (prices: readonly { title: string }[]) => prices.map(({ title }) => title);
async function list(query = '') {
  const answer = await service.call('GET', `/operator/prices${query}`, { token: service.operatorKey });
  const { total, page, perPage, data } = expectStatus(answer, 200).body;
  return { total, page, perPage, titles: titlesOf(data), data };
}

describe('GET /operator/prices', () => {
  it('lists every version by path, currency and company, newest first, ten per page', async () => {
    expect(await list()).toMatchObject({ total: 6, page: 1, perPage: 10, titles: IN_ORDER });
  });

  it('shows each version as it is read by its id', async () => {
    const { data } = await list();
    for (const price of data) {
      const { body } = await service.call('GET', `/operator/prices/${price.id}`, { token: service.operatorKey });
      expect(body).toEqual(price);
    }
  });

  it('is paged, with the exact total on each page, and empty past the end', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?page=${page}&perPage=4`)));
    expect(pages.map(({ total, page, perPage, titles }) => [total, page, perPage, titles])).toEqual([
      [6, 1, 4, IN_ORDER.slice(0, 4)],
      [6, 2, 4, IN_ORDER.slice(4)],
      [6, 3, 4, []],
    ]);
  });

  it.each([
    ['path=/a', ['a, yen', 'a, from July', 'a, from January', 'a, for admin']],
    ['path=/*', ['everything']],
    ['path=/', []],
    ['path=/A', []],
    ['currency=JPY', ['a, yen']],
    ['currency=EUR', []],
    ['companyId=general', ['everything', 'a, yen', 'a, from July', 'a, from January']],
    [`companyId=${randomUUID()}`, []],
    ['at=2026-06-30T23:59:59.999Z', ['everything', 'a, yen', 'a, from January', 'b, for other']],
    ['at=2026-07-01T00:00:00Z', ['everything', 'a, yen', 'a, from July', 'a, for admin', 'b, for other']],
    ['at=2026-09-30T23:59:59.999Z', ['everything', 'a, yen', 'a, from July', 'a, for admin', 'b, for other']],
    ['at=2026-10-01', ['everything', 'a, yen', 'a, from July', 'b, for other']],
    ['at=2025-12-31', []],
    ['path=/a&currency=USD&companyId=general&at=2026-08-01', ['a, from July']],
  ])('?%s finds %j', async (query, titles) => {
    expect(await list(`?${query}`)).toMatchObject({ total: titles.length, titles });
  });

  it('finds the overrides of one company only', async () => {
    expect((await list(`?companyId=${admin.companyId}`)).titles).toEqual(['a, for admin']);
    expect((await list(`?companyId=${other.companyId.toUpperCase()}`)).titles).toEqual(['b, for other']);
  });
});

describe('the prices that bill a company', () => {
  const find = (company: Actor, currency: string, from: string, to: string) =>
    findPrices(service.database.db, company.companyId, currency, { from: new Date(from), to: new Date(to) });
  const found = (book: PriceBook) => titlesOf(book.prices).sort();

  it('are the general ones and its own, in its currency', async () => {
    expect(found(await find(admin, 'USD', JULY, OCTOBER))).toEqual(['a, for admin', 'a, from July', 'everything']);
    expect(found(await find(other, 'USD', JULY, OCTOBER))).toEqual(['a, from July', 'b, for other', 'everything']);
    expect(found(await find(admin, 'JPY', JULY, OCTOBER))).toEqual(['a, yen']);
    expect(found(await find(admin, 'EUR', JULY, OCTOBER))).toEqual([]);
  });

  it('are those in force at some time in the half-open period', async () => {
    const hourBefore = '2026-06-30T23:00:00Z';
    expect(found(await find(admin, 'USD', hourBefore, JULY))).toEqual(['a, from January', 'everything']);
    expect(found(await find(admin, 'USD', hourBefore, '2026-07-01T01:00:00Z'))).toEqual([
      'a, for admin',
      'a, from January',
      'a, from July',
      'everything',
    ]);
    expect(found(await find(admin, 'USD', OCTOBER, '2026-11-01T00:00:00Z'))).toEqual(['a, from July', 'everything']);
    expect(found(await find(admin, 'USD', '2025-01-01T00:00:00Z', JANUARY))).toEqual([]);
  });

  it('bill a year whose prices change, with an override for a quarter', async () => {
    const year = { from: new Date(JANUARY), to: new Date('2027-01-01T00:00:00Z') };
    const book = await findPrices(service.database.db, admin.companyId, 'USD', year);
    const segments = priceSegments(book, year);
    expect(segments.map(({ from }) => from.toISOString())).toEqual([JANUARY, JULY, OCTOBER]);

    const usage = segments.flatMap(({ from }) => [
      { path: '/a', from, quantity: 1_000n },
      { path: '/b', from, quantity: 1_000n },
      { path: 'not/a/path', from, quantity: 1n },
    ]);
    const { lines, unpricedPaths } = rateUsage(book, usage);
    expect(lines.map(({ title, path, totalRequest, amount }) => [title, path, totalRequest, amount])).toEqual([
      ['a, from January', '/a', '1000', '10.00'],
      ['a, for admin', '/a', '1000', '500.00'],
      ['a, from July', '/a', '1000', '20.00'],
      ['everything', '/b', '3000', '3.00'],
      ['not/a/path', 'not/a/path', '3', '0.00'],
    ]);
    expect(unpricedPaths).toEqual(['not/a/path']);
  });

  it('keep the fields of every model', async () => {
    const company = await signUpAdmin(service);
    const tiers = [
      { upTo: 10, unitAmount: '0.5', flatAmount: '1' },
      { upTo: null, unitAmount: '0.25' },
    ];
    const models = {
      flat: { unitAmount: '0.5' },
      package: { packageAmount: '5', packageSize: 10, unitAmount: undefined },
      graduated: { tiers, unitAmount: undefined },
      volume: { tiers, unitAmount: undefined },
    };
    for (const [model, rates] of Object.entries(models)) {
      await set(model, { model, ...rates, path: `/${model}`, companyId: company.companyId, freeRequests: 5 });
    }
    const book = await find(company, 'USD', OCTOBER, '2026-11-01T00:00:00Z');
    const usage = Object.keys(models).map((model) => ({ path: `/${model}`, from: new Date(OCTOBER), quantity: '20' }));
    expect(rateUsage(book, usage).lines.map(({ title, amount }) => [title, amount])).toEqual([
      ['flat', '7.50'],
      ['graduated', '7.25'],
      ['package', '10.00'],
      ['volume', '3.75'],
    ]);
    expect(matchPrice(book, '/flat', new Date(OCTOBER))?.freeRequests).toBe(5n);
  });
});
