import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { createApiKey } from '../../../../test/identity/api-keys.ts';
import { codeIn, openSession } from '../../../../test/identity/customer-sessions.ts';
import { isOpenToCustomerSessions } from '../../customer-session-scope.ts';

const SHOP = 'https://shop.example.com';
const LISTED = 'https://listed.example.com';
const STRANGERS = [
  'https://evil.example',
  'https://shop.example.com.evil.example',
  'http://shop.example.com',
  'https://shop.example.com:8443',
  'https://shop.example.com/',
  'https://SHOP.example.com',
  'null',
  '*',
];

let service: TestService;
let admin: Actor;
let token: string;
beforeAll(async () => {
  service = await startTestService({ publicUrl: 'https://billing.example.com' });
  await allow(service, [SHOP]);
  admin = await signUpAdmin(service);
  ({ token } = await openSession(service, admin.companyId));
});
afterAll(() => service?.stop());

async function allow({ call, operatorKey }: TestService, allowedOrigins: string[]): Promise<void> {
  expectStatus(await call('PUT', '/operator/integration', { token: operatorKey, body: { allowedOrigins } }), 200);
}

const corsHeaders = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const originOf = ({ headers }: Answer) => headers.get('access-control-allow-origin');
const from = (origin: string, request: { token?: string; body?: object } = {}) => ({ ...request, headers: { origin } });
const preflight = (path: string, method: string, origin = SHOP, to = service) =>
  to.call('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });

// Security (HTTP, and what all share): Pages of allowed origins may send the tokens of customer sessions, and no other credential
describe('an answer to a customer session’s token', () => {
  it('may be read by a page of an allowed origin, errors included', async () => {
    const get = (path: string) => service.call('GET', path, from(SHOP, { token }));
    const answers = await Promise.all([
      ...['/payments/orders', '/payments/orders/x', '/payments/orders?page=0', '/payments/orders/%00'].map(get),
      ...['/labels', '/company/members', '/nothing'].map(get),
      service.call('PATCH', '/payments/orders', from(SHOP, { token })),
      service.call('POST', '/payments/cards', from(SHOP, { token, body: {} })),
      service.call('PUT', '/company', from(SHOP, { token, body: {} })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 400, 403, 403, 404, 405, 400, 403]);
    for (const answer of answers) {
      expect(originOf(answer)).toBe(SHOP);
      expect(answer.headers.get('vary')).toContain('Origin');
      expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('so may the 401 of a session that has ended', async () => {
    const ended = await openSession(service, admin.companyId);
    const path = `/operator/companies/${admin.companyId}/sessions/${ended.id}`;
    expectStatus(await service.call('DELETE', path, { token: service.operatorKey }), 204);
    const answer = expectStatus(await service.call('GET', '/company', from(SHOP, { token: ended.token })), 401);
    expect(originOf(answer)).toBe(SHOP);
  });

  it('so may that to the token of its link', async () => {
    const body = { code: codeIn(await openSession(service, admin.companyId)) };
    const opened = await service.call('POST', '/auth/session', from(SHOP, { body }));
    expect(corsHeaders(opened)).toEqual([]);
    const { access_token: access } = expectStatus(opened, 200).body.data;
    expect(originOf(await service.call('GET', '/company', from(SHOP, { token: access })))).toBe(SHOP);
  });

  it.each(STRANGERS)('may not be read by a page of %s', async (origin) => {
    const answer = await service.call('GET', '/company', from(origin, { token }));
    expect([answer.status, corsHeaders(answer)]).toEqual([200, []]);
    expect(corsHeaders(await preflight('/company', 'GET', origin))).toEqual([]);
  });

  it('has no such header without an origin', async () => {
    expect(corsHeaders(await service.call('GET', '/company', { token }))).toEqual([]);
  });
});

describe('no page may read', () => {
  it('an answer to another credential, or to none', async () => {
    const { key } = await createApiKey(service, admin);
    for (const [path, credential] of [
      ['/company', admin.token],
      ['/company', key],
      ['/company', 'x.e30.x'],
      ['/company', undefined],
      ['/operator/companies', service.operatorKey],
      ['/labels', service.operatorKey],
      ['/healthz', undefined],
    ] as const) {
      const answer = await service.call('GET', path, from(SHOP, credential === undefined ? {} : { token: credential }));
      expect([path, corsHeaders(answer)]).toEqual([path, []]);
    }
  });

  it('an answer under /operator or /auth, however the path is written', async () => {
    for (const path of [
      '/operator/companies',
      '/auth/me',
      '/auth/sessions',
      '/operator/x',
      '/auth/x',
      '/%6fperator/x',
    ]) {
      const answer = await service.call('GET', path, from(SHOP, { token }));
      expect([path, corsHeaders(answer)]).toEqual([path, []]);
    }
    const answer = await service.call('GET', '/%6fperator/companies', from(SHOP, { token }));
    expect([answer.status === 403 || answer.status === 404, corsHeaders(answer)]).toEqual([true, []]);
  });
});

describe('a preflight', () => {
  it('is answered for exactly the routes that are open to customer sessions', async () => {
    for (const operation of service.operations) {
      const { method, url } = operation;
      const answer = await preflight(url.replace(/:\w+/g, crypto.randomUUID()), method);
      const isAllowed = originOf(answer) === SHOP;
      expect([method, url, isAllowed]).toEqual([method, url, isOpenToCustomerSessions(operation)]);
      expect(answer.status).toBe(isAllowed ? 204 : 405);
    }
  });

  it('names the methods that are open, and what may be sent', async () => {
    const { headers } = expectStatus(await preflight('/payments/billing-information', 'PUT'), 204);
    expect(headers.get('access-control-allow-methods')?.split(', ').sort()).toEqual(['GET', 'PUT']);
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    for (const [path, method] of [
      ['/payments/billing-information', 'DELETE'],
      ['/labels/assignments', 'GET'],
      ['/nothing', 'GET'],
    ] as const)
      expect(corsHeaders(await preflight(path, method))).toEqual([]);
  });
});

it('a change of the origins holds from the answer on', async () => {
  const ask = async () => originOf(await service.call('GET', '/company', from(SHOP, { token })));
  expect(await ask()).toBe(SHOP);
  await allow(service, ['https://other.example.com']);
  expect(await ask()).toBeNull();
  expect(originOf(await preflight('/company', 'GET'))).toBeNull();
  await allow(service, [SHOP]);
  expect(await ask()).toBe(SHOP);
});

it('CORS_ORIGINS stays what it is beside them', async () => {
  const both = await startTestService({ corsOrigins: [LISTED] });
  try {
    await allow(both, [SHOP]);
    const member = await signUpAdmin(both);
    const session = await openSession(both, member.companyId);
    const ask = async (origin: string, credential: string) =>
      originOf(await both.call('GET', '/company', from(origin, { token: credential })));
    expect(await ask(LISTED, member.token)).toBe(LISTED);
    expect(await ask(LISTED, session.token)).toBe(LISTED);
    expect(await ask(SHOP, session.token)).toBe(SHOP);
    expect(await ask(SHOP, member.token)).toBeNull();
    expect(originOf(await preflight('/company', 'PUT', LISTED, both))).toBe(LISTED);
    expect(originOf(await preflight('/company', 'GET', SHOP, both))).toBe(SHOP);
    expect(originOf(await preflight('/company', 'PUT', SHOP, both))).toBeNull();
    expect(originOf(await preflight('/operator/companies', 'GET', SHOP, both))).toBeNull();
  } finally {
    await both.stop();
  }
});
