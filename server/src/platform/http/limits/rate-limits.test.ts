import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { type Actor, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer, Request } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { GATEWAYS } from '../../../gateways/gateways.ts';
import { readConfig } from '../../config/config.ts';

const LIMIT = 8;

let service: TestService;
let behindProxy: TestService;
let unlimited: TestService;
let actors: Actor[];
beforeAll(async () => {
  [service, behindProxy, unlimited] = await Promise.all([
    startTestService({ rateLimitPerMinute: LIMIT }),
    startTestService({ rateLimitPerMinute: LIMIT, trustedProxies: ['127.0.0.1'] }),
    startTestService(),
  ]);
  // Sign-ups count for the address, so there can be only a few.
  actors = await Promise.all([signUpAdmin(service), signUpAdmin(service), signUpAdmin(service)]);
});
afterAll(() => Promise.all([service, behindProxy, unlimited].map((one) => one?.stop())));

const tokenOf = (index: number): string => actors[index]?.token ?? '';

/** Reads labels until refused. A minute may end meanwhile, which restarts the count. */
async function exhaust(request: Request, on = service): Promise<Answer> {
  for (let sent = 0; sent <= LIMIT * 3; sent += 1) {
    const answer = await on.call('GET', '/labels', request);
    if (answer.status === 429) return answer;
  }
  throw new Error('never refused');
}

describe('too many requests', () => {
  test('answers say how many are left, and of how many (RateLimit, RateLimit-Policy)', async () => {
    const left: number[] = [];
    for (let sent = 0; sent < 3; sent += 1) {
      const { headers } = await service.call('GET', '/labels', { token: tokenOf(0) });
      expect(headers.get('ratelimit-policy')).toBe(`"requests";q=${LIMIT};w=60`);
      const [, remaining, seconds] = /^"requests";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThanOrEqual(1);
      expect(Number(seconds)).toBeLessThanOrEqual(60);
      expect(headers.get('retry-after')).toBeNull();
      left.push(Number(remaining));
    }
    expect(left[2]).toBeLessThan(LIMIT);
    expect(left[0]).toBeLessThan(LIMIT);
  });

  // Security (HTTP, and what all share): 429 has `Retry-After`, `RateLimit` and `RateLimit-Policy`
  test('one more is 429 with Retry-After in the usual error shape, and so are the ones after it', async () => {
    const first = await exhaust({ token: tokenOf(0) });
    for (const answer of [first, await exhaust({ token: tokenOf(0) })]) {
      expectRefusal(answer, 429, 'rate_limited');
      expect(answer.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
      expect(answer.headers.get('ratelimit-policy')).toBe(`"requests";q=${LIMIT};w=60`);
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(answer.headers.get('ratelimit')).toContain(`t=${seconds}`);
    }
  });

  test('a refused request has no effect', async () => {
    const { token } = actors[0] ?? { token: '' };
    await exhaust({ token });
    const body = { name: 'Refused', description: 'x', color: '#fff', userName: 'x' };
    const answer = await service.call('POST', '/labels', { token, body });
    const { owner } = service.database;
    const [row] = await owner`SELECT count(*)::int AS count FROM labels WHERE name = 'Refused'`;
    expect(row?.count).toBe(answer.status === 201 ? 1 : 0);
  });
});

describe('requests are counted by token, else by address', () => {
  test('one token does not use up another’s limit, though they share an address', async () => {
    await exhaust({ token: tokenOf(0) });
    const { headers } = await service.call('GET', '/labels', { token: tokenOf(1) });
    expect(remaining(headers)).toBeGreaterThan(0);
  });

  test('a token is the same with and without Bearer', async () => {
    await exhaust({ token: tokenOf(1) });
    const bare = await service.call('GET', '/labels', { headers: { authorization: tokenOf(1) } });
    expect(remaining(bare.headers)).toBe(0);
  });

  test('requests without a valid token are counted by address: a new garbage token each time does not help', async () => {
    let refused: Answer | undefined;
    for (let sent = 0; sent <= LIMIT * 3 && refused === undefined; sent += 1) {
      const answer = await service.call('GET', '/labels', { token: `garbage.${sent}.x` });
      if (answer.status === 429) refused = answer;
      else expectRefusal(answer, 401, 'unauthenticated');
    }
    expect(refused).toBeDefined();
    const login = await service.call('POST', '/auth/local', { body: {} });
    expect(remaining(login.headers)).toBeLessThan(LIMIT);
    expect(login.body.data).toBeNull();
  });

  test('a valid token is served when its address has reached its limit', async () => {
    await exhaust({});
    expect((await service.call('GET', '/labels', { token: tokenOf(2) })).status).toBe(200);
  });

  test('the operator key is limited too', async () => {
    const { headers } = await service.call('GET', '/operator/companies', { token: service.operatorKey });
    expect(remaining(headers)).toBeLessThan(LIMIT);
  });

  test('the paths for machines are not limited', async () => {
    for (let sent = 0; sent <= LIMIT; sent += 1) {
      const { status, headers } = await service.call('GET', '/healthz');
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
  });
});

// Security (HTTP, and what all share): `X-Forwarded-For` from an untrusted client does not change who is counted
describe('X-Forwarded-For', () => {
  test('of a peer that is not a trusted proxy is ignored', async () => {
    let refusals = 0;
    for (let sent = 0; sent <= LIMIT * 3; sent += 1) {
      const headers = {
        'x-forwarded-for': `198.51.100.${sent}`,
        forwarded: `for=198.51.100.${sent}`,
        'x-real-ip': `198.51.100.${sent}`,
      };
      if ((await service.call('GET', '/labels', { headers })).status === 429) refusals += 1;
    }
    expect(refusals).toBeGreaterThan(0);
  });

  test('of a trusted proxy names the client', async () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    await exhaust(from('198.51.100.7'), behindProxy);
    expect((await behindProxy.call('GET', '/labels', from('198.51.100.8'))).status).toBe(401);
  });

  test('of a trusted proxy counts by its last entry, not by those that the client wrote', async () => {
    let refusals = 0;
    for (let sent = 0; sent <= LIMIT * 3; sent += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${sent}, 198.51.100.9` };
      if ((await behindProxy.call('GET', '/labels', { headers })).status === 429) refusals += 1;
    }
    expect(refusals).toBeGreaterThan(0);
  });
});

describe('the default never limits a busy client', () => {
  test('the limit is far above what one client can send', () => {
    expect(readConfig(GATEWAYS, {}).rateLimitPerMinute).toBeGreaterThanOrEqual(600_000);
  });

  test('300 requests of one token and 100 of one address are all answered', async () => {
    const { token } = await signUpAdmin(unlimited);
    const reads = Array.from({ length: 300 }, () => unlimited.call('GET', '/labels', { token }));
    const strangers = Array.from({ length: 100 }, () => unlimited.call('GET', '/labels'));
    const statuses = (await Promise.all([...reads, ...strangers])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 401]));
  });
});

function remaining(headers: Headers): number {
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}
