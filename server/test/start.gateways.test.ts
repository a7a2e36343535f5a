/** Gateways by configuration, as a user sets them: the service as a process, with the stand-in for Stripe. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareInvoice, preparePayable } from './charge.ts';
import { endProcesses, makeDataDirectory, type PaydeskProcess, startPaydesk } from './process.ts';
import { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, type StripeServer, startStripeServer } from './stripe-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'paydesk-gateways-'));
const dataDirectory = makeDataDirectory();
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await startStripeServer();
  writeFileSync(join(folder, 'key'), `${STRIPE_SECRET_KEY}\n`, { mode: 0o600 });
});
afterAll(async () => {
  await endProcesses();
  await stripe.close();
  rmSync(folder, { recursive: true });
});

const start = (gateway: string): Promise<PaydeskProcess> =>
  startPaydesk({
    DATA_DIR: dataDirectory,
    OPERATOR_KEY: `opk_${'k'.repeat(40)}`,
    GATEWAY: gateway,
    STRIPE_SECRET_KEY_FILE: join(folder, 'key'),
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
  });

it('cards go to Stripe and stay there when the sandbox takes new ones; no secret is logged', async () => {
  const first = await start('stripe');
  const payable = await preparePayable(first.service);
  expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
  expect(stripe.books.captures).toHaveLength(1);
  const rawBody = JSON.stringify(stripe.books.events.at(-1));
  const headers = stripe.sign(rawBody);
  expect((await first.service.call('POST', '/gateways/stripe/webhooks', { rawBody, headers })).status).toBe(200);
  await first.end('SIGTERM');

  const second = await start('sandbox');
  const next = await prepareInvoice(second.service, payable.admin);
  expect((await next.pay()).body).toMatchObject({ status: 'Succeeded' });
  expect(stripe.books.captures).toHaveLength(2);
  const other = await preparePayable(second.service);
  expect((await other.pay()).body).toMatchObject({ status: 'Succeeded' });
  expect(stripe.books.captures).toHaveLength(2);
  for (const { output } of [first, second]) {
    expect(output()).not.toContain(STRIPE_SECRET_KEY);
    expect(output()).not.toContain(STRIPE_WEBHOOK_SECRET);
  }
});
