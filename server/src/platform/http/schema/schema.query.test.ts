import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BATTERY,
  type BatteryCase,
  credentialFor,
  expectRefusal,
  fillPath,
  prepareWorld,
  refuseFailure,
  routesWhere,
  splitRoute,
  type World,
} from '../../../../test/battery/battery.ts';
import { PAGE, PAGE_SIZE } from '../../../../test/battery/cases/query-values.ts';
import { expectStatus, issueInvoice } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService } from '../../../../test/harness/service.ts';

let world: World;
beforeAll(async () => {
  world = await prepareWorld(await startTestService());
});
afterAll(() => world?.service.stop());

const parameters = Object.entries(BATTERY).flatMap(([route, { parameters: ofRoute = {} }]) =>
  Object.entries(ofRoute).map(([name, parameter]) => ({ route, name, parameter })),
);

/** What the path ids stand for: one thing a route. */
const named = new Map<string, string | undefined>();

async function get(route: string, query: string): Promise<Answer> {
  const { method, url } = splitRoute(route);
  const entry: BatteryCase = BATTERY[route] ?? { access: 'public' };
  const token = credentialFor(world, entry);
  if (!named.has(route)) named.set(route, await entry.names?.make(world.service, world.admin));
  const isGiven = (parameter: string) => `&${query}`.includes(`&${parameter.split('=', 1)[0]}=`);
  const required = (entry.query ?? '')
    .split('&')
    .filter((parameter) => parameter !== '' && !isGiven(parameter))
    .map((parameter) => `&${parameter}`)
    .join('');
  const body = entry.body?.(world);
  const answer = await world.service.call(method, `${fillPath(url, named.get(route))}?${query}${required}`, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    // A session cookie needs it, and no other route reads it.
    headers: { origin: world.service.config.publicUrl },
  });
  return refuseFailure(route, answer);
}

describe.each(parameters)('$route: $name', ({ route, name, parameter }) => {
  test('takes what it is for', async () => {
    for (const value of parameter.takes) {
      const answer = await get(route, `${name}=${encodeURIComponent(value)}`);
      const { refusal } = BATTERY[route] ?? {};
      expect([200, 201, 204, refusal?.status], `${name}=${value.slice(0, 60)}: ${answer.text.slice(0, 300)}`).toContain(
        answer.status,
      );
    }
  });

  // Security (Bodies, paths and queries): Invalid pages and other parameters are 400
  test('refuses everything else with a 400 that names it, and neither clamps nor guesses', async () => {
    for (const value of parameter.refuses) {
      const answer = await get(route, `${name}=${encodeURIComponent(value)}`);
      expect(answer.status, `${name}=${value.slice(0, 60)}: ${answer.text.slice(0, 300)}`).toBe(400);
      expect(answer.body.error.details.map(({ field }: { field: string }) => field)).toContain(name);
    }
  });

  // Security (Bodies, paths and queries): A parameter that appears twice is 400
  test('given twice is 400, whatever the values', async () => {
    const [first = 'x'] = parameter.takes;
    for (const query of [`${name}=${first}&${name}=${first}`, `${name}=${first}&${name}=x`]) {
      const answer = await get(route, query);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toBe(name);
    }
  });

  // Security (Bodies, paths and queries): `%00` in a query is 400
  test('with U+0000 or bytes that are not UTF-8 is 400', async () => {
    for (const value of ['%00', 'a%00b', '%ff', '%ed%a0%80', '%', '%zz', '%c0%af']) {
      expectRefusal(await get(route, `${name}=${value}`), 400, 'invalid_request');
    }
  });
});

test('a parameter that a route does not name is 400 and named, and so is what no text can hold', async () => {
  for (const [route] of routesWhere(({ parameters, takesAnyQuery }) => parameters !== undefined && !takesAnyQuery)) {
    for (const name of [...'unknown overdue company_id page[] __proto__ constructor 0 Page'.split(' '), '', 'a b']) {
      const answer = await get(route, `${encodeURIComponent(name)}=1`);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details).toEqual([{ field: name, message: 'is not a parameter of this request' }]);
    }
    const twice = await get(route, 'unknown=1&other=2&unknown=2');
    expect(twice.body.error.details.map(({ field }: { field: string }) => field)).toEqual(['unknown', 'other']);
    const long = await get(route, `${'x'.repeat(10_000)}=1`);
    expect(long.body.error.details[0].field).toHaveLength(255);
    expectRefusal(await get(route, 'unknown=%00'), 400, 'invalid_request');
    expectRefusal(await get(route, 'unk%00nown=1'), 400, 'invalid_request');
  }
});

describe('a number is decimal digits alone, also as a URL spells it without a client to encode it', () => {
  const pages = parameters.filter(({ parameter }) => parameter === PAGE || parameter === PAGE_SIZE);
  const SPELLINGS =
    '+1 1+ %2B1 %201 1%20 %091 1%0A %C2%A01 0x10 0X1 0b1 0o7 1e1 1E1 1e0 1.0 1. .1 1_0 1n %EF%BC%91 %D9%A1';
  test.each(pages)('$route: $name', async ({ route, name }) => {
    for (const spelling of SPELLINGS.split(' ')) {
      const answer = await get(route, `${name}=${spelling}`);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toBe(name);
    }
  });

  test.each(['min', 'max'])('GET /payments/orders: %s, with a point and a minus at most', async (name) => {
    for (const spelling of '0x10 1e1 1E1 1e%2B1 1e-1 %2B50 Infinity -Infinity NaN 1n 50. .5 50,5 1_0 %EF%BC%91'.split(
      ' ',
    )) {
      const answer = await get('GET /payments/orders', `${name}=${spelling}`);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].field).toBe(name);
    }
    for (const value of ['50', '50.5', '-50.50']) {
      expectStatus(await get('GET /payments/orders', `${name}=${value}`), 200);
    }
  });
});

// Security (Bodies, paths and queries): Contradictory bounds and periods are 400
describe('filters that contradict each other', () => {
  test.each([
    ['min=2&max=1', 'min'],
    ['min=90071992547409.94&max=90071992547409.93', 'min'],
    ['min=-1&max=-2', 'min'],
    ['startAt=2026-10-02&endAt=2026-10-01', 'startAt'],
    ['startAt=2026-10-01T00:00:00.001Z&endAt=2026-10-01T00:00:00.000Z', 'startAt'],
  ])('%s is 400 on %s', async (query, field) => {
    const answer = await get('GET /payments/orders', query);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test.each([
    'min=1&max=1',
    'min=1.0&max=1.00',
    'startAt=2026-10-01&endAt=2026-10-01',
    'startAt=2026-10-01T23:00:00Z&endAt=2026-10-01',
  ])('%s is no contradiction', async (query) => {
    expectStatus(await get('GET /payments/orders', query), 200);
  });
});

describe('pages', () => {
  test('a page past the end is empty, and the defaults are page 1 with 10 items', async () => {
    const { service, admin } = world;
    await issueInvoice(service, admin.companyId);
    const orders = expectStatus(await get('GET /payments/orders', 'page=1000000&perPage=1000'), 200).body;
    expect([orders.page, orders.perPage, orders.data]).toEqual([1_000_000, 1_000, []]);
    const labels = expectStatus(await get('GET /labels', 'current_page=1000000&per_page=1000'), 200).body;
    expect([labels.current_page, labels.per_page, labels.data, labels.last_page]).toEqual([1_000_000, 1_000, [], 1]);
    const first = expectStatus(await get('GET /payments/orders', ''), 200).body;
    expect([first.page, first.perPage, first.data.length]).toEqual([1, 10, first.total]);
    const firstLabels = expectStatus(await get('GET /labels', ''), 200).body;
    expect([firstLabels.current_page, firstLabels.per_page]).toEqual([1, 10]);
  });

  test('SQL in a search is text and nothing else', async () => {
    const { service, admin } = world;
    const name = `x'; DROP TABLE labels; -- ${randomUUID()}`;
    const body = { name, description: 'x', color: '#fff', userName: 'x' };
    expectStatus(await service.call('POST', '/labels', { token: admin.token, body }), 201);
    const found = expectStatus(await get('GET /labels', `name=${encodeURIComponent(name)}`), 200).body;
    expect([found.total, found.data[0].name]).toEqual([1, name]);
  });
});
