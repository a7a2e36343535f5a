import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUsage, reportUsage, usageEvent } from '../../../test/billing/usage.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { rollUpUsage } from './rollup/rollup.ts';

/** The month does not end while the tests run. */
const NOW = new Date();

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => NOW });
});
afterAll(async () => service?.stop());

type Slot = [time: string, path: string, quantity: number];

/** A company with this usage. Half of it is rolled up, so that reads must add both. */
async function companyWith(slots: Slot[]): Promise<Actor> {
  const actor = await signUpAdmin(service);
  const events = slots.map(([time, path, quantity]) => usageEvent(actor.companyId, { time, data: { path, quantity } }));
  const half = Math.ceil(events.length / 2);
  await reportUsage(service, events.slice(0, half));
  await rollUpUsage(service.database.db);
  if (half < events.length) await reportUsage(service, events.slice(half));
  return actor;
}

type Line = { path: string; start: string; end: string; quantity: string };

async function linesOf(actor: Actor, query: string): Promise<string[]> {
  const { data } = await readUsage(service, actor.token, query);
  return data.map(({ path, start, quantity }: Line) => `${start.slice(0, 16)} ${path} ${quantity}`);
}

describe('GET /payments/usage', () => {
  it('sums by hour, day and month, sorted by time and path, without zeros', async () => {
    const actor = await companyWith([
      ['2026-01-31T23:59:59.999Z', '/b', 2],
      ['2026-02-01T00:00:00Z', '/a', 1],
      ['2026-02-01T00:59:59Z', '/a', 10],
      ['2026-02-01T01:00:00Z', '/a', 100],
      ['2026-02-02T12:00:00Z', '/b', 3],
      ['2026-02-02T12:30:00Z', '/nothing', 0],
    ]);
    const period = 'from=2026-01-01&to=2026-03-01';
    expect(await linesOf(actor, `${period}&granularity=month`)).toEqual([
      '2026-01-01T00:00 /b 2',
      '2026-02-01T00:00 /a 111',
      '2026-02-01T00:00 /b 3',
    ]);
    expect(await linesOf(actor, period)).toEqual([
      '2026-01-31T00:00 /b 2',
      '2026-02-01T00:00 /a 111',
      '2026-02-02T00:00 /b 3',
    ]);
    expect(await linesOf(actor, 'from=2026-01-31&to=2026-02-03&granularity=hour')).toEqual([
      '2026-01-31T23:00 /b 2',
      '2026-02-01T00:00 /a 11',
      '2026-02-01T01:00 /a 100',
      '2026-02-02T12:00 /b 3',
    ]);
  });

  it('takes half-open periods bounded on any quarter of an hour', async () => {
    const actor = await companyWith([
      ['2026-01-10T10:14:59.999Z', '/a', 1],
      ['2026-01-10T10:15:00Z', '/a', 10],
      ['2026-01-10T10:59:59.999Z', '/a', 100],
      ['2026-01-10T11:29:59.999Z', '/a', 1_000],
      ['2026-01-10T11:30:00Z', '/a', 10_000],
      ['2026-01-10T12:00:00Z', '/a', 100_000],
    ]);
    const between = async (from: string, to: string) =>
      (await linesOf(actor, `from=2026-01-10T${from}Z&to=2026-01-10T${to}Z&granularity=month`)).join();
    expect(await between('10:00:00', '12:00:00')).toBe('2026-01-10T10:00 /a 11111');
    expect(await between('10:15:00', '11:30:00')).toBe('2026-01-10T10:15 /a 1110');
    expect(await between('10:15:00', '10:30:00')).toBe('2026-01-10T10:15 /a 10');
    expect(await between('11:30:00', '12:15:00')).toBe('2026-01-10T11:30 /a 110000');
    const { data } = await readUsage(service, actor.token, 'from=2026-01-10T10:15:00Z&to=2026-01-10T11:30:00Z');
    expect(data[0]).toMatchObject({ start: '2026-01-10T10:15:00.000Z', end: '2026-01-10T11:30:00.000Z' });
  });

  it('takes days of a time zone, through daylight saving and zones with half and quarter hours', async () => {
    const slots: Slot[] = [
      // Berlin puts its clocks forward on this day, which has 23 hours, and Kathmandu is 5:45 ahead.
      ['2026-03-28T22:59:59Z', '/a', 1],
      ['2026-03-28T23:00:00Z', '/a', 10],
      ['2026-03-29T21:59:59Z', '/a', 100],
      ['2026-03-29T22:00:00Z', '/a', 1_000],
      ['2026-03-29T18:14:59Z', '/k', 1],
      ['2026-03-29T18:15:00Z', '/k', 10],
    ];
    const actor = await companyWith(slots);
    const days = 'from=2026-03-28&to=2026-03-31';
    expect(await linesOf(actor, `${days}&timezone=Europe/Berlin&path=/a`)).toEqual([
      '2026-03-27T23:00 /a 1',
      '2026-03-28T23:00 /a 110',
      '2026-03-29T22:00 /a 1000',
    ]);
    expect(await linesOf(actor, `${days}&timezone=Asia/Kathmandu&path=/k`)).toEqual([
      '2026-03-28T18:15 /k 1',
      '2026-03-29T18:15 /k 10',
    ]);
  });

  it('shows both hours with the same local name when clocks go back', async () => {
    const actor = await companyWith([
      ['2025-10-26T00:30:00Z', '/a', 1],
      ['2025-10-26T01:30:00Z', '/a', 10],
    ]);
    const query = 'from=2025-10-26&to=2025-10-27&granularity=hour&timezone=Europe/Berlin';
    expect(await linesOf(actor, query)).toEqual(['2025-10-26T00:00 /a 1', '2025-10-26T01:00 /a 10']);
  });

  it('filters by path or by prefix', async () => {
    const actor = await companyWith([
      ['2026-01-10T10:00:00Z', '/v1/a', 1],
      ['2026-01-10T10:00:00Z', '/v1/a*', 2],
      ['2026-01-10T10:00:00Z', '/v10', 3],
      ['2026-01-10T10:00:00Z', '/V1/A', 4],
      ['2026-01-10T10:00:00Z', '/v1_%', 5],
    ]);
    const found = async (path: string) =>
      (await linesOf(actor, `from=2026-01-01&to=2026-02-01&path=${encodeURIComponent(path)}`)).map((line) =>
        line.slice(17),
      );
    expect(await found('/v1/a')).toEqual(['/v1/a 1']);
    expect(await found('/v1/*')).toEqual(['/v1/a 1', '/v1/a* 2']);
    expect(await found('/v1/a**')).toEqual(['/v1/a* 2']);
    expect(await found('/v1_%')).toEqual(['/v1_% 5']);
    expect(await found('*')).toHaveLength(5);
  });

  it('is paged with the exact total', async () => {
    const slots = Array.from(
      { length: 25 },
      (_, day): Slot => [`2026-01-${String(day + 1).padStart(2, '0')}T00:00:00Z`, '/a', 1],
    );
    const actor = await companyWith(slots);
    const page = (query: string) => readUsage(service, actor.token, `from=2026-01-01&to=2026-02-01&${query}`);
    expect(await page('')).toMatchObject({ total: 25, page: 1, perPage: 10 });
    const pages = [await page('page=1'), await page('page=2'), await page('page=3')];
    expect(pages.flatMap(({ data }) => data.map(({ start }: Line) => `${start.slice(0, 19)}Z`))).toEqual(
      slots.map(([time]) => time),
    );
    expect(await page('page=4&perPage=1000')).toMatchObject({ total: 25, page: 4, perPage: 1_000, data: [] });
  });

  it("defaults to this month, and to a month's length when one end is given", async () => {
    const actor = await companyWith([
      [NOW.toISOString(), '/a', 1],
      ['2026-01-31T10:00:00Z', '/a', 2],
    ]);
    expect(await linesOf(actor, 'granularity=month')).toEqual([`${NOW.toISOString().slice(0, 7)}-01T00:00 /a 1`]);
    expect(await linesOf(actor, 'from=2026-01-01')).toEqual(['2026-01-31T00:00 /a 2']);
    expect(await linesOf(actor, 'from=2026-02-01')).toEqual([]);
    expect(await linesOf(actor, 'to=2026-02-01')).toEqual(['2026-01-31T00:00 /a 2']);
    expect(await linesOf(actor, 'to=2026-01-31')).toEqual([]);
  });

  it.each([
    ['to', 'from=2026-02-01&to=2026-02-01'],
    ['to', 'from=2026-02-02&to=2026-02-01'],
    ['granularity', 'from=2026-01-01&to=2026-02-12&granularity=hour'],
    ['granularity', 'from=2000-01-01&to=2026-01-01'],
  ])('refuses an invalid period, on %s: %s', async (field, query) => {
    const actor = await signUpAdmin(service);
    const answer = await service.call('GET', `/payments/usage?${query}`, { token: actor.token });
    expect([answer.status, answer.body.error?.details[0].field]).toEqual([400, field]);
  });

  it('takes 1,000 intervals', async () => {
    const actor = await companyWith([['2026-02-11T15:59:59Z', '/a', 1]]);
    const query = 'from=2026-01-01&to=2026-02-11T16:00:00Z&granularity=hour';
    expect(await linesOf(actor, query)).toEqual(['2026-02-11T15:00 /a 1']);
  });

  it('sums beyond the precision of floating point', async () => {
    const actor = await signUpAdmin(service);
    await reportUsage(service, usageEvent(actor.companyId, { time: '2026-01-01T00:00:00Z' }));
    await rollUpUsage(service.database.db);
    const { owner } = service.database;
    await owner`UPDATE usage_hours SET quarter_1 = 9007199254740993 WHERE company_id = ${actor.companyId}`;
    await owner`UPDATE usage_days SET quantity = 9007199254740993 WHERE company_id = ${actor.companyId}`;
    for (const granularity of ['hour', 'day']) {
      expect(await linesOf(actor, `from=2026-01-01&to=2026-01-02&granularity=${granularity}`)).toEqual([
        '2026-01-01T00:00 /v1/transcriptions 9007199254740993',
      ]);
    }
  });
});

describe('who sees which usage', () => {
  it('a company sees its own only, and the operator that of the company it names', async () => {
    const [own, other] = [
      await companyWith([['2026-01-10T10:00:00Z', '/own', 1]]),
      await companyWith([['2026-01-10T10:00:00Z', '/other', 2]]),
    ];
    const period = 'from=2026-01-01&to=2026-02-01';
    const naming = `${period}&companyId=${other.companyId}`;
    expect(await linesOf(own, period)).toEqual(['2026-01-10T00:00 /own 1']);
    expectStatus(await service.call('GET', `/payments/usage?${naming}`, { token: own.token }), 400);
    expect(await linesOf(other, period)).toEqual(['2026-01-10T00:00 /other 2']);
    const asked = expectStatus(
      await service.call('GET', `/operator/usage?${naming}`, { token: service.operatorKey }),
      200,
    );
    expect(asked.body).toEqual(await readUsage(service, other.token, period));
  });
});

describe('the totals and the file', () => {
  const period = 'from=2026-01-01&to=2026-03-01';
  const companyWithPaths = () =>
    companyWith([
      ['2026-01-31T23:59:59Z', '/v1/b', 2],
      ['2026-02-01T00:00:00Z', '/v1/a', 1],
      ['2026-02-01T01:00:00Z', '/v1/b', 100],
      ['2026-02-01T02:00:00Z', '=1+1', 5],
      ['2026-02-28T12:00:00Z', '/v1/a', 3],
      ['2026-03-01T00:00:00Z', '/v1/a', 1_000],
    ]);

  it('add up all matching paths of an interval, whatever page is read', async () => {
    const actor = await companyWithPaths();
    const { total, data, totals } = await readUsage(service, actor.token, `${period}&perPage=1&page=2`);
    expect([total, data.length]).toEqual([5, 1]);
    expect(totals).toEqual([
      { start: '2026-01-31T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z', quantity: '2' },
      { start: '2026-02-01T00:00:00.000Z', end: '2026-02-02T00:00:00.000Z', quantity: '106' },
      { start: '2026-02-28T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z', quantity: '3' },
    ]);
    const filtered = await readUsage(service, actor.token, `${period}&granularity=month&path=/v1/*`);
    expect(filtered.totals.map(({ quantity }: Line) => quantity)).toEqual(['2', '104']);
  });

  it('the file has every row of the list, in its order', async () => {
    const actor = await companyWithPaths();
    const read = async (query: string) => service.call('GET', `/payments/usage.csv?${query}`, { token: actor.token });
    for (const granularity of ['hour', 'day', 'month']) {
      const query = `from=2026-01-30&to=2026-03-01&granularity=${granularity}`;
      const { text, headers } = expectStatus(await read(query), 200);
      expect(headers.get('content-disposition')).toBe('attachment; filename="usage.csv"');
      const { data } = await readUsage(service, actor.token, `${query}&perPage=1000`);
      const rows = data.map(({ path, start, end, quantity }: Line) =>
        [path.replace('=', "'="), start, end, quantity].join(','),
      );
      expect(text.split('\r\n')).toEqual(['path,start,end,quantity', ...rows, '']);
    }
    expectStatus(await read(`${period}&perPage=10`), 400);
  });
});
