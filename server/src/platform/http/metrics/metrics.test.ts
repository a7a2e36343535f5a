import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { type Actor, signUpAdmin } from '../../../../test/customers/actors.ts';
import { expectMetric } from '../../../../test/harness/metrics.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { createScrapeAccess } from './metrics-access.ts';
import { startMetricsListener } from './metrics-listener.ts';

const TOKEN = 'scrape-4f1c9a7be2d0';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ metricsToken: TOKEN, poolSize: 2 });
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

const scrape = (token?: string) => service.call('GET', '/metrics', token === undefined ? {} : { token });

describe('access to the metrics', () => {
  // Security (What gateways answer): Only METRICS_TOKEN and the operator's key open the metrics
  test('is refused without a credential, and to companies', async () => {
    expectRefusal(await scrape(), 401, 'unauthenticated');
    for (const wrong of [`${TOKEN}x`, TOKEN.slice(1), `opk_${'a'.repeat(40)}`, admin.token]) {
      expectRefusal(await scrape(wrong), 401, 'unauthenticated');
    }
  });

  test('is granted with METRICS_TOKEN or the operator key', async () => {
    for (const token of [TOKEN, service.operatorKey]) expect((await scrape(token)).text).toContain('paydesk_');
  });

  test('the token grants nothing else', async () => {
    expectRefusal(await service.call('GET', '/operator/companies', { token: TOKEN }), 401, 'unauthenticated');
  });

  test('is granted to the operator key that was valid last time, while the database is unavailable', async () => {
    const lost = Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' });
    let isAway = false;
    const admit = createScrapeAccess(undefined, async () => {
      if (isAway) throw lost;
      return true;
    });
    await admit('opk_known');
    isAway = true;
    await admit('opk_known');
    await expect(admit('opk_other')).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('an address of their own', () => {
  const metrics = { scrape: async () => 'paydesk_up 1\n', contentType: 'text/plain', ...{ addGauge: () => undefined } };
  const listen = (token?: string) =>
    startMetricsListener({ ...metrics, addLabelledGauge: () => undefined }, { host: '127.0.0.1', port: 0, token });
  const status = async (url: string, authorization?: string) =>
    (await fetch(url, { headers: authorization === undefined ? {} : { authorization } })).status;

  test('needs no token on loopback, and serves nothing else', async () => {
    const listener = await listen();
    expect(await (await fetch(listener.url)).text()).toBe('paydesk_up 1\n');
    expect(await status(listener.url.replace('/metrics', '/labels'))).toBe(404);
    expect((await fetch(listener.url, { method: 'POST' })).status).toBe(404);
    await listener.close();
  });

  test('requires the token where there is one', async () => {
    const listener = await listen(TOKEN);
    const statuses = [undefined, 'Bearer wrong', `Bearer ${TOKEN}`].map((header) => status(listener.url, header));
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
    await listener.close();
  });
});

describe('scraping in a loop', () => {
  test('needs no connection of the requests: with all of them taken, the database is still read', async () => {
    const { db } = service.database;
    const free = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => db.begin(() => free.promise));
    const { text } = await scrape(TOKEN);
    free.resolve();
    await Promise.all(holders);
    expect(text).toMatch(/^paydesk_alerts_open 0$/m);
    expect(text).toMatch(/^paydesk_payments_waiting 0$/m);
  });

  // Security (What gateways answer): Scraping in a loop slows no request
  test('takes no connection from the requests: while its own waits for a lock, they are served', async () => {
    await service.database.owner.begin(async (tx) => {
      await tx`LOCK TABLE alerts, payments IN ACCESS EXCLUSIVE MODE`;
      const scrapes = Array.from({ length: 30 }, () => scrape(TOKEN));
      for (let request = 0; request < 5; request += 1) {
        expect((await service.call('GET', '/labels', { token: admin.token })).status).toBe(200);
      }
      for (const { text } of await Promise.all(scrapes)) expect(text).toMatch(/^paydesk_alerts_open Nan$/im);
    });
    await expect.poll(() => expectMetric(service, 'paydesk_alerts_open')).toBe(0);
  });

  test('reads once for all scrapes within a second', async () => {
    const patient = await startTestService({ metricsToken: TOKEN, scrapeLifetimeMs: 600_000 });
    const read = async () => (await patient.call('GET', '/metrics', { token: TOKEN })).text;
    const [first = '', ...others] = await Promise.all(Array.from({ length: 20 }, read));
    expect(first).toContain('paydesk_process_cpu_seconds_total');
    expect(new Set([...others, await read()])).toEqual(new Set([first]));
    await patient.stop();
  });
});
