import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_CATALOGUE } from '../../src/features.ts';
import { dereference } from '../../src/platform/http/openapi/dereference.ts';
import { describeApi } from '../../src/platform/http/openapi/openapi.ts';
import { cardBody, saveAddress, signUpAdmin } from '../customers/actors.ts';
import type { Answer, Request } from '../harness/request.ts';
import { startTestService } from '../harness/service.ts';
import {
  BATTERY,
  type BatteryCase,
  credentialFor,
  expectRefusal,
  fillPath,
  makePathIds,
  type Named,
  OUTSIDE_THE_BATTERY,
  operationOf,
  prepareWorld,
  refuseFailure,
  routesWhere,
  splitRoute,
  type World,
} from './battery.ts';

let world: World;
let declared: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;

beforeAll(async () => {
  world = await prepareWorld(await startTestService());
  declared = dereference(describeApi(world.service.operations, EVENT_CATALOGUE, '0')).paths as typeof declared;
});
afterAll(() => world?.service.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
/** One byte more than the limit for a body. */
const OVERSIZE = Buffer.alloc(1024 * 1024 + 1, 'x');

/** A body that is larger than the route accepts. */
function oversizeOf(route: string): typeof OVERSIZE {
  const { bodyLimitBytes = 0 } = operationOf(world, route);
  return bodyLimitBytes < OVERSIZE.length ? OVERSIZE : Buffer.alloc(bodyLimitBytes + 1, 'x');
}

const guarded = routesWhere(({ access }) => access !== 'public');
const permitted = routesWhere(({ access }) => access.includes('.') || access === 'member');
const operators = routesWhere(({ access }) => access === 'operator');
const withId = routesWhere(({ names }) => names !== undefined && !names.isName);
const withContent = routesWhere((_entry, method) => method !== 'GET');
const withBody = routesWhere(({ body }) => body !== undefined);

/** Ids for a route's path, with this id at one position (the last by default). The ids before the last one are the admin's. */
function pathIds(route: string, id: string = randomUUID(), index?: number): string[] {
  const ids = [...(BATTERY[route]?.within?.(world) ?? []), randomUUID()];
  return ids.with(index ?? -1, id);
}

const idIndexesOf = (route: string): number[] => [...pathIds(route).keys()];

/** Sends a request to a route. If it is refused, the API reference must declare that refusal. */
async function send(
  route: string,
  request: Request = {},
  ...idAtIndex: [id?: string, index?: number]
): Promise<Answer> {
  return sendTo(route, pathIds(route, ...idAtIndex), request);
}

/** The same, with these ids in the path. */
async function sendTo(route: string, ids: string[], request: Request): Promise<Answer> {
  const { method, url } = splitRoute(route);
  const required = BATTERY[route]?.query;
  const path = fillPath(url, ...ids) + (required === undefined ? '' : `?${required}`);
  const answer = refuseFailure(route, await world.service.call(method, path, request));
  const { status, body } = answer;
  if (status >= 400 && status !== 405 && OUTSIDE_THE_BATTERY.test(url) === false) {
    const { code } = body.error;
    if (!declares(route, status, code)) throw new Error(`${route} does not declare ${status} with ${code}`);
  }
  return answer;
}

/** Whether the API reference declares an answer with this status and code for a route. */
function declares(route: string, status: number, code: string): boolean {
  const { method, url } = splitRoute(route);
  const responses = declared[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses;
  return responses?.[status]?.description.includes(`\`${code}\``) ?? false;
}

function allowed(entry: BatteryCase): Request {
  const token = credentialFor(world, entry);
  return token === undefined ? {} : { token };
}

describe('coverage of the battery', () => {
  test('each route of the server belongs to an operation, and each operation has a route', () => {
    // The guides, the dashboard and the page of an invoice are pages for people, not operations.
    const isPage = (route: string) =>
      /^GET \/(docs\/guides\/.*|(app|console)(\/.*)?)?$/.test(route) || /^(GET|POST) \/pay\//.test(route);
    const isOperation = (route: string) => !route.startsWith('HEAD ') && !isPage(route);
    const routes = readRoutes(world.service.server.printRoutes()).filter(isOperation);
    const operations = world.service.operations.map(({ method, url }) => `${method} ${url}`);
    expect(routes.sort()).toEqual(operations.sort());
  });

  test('the first twenty endpoints still exist', () => {
    const operations = world.service.operations.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
    expect(FIRST_ENDPOINTS.filter((endpoint) => !operations.includes(endpoint))).toEqual([]);
  });

  test.each(Object.entries(BATTERY))(
    '%s can be called by those whom the contract allows',
    (route, { access, body, names }) => {
      const operation = operationOf(world, route);
      expect(operation.access).toBe(access);
      expect(operation.body !== undefined).toBe(body !== undefined);
      expect(operation.resource !== undefined).toBe(names !== undefined);
    },
  );
});

/** The endpoints that clients of the first version call. */
const FIRST_ENDPOINTS = [
  'POST /payments/cards',
  'GET /payments/cards',
  'PUT /payments/cards/{card_id}',
  'DELETE /payments/cards/{card_id}',
  'GET /payments/billing-information',
  'PUT /payments/billing-information',
  'GET /payments/orders',
  'PUT /payments/orders/{invoice_id}/pay',
  'POST /payments/addresses',
  'GET /payments/addresses',
  'PUT /payments/addresses/{address_id}',
  'DELETE /payments/addresses/{address_id}',
  'POST /labels',
  'GET /labels',
  'GET /labels/{label_id}',
  'PUT /labels/{label_id}',
  'DELETE /labels',
  'POST /auth/signup/admin',
  'POST /auth/signup/customer',
  'POST /auth/local',
];

/**
 * Reads the routes from Fastify's printed tree: each level is indented by four characters and extends the path of the
 * level above.
 */
function readRoutes(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (segment === '') return [];
    const depth = indent.length / 4;
    above.length = depth;
    above[depth] = (above[depth - 1] ?? '') + segment;
    return methods.split(', ').flatMap((method) => (method === '' ? [] : [`${method} ${above[depth]}`]));
  });
}

describe('who may call', () => {
  // Security (Accounts and permissions): Every operation refuses a missing token
  test.each(guarded)('%s without a token is 401', async (route) => {
    expectRefusal(await send(route), 401, 'unauthenticated');
  });

  // Security (Accounts and permissions): Every operation refuses a garbage token
  test.each(guarded)('%s with a garbage token is 401', async (route, entry) => {
    const { token = '' } = allowed(entry);
    const flipped = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`;
    const headers = ['Bearer', 'Bearer x', 'x', 'Bearer a.b.c', `Bearer ${flipped}`, flipped, `Basic ${token}`];
    for (const authorization of [...headers, `Bearer ${token} x`, `Bearer opk_${'x'.repeat(43)}`, '']) {
      expectRefusal(await send(route, { headers: { authorization } }), 401, 'unauthenticated');
    }
  });

  // Security (Accounts and permissions): Every operation accepts a valid token, with and without Bearer
  test.each(guarded)('%s takes the token with and without Bearer', async (route, entry) => {
    const { token = '' } = allowed(entry);
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, token]) {
      // With a valid token, a read succeeds, and a write fails only at the media type or the path id.
      const headers = { authorization, 'content-type': 'text/plain' };
      const reads = splitRoute(route).method === 'GET';
      if (reads) expect([200, 404]).toContain((await send(route, { headers })).status);
      else expectRefusal(await send(route, { headers, rawBody: 'x' }), 415, 'unsupported_media_type');
    }
  });

  test.each(permitted)('%s is 403 for a customer, who has no permission', async (route) => {
    expectRefusal(await send(route, { token: world.customer.token }), 403, 'forbidden');
  });

  test.each([...permitted, ...routesWhere(({ access }) => access === 'user')])(
    '%s is 403 for an operator key',
    async (route) => {
      expectRefusal(await send(route, { token: world.service.operatorKey }), 403, 'forbidden');
    },
  );

  test.each(operators)('%s is 403 for the token of a company and of a customer', async (route) => {
    expectRefusal(await send(route, { token: world.admin.token }), 403, 'forbidden');
    expectRefusal(await send(route, { token: world.customer.token }), 403, 'forbidden');
  });
});

// Security (HTTP, and what all share): Two companies stay separate on every route
// ASVS 8.2.2
describe('another company’s row is unknown', () => {
  // The operator may access the rows of every company.
  // Security (Tenants): On every route, another company's id gets the same answer as an unknown id, and its row does not change
  test.each(withId.filter(([, { access }]) => access !== 'operator'))(
    '%s with the id of another company is the 404 of a random id, and changes nothing',
    async (route, entry) => {
      const { names, body } = entry as BatteryCase & { names: Named };
      const foreignId = await names.make(world.service, world.other);
      const before = await readRow(names.table, foreignId);
      const request = { ...allowed(entry), ...(body ? { body: body(world) } : {}) };
      const foreign = await send(route, request, foreignId);
      const random = await send(route, request, randomUUID());
      expectRefusal(foreign, 404, 'not_found');
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(random));
      expect(await readRow(names.table, foreignId)).toBe(before);
      expect(before).toContain(foreignId);
    },
  );

  const known = withId.filter(([, { takesUnknownIds }]) => takesUnknownIds === undefined);
  test.each(known)('%s with an id that names nothing is 404, wherever in the path it is', async (route, entry) => {
    const request = { ...allowed(entry), ...(entry.body ? { body: entry.body(world) } : {}) };
    const ids = await makePathIds(world, entry);
    for (const index of ids.keys())
      expectRefusal(await sendTo(route, ids.with(index, randomUUID()), request), 404, 'not_found');
  });

  test.each(withId.filter(([, { within }]) => within !== undefined))(
    '%s with the ids of another company before the last one is 404, and changes nothing',
    async (route, entry) => {
      const { names, within, body } = entry as Required<BatteryCase>;
      const last = await names.make(world.service, world.admin);
      const before = await readRow(names.table, last);
      const foreign = within({ ...world, admin: world.other });
      const request = { ...allowed(entry), ...(body ? { body: body(world) } : {}) };
      expectRefusal(await sendTo(route, [...foreign, last], request), 404, 'not_found');
      expect(await readRow(names.table, last)).toBe(before);
      expect(before).toContain(last);
    },
  );

  // Security (Bodies, paths and queries): A path id that is not a UUID is 404
  test.each(withId)('%s with an id that is not a UUID is 404', async (route, entry) => {
    const request = { ...allowed(entry), ...(entry.body ? { body: entry.body(world) } : {}) };
    const almost = randomUUID().slice(0, -1);
    for (const id of [
      'x',
      '1',
      almost,
      `${almost}g`,
      `${almost}00`,
      `{${randomUUID()}}`,
      "'",
      '..%2f',
      'x'.repeat(2_000),
    ]) {
      for (const index of idIndexesOf(route)) {
        expectRefusal(await send(route, request, id, index), 404, 'not_found');
      }
    }
  });

  test.each(withId)('%s with an id in capitals is the same id', async (route, entry) => {
    const { names, body } = entry as BatteryCase & { names: Named };
    const id = await names.make(world.service, world.admin);
    const answer = await send(route, { ...allowed(entry), ...(body ? { body: body(world) } : {}) }, id.toUpperCase());
    expect([200, 201, 204, 402]).toContain(answer.status);
  });

  // Security (Bodies, paths and queries): `%00` in a path is 400
  test.each(withId)('%s with U+0000 or bytes that are not UTF-8 in the path is 400', async (route, entry) => {
    const request = { ...allowed(entry), ...(entry.body ? { body: entry.body(world) } : {}) };
    for (const id of ['%00', `${randomUUID()}%00`, '%ff', '%ed%a0%80', '%zz', '%']) {
      for (const index of idIndexesOf(route)) {
        expectRefusal(await send(route, request, id, index), 400, 'invalid_request');
      }
    }
  });

  // Security (Tenants): A card with another company's address is 400, and no row is written
  test('a card with another company’s addressId is 400 on addressId and is not saved', async () => {
    const newcomer = await signUpAdmin(world.service);
    const foreignAddress = await saveAddress(world.service, world.other);
    const request = (addressId: string) => ({ token: newcomer.token, body: cardBody(addressId) });
    const foreign = await send('POST /payments/cards', request(foreignAddress));
    const random = await send('POST /payments/cards', request(randomUUID()));
    expectRefusal(foreign, 400, 'invalid_request');
    expect(foreign.body.error.details[0].field).toBe('addressId');
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(random));
    expect((await world.service.call('GET', '/payments/cards', { token: newcomer.token })).body).toEqual([]);
  });

  // Security (Tenants): A bulk delete leaves other companies' labels and does not reveal which they are
  test('a bulk delete of own and foreign labels keeps the foreign one and does not reveal which it was', async () => {
    const { names } = BATTERY['GET /labels/:label_id'] as BatteryCase & { names: Named };
    const own = await names.make(world.service, world.admin);
    const foreign = await names.make(world.service, world.other);
    const before = await readRow('labels', foreign);
    const { token } = world.admin;
    const answer = await send('DELETE /labels', { token, body: { label_ids: [foreign, own, randomUUID()] } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await readRow('labels', foreign)).toBe(before);
    expect(await readRow('labels', own)).toBeUndefined();
  });

  test('the receipt of another company’s invoice is not found', async () => {
    const { names } = BATTERY['PUT /payments/orders/:invoice_id/pay'] as BatteryCase & { names: Named };
    const foreign = await names.make(world.service, world.other);
    const { body } = await world.service.call('GET', `/payments/orders?receipt=${foreign}`, {
      token: world.admin.token,
    });
    expect([body.total, body.data]).toEqual([0, []]);
  });
});

async function readRow(table: string, id: string): Promise<string | undefined> {
  const { owner } = world.service.database;
  const [row] = await owner`SELECT row_to_json(kept)::text AS text FROM ${owner(table)} AS kept WHERE id = ${id}`;
  return row?.text;
}

function withoutRequestId({ status, body, headers }: Answer) {
  const { requestId, ...error } = body.error;
  const varying = ['x-request-id', 'date', 'ratelimit'];
  const kept = [...headers].filter(([name]) => !varying.includes(name));
  return { status, body: { ...body, error }, headers: Object.fromEntries(kept), requestIdType: typeof requestId };
}

describe('requirements for a body', () => {
  // Security (Methods, media types and idempotency keys): A body with another media type, or none, is 415
  test.each(withContent)('%s with another media type, or none, is 415', async (route, entry) => {
    const body = JSON.stringify(entry.body?.(world) ?? {});
    const types = [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'json',
      '*/*',
    ];
    for (const type of [...types, 'multipart/form-data; boundary=x', 'application/json; charset=utf-16']) {
      const answer = await send(route, { ...allowed(entry), rawBody: body, headers: { 'content-type': type } });
      expectRefusal(answer, 415, 'unsupported_media_type');
    }
    const untyped = await send(route, { ...allowed(entry), rawBody: new TextEncoder().encode(body) });
    expectRefusal(untyped, 415, 'unsupported_media_type');
  });

  test.each(withContent)(
    '%s with a body of more than 1 MiB, or of what the route accepts, is 413',
    async (route, entry) => {
      const answer = await send(route, { ...allowed(entry), rawBody: oversizeOf(route), headers: JSON_TYPE });
      expectRefusal(answer, 413, 'payload_too_large');
    },
  );

  test.each(withContent)('%s with JSON that does not parse is 400', async (route, entry) => {
    for (const rawBody of ['{', '{"a":1,}', 'x', "{'a':1}", '{} {}', 'NaN', '[1', '"\\x"', '\u0000', ' ', '{"a":01}']) {
      const answer = await send(route, { ...allowed(entry), rawBody, headers: JSON_TYPE });
      expectRefusal(answer, 400, 'invalid_request');
    }
  });

  test.each(withBody)(
    '%s without a body that it needs, or with a body that is not an object, is 400',
    async (route, entry) => {
      const { bodyIsOptional = false } = operationOf(world, route);
      if (!bodyIsOptional) expectRefusal(await send(route, allowed(entry)), 400, 'invalid_request');
      for (const rawBody of [...(bodyIsOptional ? [] : ['', 'null']), '[]', '"x"', '1', 'true']) {
        const answer = await send(route, { ...allowed(entry), rawBody, headers: JSON_TYPE });
        expectRefusal(answer, 400, 'invalid_request');
      }
    },
  );

  // Security (Methods, media types and idempotency keys): An empty body of any type is accepted where a body is not needed
  test.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
    'pay, deletes and logout accept an empty body, also as %s',
    async (type) => {
      const headers = { 'content-type': type };
      const { service, admin } = world;
      const leaver = await signUpAdmin(service);
      const routes = routesWhere(
        ({ access, body }, method) => access !== 'operator' && body === undefined && method !== 'GET',
      );
      // One after the other, because one of them ends all other sessions.
      for (const [route, { names }] of routes) {
        const id = await names?.make(service, admin);
        const token = route === 'POST /auth/logout' ? leaver.token : admin.token;
        const { status } = await send(route, { token, headers, rawBody: '' }, id);
        const accepted = Object.keys(operationOf(world, route).response).map(Number);
        // A charge may be declined.
        expect([...accepted, 402], route).toContain(status);
      }
    },
  );
});

describe('paths and methods', () => {
  const paths = [...new Set(Object.keys(BATTERY).map((route) => splitRoute(route).url))];

  // Security (Methods, media types and idempotency keys): An unsupported method is 405 with `Allow`
  test.each(paths)('%s answers 405 with Allow for every method that it does not have', async (url) => {
    const routes = Object.keys(BATTERY).map(splitRoute);
    const known = routes.filter((route) => route.url === url).map(({ method }) => method);
    const heads = known.includes('GET') ? ['HEAD'] : [];
    const lacking = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'QUERY'].filter(
      (method) => !known.includes(method),
    );
    for (const method of lacking) {
      const answer = await world.service.call(method, fillPath(url));
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe([...known, ...heads].sort().join(', '));
    }
  });

  test('an unknown path is 404 for every method', async () => {
    for (const path of ['/nothing', '/labels/x/y', '/LABELS', '/payments', '/auth', '/operator', '/%6e', '/labels//']) {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY']) {
        expectRefusal(await world.service.call(method, path), 404, 'not_found');
      }
    }
  });
});

describe('the order of errors: 404, 405, 401, 403, 415 and 413, 400, then the resource’s own', () => {
  const wrongType = { rawBody: '{', headers: { 'content-type': 'text/plain' } };
  const oversize = { rawBody: OVERSIZE, headers: JSON_TYPE };
  const unparsable = { rawBody: '{', headers: JSON_TYPE };

  test('an unknown path is reported before every other error', async () => {
    for (const wrong of [wrongType, oversize, unparsable]) {
      expectRefusal(await world.service.call('POST', '/nothing/%00?page=%00', wrong), 404, 'not_found');
    }
  });

  test.each(withContent)('a wrong method is reported before the token and the body of %s', async (route) => {
    const { url } = splitRoute(route);
    for (const wrong of [wrongType, oversize, unparsable]) {
      expectRefusal(await world.service.call('PATCH', `${fillPath(url)}?page=%00`, wrong), 405, 'method_not_allowed');
    }
  });

  test.each(guarded)(
    'on %s the token is checked before the media type, the size, the JSON, the query and the id',
    async (route) => {
      const { method, url } = splitRoute(route);
      const wrongs = method === 'GET' ? [{}] : [wrongType, oversize, unparsable];
      for (const wrong of wrongs) {
        const query = '?page=0&current_page=0&name=%00';
        expectRefusal(await world.service.call(method, fillPath(url, 'x') + query, wrong), 401, 'unauthenticated');
      }
    },
  );

  test.each(permitted)(
    'on %s the permission is checked before the media type, the size, the JSON, the query and the id',
    async (route) => {
      const { method, url } = splitRoute(route);
      const { token } = world.customer;
      const wrongs = method === 'GET' ? [{}] : [wrongType, oversize, unparsable];
      for (const wrong of wrongs) {
        const query = '?page=0&current_page=0&name=%00';
        expectRefusal(
          await world.service.call(method, fillPath(url, 'x') + query, { ...wrong, token }),
          403,
          'forbidden',
        );
      }
    },
  );

  test.each(withContent)(
    'on %s the media type and the size are checked before invalid fields and unknown ids',
    async (route, entry) => {
      const type = await send(route, { ...allowed(entry), ...wrongType }, 'x');
      expectRefusal(type, 415, 'unsupported_media_type');
      const tooLarge = { ...oversize, rawBody: oversizeOf(route) };
      expectRefusal(await send(route, { ...allowed(entry), ...tooLarge }, 'x'), 413, 'payload_too_large');
      expectRefusal(await send(route, { ...allowed(entry), ...unparsable }, 'x'), 400, 'invalid_request');
    },
  );

  test.each(withId.filter(([, { body }]) => body))(
    'on %s invalid fields are reported before unknown ids',
    async (route, entry) => {
      const invalid = { ...allowed(entry), body: [] };
      for (const id of ['x', randomUUID()]) expectRefusal(await send(route, invalid, id), 400, 'invalid_request');
    },
  );
});
