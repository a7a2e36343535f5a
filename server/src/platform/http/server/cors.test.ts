import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { type Actor, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

const LISTED = ['https://app.example.com', 'http://localhost:5173'];
const UNLISTED = [
  'https://evil.example.com',
  'https://app.example.com.evil.com',
  'http://app.example.com',
  'null',
  'https://app.example.com:8443',
].concat('https://APP.example.com', 'https://app.example.com/', '*', 'https://sub.app.example.com');

let closed: TestService;
let open: TestService;
let admin: Actor;
beforeAll(async () => {
  [closed, open] = await Promise.all([startTestService(), startTestService({ corsOrigins: LISTED })]);
  admin = await signUpAdmin(open);
});
afterAll(() => Promise.all([closed?.stop(), open?.stop()]));

const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const preflight = (origin: string) => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
});

// Security (HTTP, and what all share): Without configuration there are no CORS headers and no preflight
describe('without CORS_ORIGINS', () => {
  test.each([...LISTED, ...UNLISTED])('no answer to %s has a CORS header', async (origin) => {
    for (const path of ['/labels', '/healthz', '/nothing', '/openapi.json']) {
      const { headers } = await closed.call('GET', path, { headers: { origin } });
      expect(corsHeaders(headers)).toEqual([]);
    }
  });

  test('a preflight is refused', async () => {
    const answer = await closed.call('OPTIONS', '/labels', { headers: preflight(LISTED[0] ?? '') });
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(corsHeaders(answer.headers)).toEqual([]);
    expectRefusal(await closed.call('OPTIONS', '/nothing', { headers: preflight(LISTED[0] ?? '') }), 404, 'not_found');
  });
});

describe('with CORS_ORIGINS', () => {
  test.each(LISTED)('%s may call, and read the headers that it needs', async (origin) => {
    const paths = ['/labels', '/labels/x', '/nothing', '/labels?per_page=0', '/labels/%00'];
    const answers = await Promise.all([
      ...paths.map((path) => open.call('GET', path, { headers: { origin }, token: admin.token })),
      open.call('GET', '/labels', { headers: { origin } }),
      open.call('PATCH', '/labels', { headers: { origin } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 400, 400, 401, 405]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
      expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toMatch(/\borigin\b/i);
    }
  });

  test.each(LISTED)('a preflight of %s is answered without a token', async (origin) => {
    const { status, headers, text } = await open.call('OPTIONS', '/labels', { headers: preflight(origin) });
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'POST', 'PUT']);
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'x-request-id']),
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  // Security (HTTP, and what all share): An origin that is not listed gets none; credentials are never allowed
  test.each(UNLISTED)('%s gets no CORS header, and its preflight is refused', async (origin) => {
    const read = await open.call('GET', '/labels', { headers: { origin }, token: admin.token });
    const asked = await open.call('OPTIONS', '/labels', { headers: preflight(origin) });
    expect(read.status).toBe(200);
    expectRefusal(asked, 405, 'method_not_allowed');
    for (const { headers } of [read, asked]) {
      expect(corsHeaders(headers)).toEqual([]);
      expect(headers.get('vary')).toMatch(/\borigin\b/i);
    }
  });

  test('a call without an origin is no matter of CORS', async () => {
    const { status, headers } = await open.call('GET', '/labels', { token: admin.token });
    expect([status, corsHeaders(headers)]).toEqual([200, []]);
    expectRefusal(await open.call('OPTIONS', '/labels'), 405, 'method_not_allowed');
  });
});
