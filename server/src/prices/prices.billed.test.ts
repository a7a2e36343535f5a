import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '../../test/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../test/actors.ts';
import { invoicesOf, runMonth, setBilling, setPrice, startRun, use, work } from '../../test/billing.ts';
import { flatPriceBody } from '../../test/prices.ts';
import type { Answer } from '../../test/request.ts';
import { startTestService, type TestService } from '../../test/service.ts';

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

function expectBilled(answer: Answer, field: string, until: string): void {
  expectStatus(answer, 409);
  const details = [{ field, message: expect.stringContaining(`must not be before ${until}: until then`) }];
  expect(answer.body.error).toMatchObject({ code: 'period_billed', details });
}

describe('what was billed never changes', () => {
  it('so no general price begins or ends where a company was billed in its currency', async () => {
    const admin = await signUpIn('CHF', { timezone: 'America/Los_Angeles' });
    const { id } = await setPrice(service, { path: '/general', currency: 'CHF', unitAmount: '1.00' });
    await use(service, admin, '/general', 5, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');

    const until = '2025-02-01T08:00:00.000Z';
    const price = { path: '/general', currency: 'CHF', unitAmount: '9.00' };
    for (const effectiveFrom of ['2024-06-01T00:00:00Z', '2025-01-15T00:00:00Z', '2025-02-01T07:00:00Z']) {
      const other = { ...price, path: '/gen*', companyId: null, effectiveFrom };
      expectBilled(await create(other), 'effectiveFrom', until);
      expectBilled(await end(id, effectiveFrom), 'effectiveTo', until);
    }
    expectBilled(await create({ ...price, effectiveFrom: '2025-01-15T00:00:00Z' }), 'effectiveFrom', until);
    expectStatus(await create({ ...price, effectiveFrom: until }), 201);

    const { id: other } = await setPrice(service, { path: '/gen*', currency: 'CHF', effectiveFrom: until });
    expectStatus(await end(other, '2025-03-01T00:00:00Z'), 200);
  });

  it('nor is one taken back that was in force where a company was billed in its currency, even if it has ended', async () => {
    const [billed, other] = [await signUpIn('DKK'), await signUpIn('DKK')];
    const price = { currency: 'DKK', unitAmount: '1.00' };
    const until = '2025-02-01T00:00:00Z';
    const ended = { ...price, path: '/ended', effectiveTo: '2024-02-01T00:00:00Z' };
    const kept = [
      await setPrice(service, { ...price, path: '/kept' }),
      await setPrice(service, ended),
      await setPrice(service, { ...price, path: '/kept', companyId: billed.companyId }),
      await setPrice(service, { ...price, path: '/kept*', effectiveFrom: '2025-01-31T23:00:00Z' }),
    ];
    const free = [
      await setPrice(service, { ...price, path: '/kept', companyId: other.companyId }),
      await setPrice(service, { ...price, path: '/kept', effectiveFrom: until }),
    ];
    await use(service, billed, '/kept', 5, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');
    const remove = (id: string) => service.call('DELETE', `/operator/prices/${id}`, { token: service.operatorKey });
    for (const { id } of kept) {
      const refused = await remove(id);
      expect([refused.status, refused.body.error?.code]).toEqual([409, 'price_in_force']);
    }
    for (const { id } of free) expectStatus(await remove(id), 204);
  });

  it('and no override where its own company was, whatever others are billed', async () => {
    const [billed, fresh] = [await signUpIn('SEK'), await signUpIn('SEK')];
    const price = { path: '/own', currency: 'SEK', unitAmount: '1.00' };
    const { id } = await setPrice(service, { ...price, companyId: billed.companyId });
    await use(service, billed, '/own', 5, '2025-03-10T00:00:00Z');
    await runMonth(service, '2025-03');

    const until = '2025-04-01T00:00:00.000Z';
    const past = { ...price, path: '/own/other', effectiveFrom: '2025-03-31T23:00:00Z' };
    expectBilled(await create({ ...past, companyId: billed.companyId }), 'effectiveFrom', until);
    expectBilled(await end(id, past.effectiveFrom), 'effectiveTo', until);
    expectStatus(await create({ ...past, companyId: billed.companyId, effectiveFrom: until }), 201);
    expectStatus(await end(id, until), 200);
    expectStatus(await create({ ...past, companyId: fresh.companyId }), 201);
  });

  it('but a price of another currency, or of a time in which nobody was invoiced, may begin in the past', async () => {
    const admin = await signUpIn('NOK');
    await runMonth(service, '2025-05');
    expectStatus(await create({ currency: 'NOK', effectiveFrom: '2025-01-01T00:00:00Z' }), 201);
    await use(service, admin, '/unpriced', 5, '2025-06-10T00:00:00Z');
    await runMonth(service, '2025-06');
    const past = { companyId: admin.companyId, effectiveFrom: '2025-06-01T00:00:00Z' };
    expectBilled(await create({ ...past, currency: 'NOK' }), 'effectiveFrom', '2025-07-01T00:00:00.000Z');
    expectStatus(await create({ ...past, currency: 'DKK' }), 201);
  });
});

describe('a price that is set while a run bills', () => {
  const HELD = 4_711;

  type Race = { running: Promise<void>; answer: Promise<Answer> };

  /** How many wait for a lock: of the run, which shares it, or of the price, which wants it alone. */
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

  /** Whoever inserts a row there waits before its commit, while `begin` runs. */
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

  it('is refused when the run has read the prices of that time', async () => {
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
    expectBilled(await answer, 'effectiveFrom', '2025-09-01T00:00:00.000Z');
    expect(await invoicesOf(service, admin)).toMatchObject([{ total: '5.00' }]);
  });

  it('is billed when it was first: the run waits for it', async () => {
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
