import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, startRun, use, work } from '../../../test/billing/billing.ts';
import { flatPriceBody } from '../../../test/billing/prices.ts';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

const owner = () => service.database.owner;

async function signUpIn(currency: string, settings: object = {}): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, { currency, ...settings });
  return admin;
}

function post(path: string, body: object): Promise<Answer> {
  return service.call('POST', path, { token: service.operatorKey, body });
}

const create = (changes: object) => post('/operator/prices', flatPriceBody(changes));
const end = (id: string, effectiveTo: string) => post(`/operator/prices/${id}/end`, { effectiveTo });

const remove = (id: string) => service.call('DELETE', `/operator/prices/${id}`, { token: service.operatorKey });

/** The change was refused because an invoice of this month bills this path; it would be possible from `until` on. */
function expectBilled(answer: Answer, field: string, [month, path, until]: [string, string, string]): void {
  expectStatus(answer, 409);
  const text = `would change what was billed: ${path} is on the invoice of ${month} of the company`;
  const message = expect.stringMatching(
    new RegExp(`^${text} .*; from ${until} on, no usage of these paths is billed yet$`),
  );
  expect(answer.body.error).toMatchObject({ code: 'period_billed', details: [{ field, message }] });
}

describe('billed usage never changes', () => {
  it('no general price can begin or end where it would change the rating of an invoice', async () => {
    const admin = await signUpIn('CHF', { timezone: 'America/Los_Angeles' });
    const { id } = await setPrice(service, { path: '/general', currency: 'CHF', unitAmount: '1.00' });
    await use(service, admin, '/general', 5, '2025-01-10T00:00:00Z');
    await use(service, admin, '/general', 5, '2025-02-01T07:59:59Z');
    await runMonth(service, '2025-01');

    const until = '2025-02-01T08:00:00.000Z';
    const billed: [string, string, string] = ['2025-01', '/general', until];
    const price = { path: '/general', currency: 'CHF', unitAmount: '9.00' };
    for (const effectiveFrom of ['2024-06-01T00:00:00Z', '2025-01-15T00:00:00Z', '2025-02-01T07:00:00Z', '2025-01']) {
      expectBilled(await end(id, effectiveFrom), 'effectiveTo', billed);
      expectBilled(await create({ ...price, effectiveFrom }), 'effectiveFrom', billed);
      const override = { ...price, path: '/gen*', companyId: admin.companyId, effectiveFrom };
      expectBilled(await create(override), 'effectiveFrom', billed);
    }
    expectStatus(await create({ ...price, effectiveFrom: until }), 201);
  });

  it('a price that rates nothing billed is accepted, even when companies were billed', async () => {
    const [billed, other] = [await signUpIn('ISK'), await signUpIn('ISK')];
    await setPrice(service, { path: '/used', currency: 'ISK', unitAmount: '1' });
    await use(service, billed, '/used', 5, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');
    const price = { currency: 'ISK', unitAmount: '9' };
    // An unused path, a fallback that the exact path beats, another company's override, and a period without usage.
    for (const changes of [
      ...[{ path: '/new' }, { path: '/us*' }, { path: '*' }, { path: '/used', companyId: other.companyId }].map(
        (change) => {
          return { ...change, effectiveFrom: '2024-06-01T00:00:00Z' };
        },
      ),
      { path: '/used', effectiveFrom: '2025-01-10T01:00:00Z' },
    ]) {
      expectStatus(await create({ ...price, ...changes }), 201);
    }
    // Late usage of a path that was not billed has its new price on the next invoice.
    await use(service, billed, '/new', 2, '2025-01-11T00:00:00Z');
    await runMonth(service, '2025-02');
    const [first, second] = await invoicesOf(service, billed);
    expect([first.total, second.total]).toEqual(['5.00', '18.00']);
    const { body } = await service.call('POST', `/operator/invoices/${first.id}/recompute`, {
      token: service.operatorKey,
    });
    expect(body.differences).toEqual([]);
  });

  it('usage billed without a price stays without one', async () => {
    const admin = await signUpIn('NOK');
    await use(service, admin, '/unpriced', 5, '2025-06-10T00:00:00Z');
    await runMonth(service, '2025-06');
    const past = { path: '/unpriced', companyId: admin.companyId, effectiveFrom: '2025-06-01T00:00:00Z' };
    expectBilled(await create({ ...past, currency: 'NOK' }), 'effectiveFrom', [
      ...(['2025-06', '/unpriced', '2025-07-01T00:00:00.000Z'] as [string, string, string]),
    ]);
    expectStatus(await create({ ...past, currency: 'DKK' }), 201);
  });

  it("a price that billed usage can't be removed; one that billed nothing can, even while it is in force", async () => {
    const billed = await signUpIn('DKK');
    const price = { currency: 'DKK', unitAmount: '1.00' };
    const kept = await setPrice(service, { ...price, path: '/kept' });
    const free = [
      await setPrice(service, { ...price, path: '/kept*', effectiveFrom: '2025-01-31T23:00:00Z' }),
      await setPrice(service, { ...price, path: '/ended', effectiveTo: '2024-02-01T00:00:00Z' }),
      await setPrice(service, { ...price, path: '/kept', effectiveFrom: '2025-02-01T00:00:00Z' }),
    ];
    await use(service, billed, '/kept', 5, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');
    const refused = await remove(kept.id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'price_in_force']);
    expect(refused.body.error.message).toContain('/kept is on the invoice of 2025-01');
    for (const { id } of free) expectStatus(await remove(id), 204);
  });

  it('an override is refused only where its own company was billed', async () => {
    const [billed, fresh] = [await signUpIn('SEK'), await signUpIn('SEK')];
    const price = { path: '/own', currency: 'SEK', unitAmount: '1.00' };
    const { id } = await setPrice(service, { ...price, companyId: billed.companyId });
    await use(service, billed, '/own', 5, '2025-03-10T00:00:00Z');
    await runMonth(service, '2025-03');
    const on: [string, string, string] = ['2025-03', '/own', '2025-04-01T00:00:00.000Z'];
    const past = { ...price, effectiveFrom: '2025-03-01T00:00:00Z' };
    expectBilled(await create({ ...past, companyId: billed.companyId }), 'effectiveFrom', on);
    expectBilled(await end(id, '2025-03'), 'effectiveTo', on);
    expectStatus(await end(id, '2025-04'), 200);
    expectStatus(await create({ ...past, companyId: fresh.companyId }), 201);
  });
});

describe('a price that begins with a month', () => {
  it("begins with each company's own month, so that nobody gets the free requests twice", async () => {
    const zones = ['America/New_York', 'UTC', 'Asia/Tokyo', 'Asia/Kathmandu'];
    const admins = await Promise.all(zones.map((timezone) => signUpIn('HUF', { timezone })));
    const price = { path: '/monthly', currency: 'HUF', freeRequests: 10 };
    const first = await setPrice(service, { ...price, unitAmount: '1', effectiveFrom: '2025-01' });
    const second = expectStatus(await create({ ...price, unitAmount: '2', effectiveFrom: '2025-03' }), 201).body;
    expect([second.effectiveFrom, second.effectiveTo]).toEqual(['2025-03', null]);
    const read = await service.call('GET', `/operator/prices/${first.id}`, { token: service.operatorKey });
    expect(read.body).toMatchObject({ effectiveFrom: '2025-01', effectiveTo: '2025-03' });
    // The last and the first hour of the companies' own February and March.
    for (const admin of admins) {
      await use(service, admin, '/monthly', 10, '2025-02-10T00:00:00Z');
      await use(service, admin, '/monthly', 6, '2025-02-28T12:00:00Z');
      await use(service, admin, '/monthly', 6, '2025-03-01T02:00:00Z');
      await use(service, admin, '/monthly', 20, '2025-03-20T00:00:00Z');
    }
    await runMonth(service, '2025-02');
    await runMonth(service, '2025-03');
    const issued = await Promise.all(admins.map((admin) => invoicesOf(service, admin)));
    const totals = issued.map((invoices) => invoices.map(({ total }: { total: string }) => total));
    // New York has 22 requests in February and 20 in March, the others 16 and 26: 10 of each month are free.
    expect(totals).toEqual([
      ['12.00', '20.00'],
      ['6.00', '32.00'],
      ['6.00', '32.00'],
      ['6.00', '32.00'],
    ]);
    expect(issued.flat().map(({ details }) => details.length)).toEqual(Array(8).fill(1));
  });

  it('begins with its billing period, wherever a change of time zone has moved that', async () => {
    const admin = await signUpIn('ZAR', { timezone: 'Asia/Tokyo' });
    const price = { path: '/moved', currency: 'ZAR', freeRequests: 10, companyId: admin.companyId };
    await setPrice(service, { ...price, unitAmount: '1.00', effectiveFrom: '2025-01' });
    await use(service, admin, '/moved', 11, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');
    await setBilling(service, admin, { timezone: 'America/Los_Angeles' });
    expectStatus(await create({ ...price, unitAmount: '2.00', effectiveFrom: '2025-02' }), 201);
    await use(service, admin, '/moved', 11, '2025-01-31T20:00:00Z');
    await use(service, admin, '/moved', 11, '2025-02-10T00:00:00Z');
    await runMonth(service, '2025-02');
    expect((await invoicesOf(service, admin)).map(({ total }: { total: string }) => total)).toEqual(['1.00', '24.00']);
  });

  it.each(['2025-13', '2025-1', '1999-12', '2025-01-01', '2025'])('refuses %s as a month', async (effectiveFrom) => {
    const answer = await create({ effectiveFrom });
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, 'effectiveFrom']);
  });

  it('ends after it begins', async () => {
    for (const [effectiveFrom, effectiveTo] of [
      ['2025-03', '2025-03'],
      ['2025-03', '2025-02'],
      ['2025-03', '2025-02-28T00:00:00Z'],
    ]) {
      const answer = await create({ effectiveFrom, effectiveTo });
      expect([answer.status, answer.body.error.details[0].field]).toEqual([400, 'effectiveTo']);
    }
  });
});

describe('a price that is set while a run bills', () => {
  const HELD = 4_711;

  type Race = { running: Promise<void>; answer: Promise<Answer> };

  /** How many wait for a lock: ShareLock for the run, ExclusiveLock for the price. */
  const countWaiting = async (mode: 'ShareLock' | 'ExclusiveLock') => {
    const rows = await service.database.db`
      SELECT 1 FROM pg_locks
      WHERE locktype = 'advisory' AND mode = ${mode} AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return rows.length;
  };
  const someWait = (mode: 'ShareLock' | 'ExclusiveLock', more = 0) =>
    pollUntil(
      () => countWaiting(mode),
      (count) => count > more,
    );

  /** Makes whoever inserts into the table wait before its commit, while `begin` runs. */
  async function holdUp(table: string, begin: () => Promise<Race>): Promise<Race> {
    await owner().unsafe(`
      CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config('lock_timeout', '0', true), pg_advisory_xact_lock_shared(${HELD});
        RETURN NULL;
      END $$;
      CREATE TRIGGER hold_up AFTER INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION hold_up();`);
    try {
      return await owner().begin(async (tx) => {
        await tx`SELECT pg_advisory_xact_lock(${HELD})`;
        return begin();
      });
    } finally {
      await owner().unsafe(`DROP TRIGGER hold_up ON ${table}; DROP FUNCTION hold_up`);
    }
  }

  it('is refused when the run has already read the prices of that time', async () => {
    const admin = await signUpIn('PLN');
    const price = { path: '/race', currency: 'PLN', unitAmount: '1.00' };
    await setPrice(service, price);
    await use(service, admin, '/race', 5, '2025-08-20T00:00:00Z');
    await startRun(service, '2025-08');
    const { running, answer } = await holdUp('billed_periods', async () => {
      const running = work(service);
      await someWait('ShareLock');
      const answer = create({ ...price, unitAmount: '2.00', effectiveFrom: '2025-08-15T00:00:00Z' });
      await someWait('ExclusiveLock');
      return { running, answer };
    });
    await running;
    expectBilled(await answer, 'effectiveFrom', ['2025-08', '/race', '2025-09-01T00:00:00.000Z']);
    expect(await invoicesOf(service, admin)).toMatchObject([{ total: '5.00' }]);
  });

  it('is billed when it came first, because the run waits for it', async () => {
    const admin = await signUpIn('CZK');
    const price = { path: '/race', currency: 'CZK', unitAmount: '1.00' };
    await setPrice(service, price);
    await use(service, admin, '/race', 5, '2025-10-20T00:00:00Z');
    await startRun(service, '2025-10');
    const { running, answer } = await holdUp('prices', async () => {
      const answer = create({ ...price, unitAmount: '2.00', effectiveFrom: '2025-10-15T00:00:00Z' });
      const held = await someWait('ShareLock');
      const running = work(service);
      await someWait('ShareLock', held);
      return { running, answer };
    });
    expectStatus(await answer, 201);
    await running;
    expect(await invoicesOf(service, admin)).toMatchObject([{ total: '10.00' }]);
  });
});
