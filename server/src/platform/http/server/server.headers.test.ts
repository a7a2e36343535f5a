import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BATTERY,
  credentialFor,
  expectRefusal,
  fillPath,
  OUTSIDE_THE_BATTERY,
  prepareWorld,
  routesWhere,
  splitRoute,
  type World,
} from '../../../../test/battery/battery.ts';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

let world: World;
let behindProxy: TestService;
beforeAll(async () => {
  [world, behindProxy] = await Promise.all([
    startTestService().then(prepareWorld),
    startTestService({ trustedProxies: ['127.0.0.1'] }),
  ]);
});
afterAll(() => Promise.all([world?.service.stop(), behindProxy?.stop()]));

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** What is read with a credential. */
const reads = routesWhere(({ access }, method) => method === 'GET' && access !== 'public');

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return world.service.call('GET', path, { headers, token: world.admin.token });
}

describe('X-Request-Id', () => {
  const request = (id: string) => ({ 'x-request-id': id });

  test.each(['x', '1', '0198f2d4', '!"#$%&()*+,-./:;<=>?@[]^_`{|}~', 'a'.repeat(128), randomUUID()])(
    'an incoming id of visible ASCII characters is kept: %s',
    async (id) => {
      for (const path of ['/labels', '/labels/x', '/nothing', '/healthz', '/labels/%zz']) {
        expect((await get(path, request(id))).headers.get('x-request-id')).toBe(id);
      }
      expect(world.service.logs()).toContain(JSON.stringify(id));
    },
  );

  test.each(['', 'a'.repeat(129), 'a b', 'a\tb', 'é', 'a'.repeat(8_000), 'x, y'])(
    'another one is replaced: %j',
    async (id) => {
      for (const path of ['/labels', '/nothing']) {
        expect((await get(path, request(id))).headers.get('x-request-id')).toMatch(UUID);
      }
    },
  );

  test('without one, every answer has its own', async () => {
    const answers = await Promise.all(
      ['/labels', '/labels', '/nothing', '/labels?per_page=0'].map((path) => get(path)),
    );
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  // Security (HTTP, and what all share): Every answer of every test has the one shape of errors; its request id is that of the header
  test.each(Object.keys(BATTERY))("%s: an error's request id is that of the header", async (route) => {
    const { method, url } = splitRoute(route);
    const { admin, service } = world;
    const wrong = { rawBody: 'x', headers: { 'content-type': 'text/plain', 'x-request-id': 'followed-1' } };
    const headers = { 'x-request-id': 'followed-1' };
    const answers = await Promise.all([
      service.call(method, fillPath(url), method === 'GET' ? { headers } : { ...wrong }),
      service.call(method, fillPath(url), { ...(method === 'GET' ? { headers } : wrong), token: admin.token }),
      service.call('PATCH', fillPath(url), { headers }),
    ]);
    for (const { status, body, headers } of answers) {
      expect(headers.get('x-request-id')).toBe('followed-1');
      if (status >= 400) expect(body.error.requestId).toBe('followed-1');
    }
  });
});

describe('security headers', () => {
  const PATHS = [
    '/labels',
    '/payments/cards',
    '/labels/x',
    '/nothing',
    '/healthz',
    '/metrics',
    '/labels/%zz',
    '/auth/x',
  ];

  // Security (HTTP, and what all share): Answers have protective headers, and none about the software
  test.each(PATHS)('%s: nosniff, no framing, no referrer, and nothing about the software', async (path) => {
    const { headers } = await get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([headers.get('server'), headers.get('x-powered-by'), headers.get('via')]).toEqual([null, null, null]);
  });

  // Security (HTTP, and what all share): No answer may be cached; each has its type and charset
  test.each(Object.entries(BATTERY))('%s is never cached', async (route, entry) => {
    const { method, url } = splitRoute(route);
    // Logging out ends the caller's session.
    const token = entry.access === 'user' ? (await signUpAdmin(world.service)).token : credentialFor(world, entry);
    const answer = await world.service.call(method, fillPath(url), token === undefined ? {} : { token });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const isFile = answer.status === 200 && url.endsWith('.csv');
    const type = answer.status === 204 ? null : isFile ? 'text/csv' : 'application/json; charset=utf-8';
    expect(answer.headers.get('content-type')).toBe(type);
  });

  test('a sign-up, which has no token to send, is not cached either', async () => {
    const body = BATTERY['POST /auth/signup/admin']?.body?.(world);
    const { headers } = expectStatus(await world.service.call('POST', '/auth/signup/admin', { body }), 201);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  // Security (HTTP, and what all share): Answers over TLS have HSTS
  test('HSTS is sent only under TLS, which a trusted proxy reports', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const trusted = await behindProxy.call('GET', '/healthz', { headers });
    expect(trusted.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
    const plain = await behindProxy.call('GET', '/healthz');
    const untrusted = await get('/healthz', headers);
    for (const answer of [plain, untrusted]) expect(answer.headers.get('strict-transport-security')).toBeNull();
  });
});

describe('WWW-Authenticate', () => {
  test('is on every 401, also of the login, and on nothing else', async () => {
    const { service, admin } = world;
    const login = { body: { email: admin.email, password: 'Wrong-password-1' } };
    expectRefusal(await service.call('POST', '/auth/local', login), 401, 'invalid_credentials');
    expectRefusal(await service.call('GET', '/labels'), 401, 'unauthenticated');
    expect((await get('/labels/x')).headers.get('www-authenticate')).toBeNull();
    expect(
      (await service.call('GET', '/labels', { token: world.customer.token })).headers.get('www-authenticate'),
    ).toBeNull();
  });
});

describe('HEAD', () => {
  test.each(reads)('%s answers HEAD as it answers GET, without the body', async (route, entry) => {
    const { url } = splitRoute(route);
    const id = await entry.names?.make(world.service, world.admin);
    const path = fillPath(url, ...(entry.within?.(world) ?? []), id);
    const address = `${world.service.url}${path}${entry.query === undefined ? '' : `?${entry.query}`}`;
    const headers = { authorization: `Bearer ${credentialFor(world, entry)}` };
    const head = await fetch(address, { method: 'HEAD', headers });
    const full = await fetch(address, { headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(full.headers.get('content-type'));
    const { byteLength } = await full.arrayBuffer();
    // What is written part by part has no length beforehand.
    const length = full.headers.get('transfer-encoding') === 'chunked' ? null : String(byteLength);
    expect(head.headers.get('content-length')).toBe(length);
    const refused = await fetch(address, { method: 'HEAD' });
    expect([refused.status, refused.headers.get('www-authenticate'), await refused.text()]).toEqual([
      401,
      'Bearer',
      '',
    ]);
  });

  test('the paths for machines support HEAD too', async () => {
    const paths = world.service.operations.map(({ url }) => url).filter((url) => OUTSIDE_THE_BATTERY.test(url));
    expect(paths.length).toBeGreaterThan(3);
    const headers = { authorization: `Bearer ${world.service.operatorKey}` };
    for (const path of paths)
      expect((await fetch(world.service.url + path, { method: 'HEAD', headers })).status, path).toBe(200);
  });
});

describe('the shape of errors', () => {
  test('/auth adds "data": null, and nothing else does', async () => {
    const { service } = world;
    const answers = [
      await service.call('POST', '/auth/local', { body: {} }),
      await service.call('POST', '/auth/signup/admin', { body: [] }),
      await service.call('POST', '/auth/logout'),
      await service.call('GET', '/auth/local'),
      await service.call('GET', '/auth/nothing'),
      await service.call('GET', '/auth/%zz'),
      await service.call('POST', '/auth/local', { rawBody: 'x', headers: { 'content-type': 'text/plain' } }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body.data).toBeNull();
    }
    for (const path of ['/labels/x', '/nothing', '/authx/y', '/labels?per_page=0']) {
      expect(Object.keys((await get(path)).body)).toEqual(['error']);
    }
  });

  test('details is always a list, and names each field once per rule', async () => {
    const none = await get('/nothing');
    expect(none.body.error.details).toEqual([]);
    const body = { info: { expMonth: 13, expYear: 'x' } };
    const { error } = (await world.service.call('POST', '/payments/cards', { token: world.admin.token, body })).body;
    const fields = error.details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(
      expect.arrayContaining(['addressId', 'info.cardName', 'info.cvv', 'info.expMonth', 'info.expYear']),
    );
    for (const detail of error.details) expect(Object.keys(detail)).toEqual(['field', 'message']);
    expect(error.message).toContain(fields[0]);
  });

  test('a card number or security code is never repeated in an error', async () => {
    const { token } = world.admin;
    const info = {
      cardName: '4242424242424241',
      cardNumber: '4242424242424241',
      expMonth: 12,
      expYear: 2090,
      cvv: 'canary-1',
      country: 'GB',
    };
    for (const wrong of [
      {},
      { expMonth: 0 },
      { cvv: 'canary-2' },
      { cardNumber: '42424242424242424242' },
      { expYear: 2001 },
    ]) {
      const body = { addressId: world.addressId, info: { ...info, ...wrong } };
      const answer = await world.service.call('POST', '/payments/cards', { token, body });
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.text).not.toMatch(/42424242|canary/);
    }
    expect(world.service.logs()).not.toMatch(/42424242|canary/);
  });
});
