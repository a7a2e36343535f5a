import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  STRIPE_SECRET_KEY,
  type StripeServer,
  startStripeServer,
} from '../../../test/stand-ins/stripe/stripe-server.ts';
import { confirmationOf, paymentKeys, readObjects } from '../gateway/gateway.testing.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { createStripeGateway } from './stripe.gateway.ts';

let stripe: StripeServer;
let gateway: Gateway;
beforeAll(async () => {
  stripe = await startStripeServer();
  gateway = createStripeGateway({ baseUrl: stripe.url, secretKey: STRIPE_SECRET_KEY });
});
afterAll(() => stripe?.close());

async function capture(): Promise<string> {
  const holder = { companyId: randomUUID(), customer: null };
  const validity = { securityCode: '737', expMonth: 12, expYear: 2035, name: 'Ada', country: 'GB' };
  const { token: sourceToken } = await gateway.tokenizeCard({ number: '4242424242424242', ...validity, holder });
  const { id } = await gateway.createPayment({ ...paymentKeys(), amountMinor: 500n, currency: 'EUR', sourceToken });
  await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
  return id;
}

async function refund(gatewayPaymentId: string, amountMinor: bigint): Promise<string> {
  const reference = randomUUID();
  return (await gateway.refundPayment({ gatewayPaymentId, amountMinor, reference, idempotencyKey: reference })).id;
}

const findObject = async (id: string) => (await readObjects(gateway)).find((object) => object.id === id);

test('a payment that something else than Paydesk made is listed without a reference', async () => {
  const id = await capture();
  Object.assign(stripe.books.intents.get(id) ?? {}, { metadata: { order: '7' } });
  const nothing = { reference: null, debt: null, sequence: null, details: {} };
  expect(await findObject(id)).toMatchObject({ status: 'captured', capturedAmountMinor: 500n, ...nothing });
});

test.each(['requires_capture'])('a payment that is %s is listed as undecided', async (status) => {
  const id = await capture();
  Object.assign(stripe.books.intents.get(id) ?? {}, { status, amount_received: 0 });
  const listed = { status: 'undecided', amountMinor: 500n, currency: 'EUR', capturedAmountMinor: null };
  expect(await findObject(id)).toMatchObject(listed);
});

test('a refund that failed is listed as failed, and does not count as refunded', async () => {
  const id = await capture();
  const [failed, made] = [await refund(id, 300n), await refund(id, 100n)];
  Object.assign(stripe.books.refunds.find((one) => one.id === failed) ?? {}, { status: 'failed' });
  expect(await findObject(failed)).toMatchObject({ kind: 'refund', status: 'failed', amountMinor: 300n });
  expect(await findObject(made)).toMatchObject({ kind: 'refund', status: 'succeeded', amountMinor: 100n });
  expect(await findObject(id)).toMatchObject({ kind: 'payment', refundedMinor: 100n });
});
