import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ rateLimitPerMinute: 20 });
});
afterAll(async () => service?.stop());

const notify = (): Promise<Answer> =>
  service.call('POST', '/gateways/stripe/webhooks', { rawBody: '{}', headers: { 'content-type': 'application/json' } });

const leftOf = ({ headers }: Answer) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);

// Security (Gateway events and reviews): Requests to a gateway's webhook are limited
it('a gateway’s webhook takes 12,000 requests a minute from an address, counted apart from all others', async () => {
  const first = await notify();
  expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([404, '"requests";q=12000;w=60']);
  for (let sent = 0; sent < 30; sent += 1) expect((await notify()).status).toBe(404);
  // A minute may have begun anew in between.
  expect(leftOf(await notify())).toBeGreaterThanOrEqual(12_000 - 32);
  const others = [];
  for (let sent = 0; sent < 45; sent += 1) others.push(await service.call('POST', '/auth/local', { body: {} }));
  expect(others.map(({ status }) => status)).toContain(429);
  expect((await notify()).status).toBe(404);
});
