import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invoicesOf, setBilling, setPrice, startRun, use, work } from '../../../../test/billing/billing.ts';
import { addItem } from '../../../../test/billing/items.ts';
import {
  findRun,
  listRuns,
  passTime,
  schedule,
  startTimedService,
  type TimedService,
  workOff,
} from '../../../../test/billing/schedule.ts';
import { type Actor, signUpAdmin } from '../../../../test/customers/actors.ts';
import { processNextRun } from '../runs.worker.ts';

let service: TimedService;
beforeAll(async () => {
  service = await startTimedService('2026-10-20T00:00:00Z');
});
afterAll(async () => service?.stop());

// The schedule covers all companies, so each test starts without those of the others.
beforeEach(async () => {
  await service.database.owner`TRUNCATE companies, billing_runs CASCADE`;
  service.setTime('2026-10-20T00:00:00Z');
  await setPrice(service, { path: '/call', unitAmount: '1.00' });
});

/** Signs up a company with these billing settings, and usage on 10 October. */
async function signUp(settings: object = {}, used = '2026-10-10T00:00:00Z'): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, settings);
  await use(service, admin, '/call', 5, used);
  return admin;
}

it('an item begins the runs where there was never any usage, and is billed by the first of them', async () => {
  const admin = await signUpAdmin(service);
  await addItem(service, admin.companyId, { amount: '25.00' });
  await passTime(service, '2026-10-31T23:59:59Z');
  expect(await listRuns(service)).toEqual([]);
  await passTime(service, '2026-11-03T00:00:00Z');
  expect(await invoicesOf(service, admin)).toMatchObject([{ startAt: '2026-10-01T00:00:00.000Z', total: '25.00' }]);
});

const post = (period: string) =>
  service.call('POST', '/operator/billing-runs', { token: service.operatorKey, body: { period } });

async function countsOf(...admins: Actor[]): Promise<number[]> {
  const invoices = await Promise.all(admins.map((admin) => invoicesOf(service, admin)));
  return invoices.map(({ length }) => length);
}

describe('the schedule', () => {
  it('bills each company in passes, when its month and its grace time are over in its time zone', async () => {
    const utc = await signUp();
    const prompt = await signUp({ invoiceGraceHours: 0 });
    const tokyo = await signUp({ timezone: 'Asia/Tokyo' });
    const angeles = await signUp({ timezone: 'America/Los_Angeles' });
    const all = [utc, prompt, tokyo, angeles];

    await passTime(service, '2026-10-31T14:59:59Z');
    expect(await listRuns(service)).toEqual([]);
    // October is over in Tokyo, so there is a run, which shows when it will bill which companies.
    await passTime(service, '2026-10-31T15:00:00Z');
    expect(await findRun(service, '2026-10')).toMatchObject({
      status: 'waiting',
      passes: 0,
      companies: 4,
      done: 0,
      nextPassAt: '2026-11-01T00:00:00.000Z',
      finishedAt: null,
    });
    await passTime(service, '2026-10-31T23:59:59Z');
    expect(await countsOf(...all)).toEqual([0, 0, 0, 0]);

    await passTime(service, '2026-11-01T00:00:00Z');
    expect(await countsOf(...all)).toEqual([0, 1, 0, 0]);
    await passTime(service, '2026-11-01T14:59:59Z');
    expect(await countsOf(...all)).toEqual([0, 1, 0, 0]);
    const nextPassAt = '2026-11-01T15:00:00.000Z';
    const counts = { companies: 4, done: 1, invoices: 1, skipped: 0, failures: 0 };
    expect(await findRun(service, '2026-10')).toMatchObject({ ...counts, status: 'waiting', passes: 1, nextPassAt });

    await passTime(service, nextPassAt);
    expect(await countsOf(...all)).toEqual([0, 1, 1, 0]);
    await passTime(service, '2026-11-02T00:00:00Z');
    expect(await countsOf(...all)).toEqual([1, 1, 1, 0]);
    // There, midnight of the first was at 07:00 UTC, an hour before the clocks went back.
    await passTime(service, '2026-11-02T06:59:59Z');
    expect(await countsOf(...all)).toEqual([1, 1, 1, 0]);
    await passTime(service, '2026-11-02T07:00:00Z');
    expect(await countsOf(...all)).toEqual([1, 1, 1, 1]);
    expect(await findRun(service, '2026-10')).toMatchObject({
      ...{ status: 'done', passes: 4, companies: 4, done: 4, invoices: 4, skipped: 0, failures: 0 },
      ...{ nextPassAt: null, remainingSeconds: null, finishedAt: expect.any(String) },
    });
    const periods = await Promise.all(all.map((admin) => invoicesOf(service, admin)));
    expect(periods.flat().map(({ startAt, endAt }) => [startAt, endAt])).toEqual([
      ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
      ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
      ['2026-09-30T15:00:00.000Z', '2026-10-31T15:00:00.000Z'],
      ['2026-10-01T07:00:00.000Z', '2026-11-01T07:00:00.000Z'],
    ]);
  });

  it('puts usage before a company’s own pass on its invoice, and later usage on the next one', async () => {
    const [prompt, patient] = [await signUp({ invoiceGraceHours: 0 }), await signUp()];
    await passTime(service, '2026-11-01T00:00:00Z');
    for (const admin of [prompt, patient]) await use(service, admin, '/call', 2, '2026-10-31T23:00:00Z');
    await passTime(service, '2026-11-02T00:00:00Z');
    expect(await invoicesOf(service, prompt)).toMatchObject([{ total: '5.00' }]);
    expect(await invoicesOf(service, patient)).toMatchObject([{ total: '7.00' }]);
    await passTime(service, '2026-12-02T00:00:00Z');
    expect(await invoicesOf(service, prompt)).toMatchObject([{ total: '5.00' }, { total: '2.00' }]);
    expect(await invoicesOf(service, patient)).toMatchObject([{ total: '7.00' }]);
  });

  it('uses the current billing settings of a company each time', async () => {
    const admin = await signUp();
    await passTime(service, '2026-11-01T01:00:00Z');
    expect(await findRun(service, '2026-10')).toMatchObject({ nextPassAt: '2026-11-02T00:00:00.000Z' });
    await setBilling(service, admin, { invoiceGraceHours: 720 });
    await passTime(service, '2026-11-02T00:00:00Z');
    expect(await findRun(service, '2026-10')).toMatchObject({ passes: 0, nextPassAt: '2026-12-01T00:00:00.000Z' });
    await setBilling(service, admin, { invoiceGraceHours: 1 });
    await passTime(service, '2026-11-02T00:15:00Z');
    expect(await findRun(service, '2026-10')).toMatchObject({ status: 'done', invoices: 1 });
  });

  it('makes up for missed months in order, each with its own invoice, and bills none twice', async () => {
    const admin = await signUp({}, '2026-08-10T00:00:00Z');
    await use(service, admin, '/call', 2, '2026-09-30T23:59:59Z');
    await use(service, admin, '/call', 3, '2026-10-01T00:00:00Z');
    await passTime(service, '2026-11-15T00:00:00Z');
    await passTime(service, '2026-11-15T00:15:00Z');
    // July is before any usage.
    expect((await listRuns(service)).map(({ period, status, passes }) => [period, status, passes])).toEqual([
      ['2026-08', 'done', 1],
      ['2026-09', 'done', 1],
      ['2026-10', 'done', 1],
    ]);
    expect(await invoicesOf(service, admin)).toMatchObject([
      { startAt: '2026-08-01T00:00:00.000Z', total: '5.00' },
      { startAt: '2026-09-01T00:00:00.000Z', total: '2.00' },
      { startAt: '2026-10-01T00:00:00.000Z', total: '3.00' },
    ]);
  });

  it('makes no run before the first usage, and begins with its month in the company’s time zone', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { timezone: 'Asia/Kathmandu' });
    await passTime(service, '2027-03-15T00:00:00Z');
    expect(await listRuns(service)).toEqual([]);
    // It is a quarter to six there: March has begun, although the hour began in February.
    await use(service, admin, '/call', 1, '2027-02-28T18:15:00Z');
    await passTime(service, '2027-03-15T00:00:00Z');
    expect(await listRuns(service)).toEqual([]);
    await passTime(service, '2027-04-15T00:00:00Z');
    expect(await listRuns(service)).toMatchObject([{ period: '2027-03', status: 'done', invoices: 1 }]);
  });

  it('bills an earlier month first, even if its companies became due while one of its passes was interrupted', async () => {
    const [prompt, patient] = [await signUp({ invoiceGraceHours: 0 }), await signUp({ invoiceGraceHours: 48 })];
    await schedule(service, '2026-11-02T00:00:00Z');
    service.setTime('2026-11-10T00:00:00Z');
    for (const admin of [prompt, patient]) await use(service, admin, '/call', 2, '2026-11-10T00:00:00Z');
    // No worker has run for a month.
    await schedule(service, '2026-12-05T00:00:00Z');
    for (let round = 0; round < 3; round += 1) await work(service);
    expect(await countsOf(prompt, patient)).toEqual([1, 0]);
    await passTime(service, '2026-12-05T00:15:00Z');
    for (const admin of [prompt, patient]) {
      expect(await invoicesOf(service, admin)).toMatchObject([
        { startAt: '2026-10-01T00:00:00.000Z', total: '5.00' },
        { startAt: '2026-11-01T00:00:00.000Z', total: '2.00' },
      ]);
    }
  });

  it('may run at the same time in any number of processes, as may workers', async () => {
    const admins = await Promise.all(Array.from({ length: 6 }, () => signUp()));
    const at = '2026-11-02T00:00:00Z';
    await Promise.all(Array.from({ length: 4 }, () => schedule(service, at)));
    await Promise.all(Array.from({ length: 3 }, () => work(service)));
    await Promise.all(Array.from({ length: 4 }, () => schedule(service, at)));
    await workOff(service);
    expect(await listRuns(service)).toMatchObject([{ status: 'done', passes: 1, done: 6, invoices: 6 }]);
    expect(await countsOf(...admins)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('leaves an interrupted pass to the next worker', async () => {
    const admin = await signUp();
    await schedule(service, '2026-11-02T00:00:00Z');
    await processNextRun(service.database.db, service.server.log, { signal: AbortSignal.abort() });
    await schedule(service, '2026-11-02T00:15:00Z');
    expect(await findRun(service, '2026-10')).toMatchObject({ status: 'running', passes: 1, done: 0 });
    await workOff(service);
    expect(await findRun(service, '2026-10')).toMatchObject({ status: 'done', passes: 1, done: 1 });
    expect(await countsOf(admin)).toEqual([1]);
  });

  it('retries a company that could not be billed with the next pass, not at each check, and names it', async () => {
    const [bad, later] = [await signUp({ invoiceGraceHours: 0 }), await signUp()];
    await setPrice(service, { path: '/dear', companyId: bad.companyId, unitAmount: '99999999999' });
    await use(service, bad, '/dear', 10_000, '2026-10-10T00:00:00Z');
    for (const at of ['2026-11-01T00:00:00Z', '2026-11-01T00:15:00Z', '2026-11-01T00:30:00Z']) {
      await passTime(service, at);
      expect(await findRun(service, '2026-10')).toMatchObject({
        ...{ status: 'waiting', passes: 1, done: 1, failures: 1, skipped: 0, failedCompanies: [bad.companyId] },
        nextPassAt: '2026-11-02T00:00:00.000Z',
      });
    }
    for (const at of ['2026-11-02T00:00:00Z', '2026-11-02T00:15:00Z']) {
      await passTime(service, at);
      expect(await findRun(service, '2026-10')).toMatchObject({
        ...{ status: 'failed', passes: 2, done: 2, invoices: 1, failures: 1, failedCompanies: [bad.companyId] },
        failed: [{ companyId: bad.companyId, companyName: bad.email, reason: expect.stringMatching(/\w+/) }],
        nextPassAt: null,
      });
    }
    expect(await countsOf(bad, later)).toEqual([0, 1]);
  });
});

describe('a run by hand', () => {
  it('bills every company whose month is over, whatever its grace time, and no other', async () => {
    const [utc, tokyo, angeles] = [
      await signUp({ invoiceGraceHours: 720 }),
      await signUp({ timezone: 'Asia/Tokyo' }),
      await signUp({ timezone: 'America/Los_Angeles', invoiceGraceHours: 720 }),
    ];
    service.setTime('2026-10-31T14:59:59Z');
    const early = await post('2026-10');
    expect([early.status, early.body.error.code]).toEqual([409, 'period_not_over']);
    expect(early.body.error.message).toContain('2026-10-31T15:00:00.000Z');
    service.setTime('2026-11-01T03:00:00Z');
    expect(await startRun(service, '2026-10')).toMatchObject({ status: 'running', companies: 3, done: 0 });
    await workOff(service);
    expect(await countsOf(utc, tokyo, angeles)).toEqual([1, 1, 0]);
    expect(await startRun(service, '2026-10')).toMatchObject({
      ...{ status: 'waiting', passes: 1, done: 2, invoices: 2, nextPassAt: '2026-11-01T07:00:00.000Z' },
    });
    await passTime(service, '2026-11-01T06:59:59Z');
    expect(await countsOf(angeles)).toEqual([0]);
    await passTime(service, '2026-11-01T07:00:00Z');
    expect(await countsOf(utc, tokyo, angeles)).toEqual([1, 1, 1]);
    expect(await findRun(service, '2026-10')).toMatchObject({ status: 'done', passes: 2, done: 3, invoices: 3 });
  });

  it('takes over a pass of the schedule, and ends its grace time', async () => {
    const [prompt, patient] = [await signUp({ invoiceGraceHours: 0 }), await signUp()];
    await schedule(service, '2026-11-01T00:00:00Z');
    expect(await startRun(service, '2026-10')).toMatchObject({ status: 'running', passes: 2 });
    expect(await startRun(service, '2026-10')).toMatchObject({ status: 'running', passes: 2 });
    await workOff(service);
    expect(await countsOf(prompt, patient)).toEqual([1, 1]);
  });

  it('of a finished month checks again: companies that signed up since are billed, and nothing else changes', async () => {
    const first = await signUp();
    service.setTime('2026-11-10T00:00:00Z');
    await startRun(service, '2026-10');
    await workOff(service);
    const done = await findRun(service, '2026-10');
    expect(await startRun(service, '2026-10')).toEqual(done);
    const second = await signUp();
    expect(await startRun(service, '2026-10')).toMatchObject({
      status: 'running',
      companies: 2,
      done: 1,
      finishedAt: null,
    });
    await workOff(service);
    expect(await findRun(service, '2026-10')).toMatchObject({ status: 'done', invoices: 2, done: 2, passes: 2 });
    expect(await countsOf(first, second)).toEqual([1, 1]);
  });

  it('bills waiting earlier months first', async () => {
    const admin = await signUp({ invoiceGraceHours: 720 });
    await passTime(service, '2026-11-15T00:00:00Z');
    await use(service, admin, '/call', 2, '2026-11-10T00:00:00Z');
    service.setTime('2026-12-01T00:00:00Z');
    await startRun(service, '2026-11');
    await workOff(service);
    expect(await invoicesOf(service, admin)).toMatchObject([
      { startAt: '2026-10-01T00:00:00.000Z', endAt: '2026-11-01T00:00:00.000Z', total: '5.00' },
      { startAt: '2026-11-01T00:00:00.000Z', endAt: '2026-12-01T00:00:00.000Z', total: '2.00' },
    ]);
  });

  it('is followed by the schedule, which bills the next month', async () => {
    const admin = await signUp();
    service.setTime('2026-11-01T00:00:00Z');
    await startRun(service, '2026-10');
    await workOff(service);
    service.setTime('2026-11-10T00:00:00Z');
    await use(service, admin, '/call', 2, '2026-11-10T00:00:00Z');
    await passTime(service, '2026-12-02T00:00:00Z');
    expect((await listRuns(service)).map(({ period, status }) => [period, status])).toEqual([
      ['2026-10', 'done'],
      ['2026-11', 'done'],
    ]);
    expect(await countsOf(admin)).toEqual([2]);
  });
});
