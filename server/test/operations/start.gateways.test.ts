/** Gateways configured as a user does it: the service is a process, with the stand-ins for Stripe and PayPal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeSeller } from '../billing/invoice-documents.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { endProcesses, makeDataDirectory, type PaydeskProcess, startPaydesk } from '../harness/process.ts';
import { prepareInvoice, preparePayable } from '../payments/charge.ts';
import { prepareAccountPayable } from '../payments/paypal-accounts.ts';
import { approveSetup } from '../stand-ins/paypal/paypal-server.books.ts';
import {
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
  type PayPalServer,
  startPayPalServer,
} from '../stand-ins/paypal/paypal-server.ts';
import { PAYPAL_WEBHOOK_ID } from '../stand-ins/paypal/paypal-server.webhooks.ts';
import {
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripeServer,
} from '../stand-ins/stripe/stripe-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'paydesk-gateways-'));
const dataDirectory = makeDataDirectory();
let database: TestDatabase;
let stripe: StripeServer;
let paypal: PayPalServer;
beforeAll(async () => {
  database = await cloneDatabase();
  [stripe, paypal] = await Promise.all([startStripeServer(), startPayPalServer()]);
  writeFileSync(join(folder, 'secret'), `${PAYPAL_CLIENT_SECRET}\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'key'), `${STRIPE_SECRET_KEY}\n`, { mode: 0o600 });
});
afterAll(async () => {
  await endProcesses();
  await Promise.all([stripe?.close(), paypal?.close(), database?.drop()]);
  rmSync(folder, { recursive: true });
});

const start = (gateway: string): Promise<PaydeskProcess> =>
  startPaydesk({
    DATABASE_URL: database.url,
    DATA_DIR: dataDirectory,
    OPERATOR_KEY: `opk_${'k'.repeat(40)}`,
    GATEWAY: gateway,
    STRIPE_SECRET_KEY_FILE: join(folder, 'key'),
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
    PAYPAL_CLIENT_ID,
    PAYPAL_CLIENT_SECRET_FILE: join(folder, 'secret'),
    PAYPAL_WEBHOOK_ID,
    PAYPAL_API_BASE: paypal.url,
  });

let second: PaydeskProcess;

it('cards go to Stripe and stay there when the sandbox takes new ones; no secret is logged', async () => {
  const first = await start('stripe');
  await changeSeller(first.service, { name: 'Northwind Interfaces Ltd' });
  const payable = await preparePayable(first.service);
  expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
  expect(stripe.books.captures).toHaveLength(1);
  const rawBody = JSON.stringify(stripe.books.events.at(-1));
  const headers = stripe.sign(rawBody);
  expect((await first.service.call('POST', '/gateways/stripe/webhooks', { rawBody, headers })).status).toBe(200);
  await first.end('SIGTERM');

  second = await start('sandbox');
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

it('PayPal works beside the gateway for cards: it charges an account and its webhook is read, and no secret is logged', async () => {
  const { service, output } = second;
  const payable = await prepareAccountPayable(service, { setupToken: approveSetup(paypal.books) });
  expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
  expect(paypal.books.captures).toMatchObject([{ amount: { currency_code: 'USD', value: '48.00' } }]);
  const other = await preparePayable(service);
  expect((await other.pay()).body).toMatchObject({ status: 'Succeeded' });
  expect(paypal.books.captures).toHaveLength(1);

  const rawBody = JSON.stringify(paypal.books.events.at(-1));
  const deliver = (text: string) =>
    service.call('POST', '/gateways/paypal/webhooks', { rawBody: text, headers: paypal.sign(rawBody) });
  expect((await deliver(rawBody)).status).toBe(200);
  expect((await deliver(`${rawBody} `)).status).toBe(400);
  for (const secret of [PAYPAL_CLIENT_SECRET, 'A21AA']) expect(output()).not.toContain(secret);
});
