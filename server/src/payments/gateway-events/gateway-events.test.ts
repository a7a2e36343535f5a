/** Stripe's webhook: it accepts only what is signed, once, in any order, and Stripe is asked before anything is believed. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../../test/harness/service.ts';
import {
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  preparePayable,
  readInvoice,
} from '../../../test/payments/charge.ts';
import { deliver, eventOf, objectOf, outcomeOf, STRIPE_WEBHOOK_PATH } from '../../../test/payments/gateway-events.ts';
import {
  STRIPE_DECLINED_CARD,
  type StripeChargeService,
  startStripeChargeService,
} from '../../../test/payments/stripe-charge.ts';
import { runHousekeeping } from '../../housekeeping.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

/** The answer to the confirmation is lost, after the money was taken. */
async function payWithLostAnswer(): Promise<Payable> {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  return payable;
}

describe('an event about a payment', () => {
  it('whose answer was lost settles it at once, before the reconciler looks', async () => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(service, payable, 'payment_intent.succeeded');
    expect(await deliver(service, event)).toMatchObject({ status: 200, body: { received: true } });
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
    expect(await outcomeOf(service, event)).toBe('settled');
  });

  // Security (Gateway events and reviews): A gateway event that is sent a hundred times has one effect
  it('that arrives a hundred times has one effect, and Stripe is asked about it once', async () => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(service, payable, 'payment_intent.succeeded');
    expect((await deliver(service, event)).status).toBe(200);
    const { find } = (await service.sandbox.readFaults()).calls;
    const answers = await Promise.all(Array.from({ length: 99 }, () => deliver(service, event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await service.sandbox.readFaults()).calls.find).toBe(find);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  // Security (Gateway events and reviews): The content of a signed gateway event is not trusted
  it('is not believed: what Stripe answers counts', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expect((await payable.pay()).status).toBe(202);
    const object = {
      id: await objectOf(service, payable),
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: 4_800,
    };
    const event = {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object },
    };
    expect((await deliver(service, event)).status).toBe(200);
    expect(await outcomeOf(service, event)).toBe('no_change');
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing' });
    expect(await capturesOf(service, payable)).toEqual([]);
    const { find } = (await service.sandbox.readFaults()).calls;
    expect((await deliver(service, event)).status).toBe(200);
    expect((await service.sandbox.readFaults()).calls.find).toBe(find);
  });

  // Security (Gateway events and reviews): Late and unordered gateway events change nothing
  it('that arrives late and out of order changes nothing', async () => {
    const payable = await payWithLostAnswer();
    await deliver(service, await eventOf(service, payable, 'payment_intent.succeeded'));
    const settled = await paymentOf(service, payable);
    const created = await eventOf(service, payable, 'payment_intent.created');
    const failed = { ...created, id: `${created.id}x`, type: 'payment_intent.payment_failed' };
    for (const event of [created, failed]) expect((await deliver(service, event)).status).toBe(200);
    expect(await paymentOf(service, payable)).toEqual(settled);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('that was declined makes the invoice Failed with the reason, and cancels the payment at Stripe', async () => {
    const payable = await preparePayable(service, { cardNumber: STRIPE_DECLINED_CARD });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    expect((await deliver(service, await eventOf(service, payable, 'payment_intent.payment_failed'))).status).toBe(200);
    const payment = { status: 'Failed', declineCode: 'generic_decline' };
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Failed', payment });
    expect(service.stripe().books.intents.get(await objectOf(service, payable))?.status).toBe('canceled');
  });

  it('is answered with 503, so that Stripe repeats it, while Stripe cannot be asked', async () => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(service, payable, 'payment_intent.succeeded');
    await service.sandbox.armFault({ operation: 'find', kind: 'outage', times: 1 });
    expect(await deliver(service, event)).toMatchObject({
      status: 503,
      body: { error: { code: 'service_unavailable' } },
    });
    expect(await outcomeOf(service, event)).toBeNull();
    expect((await deliver(service, event)).status).toBe(200);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('that is unknown is stored, logged and answered with 200, and so is an event of an unknown type', async () => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(service, payable, 'payment_intent.succeeded');
    const stranger = {
      ...event,
      id: `${event.id}s`,
      data: { object: { id: 'pi_stranger', object: 'payment_intent' } },
    };
    expect((await deliver(service, stranger)).status).toBe(200);
    expect(await outcomeOf(service, stranger)).toBe('unknown_payment');
    expect(service.logs()).toContain('pi_stranger');
    const other = { ...event, id: `${event.id}o`, type: 'customer.created', data: { object: { object: 'customer' } } };
    expect((await deliver(service, other)).status).toBe(200);
    expect(await outcomeOf(service, other)).toBe('ignored');
  });
});

// Security (What gateways answer): Forged, old, repeated and unordered gateway events have no effect of their own
describe('an event is refused', () => {
  const now = () => Math.floor(Date.now() / 1_000);

  it.each([
    ['forged', () => ({ secret: 'whsec_somebodyElses' })],
    ['ten minutes old', () => ({ timestamp: now() - 600 })],
  ])('%s: 400, and nothing happens', async (_name, signing) => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(service, payable, 'payment_intent.succeeded');
    expect(await deliver(service, event, signing())).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
    expect(await outcomeOf(service, event)).toBeUndefined();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing' });
  });

  // Security (Gateway events and reviews): A gateway’s webhook without the right signature is 400
  it('without a signature, and with another body than was signed: 400', async () => {
    const rawBody = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', data: { object: { object: 'x' } } });
    const headers = service.stripe().sign(rawBody);
    const unsigned = { rawBody, headers: { 'content-type': 'application/json' } };
    expect((await service.call('POST', STRIPE_WEBHOOK_PATH, unsigned)).status).toBe(400);
    expect(
      (await service.call('POST', STRIPE_WEBHOOK_PATH, { rawBody: rawBody.replace('evt_1', 'evt_2'), headers })).status,
    ).toBe(400);
    expect((await service.call('POST', STRIPE_WEBHOOK_PATH, { rawBody: `${rawBody} `, headers })).status).toBe(400);
    expect((await service.call('POST', STRIPE_WEBHOOK_PATH, { rawBody, headers })).status).toBe(200);
  });

  // Security (Gateway events and reviews): A gateway event of more than 256 KiB is 413
  it('of more than 256 KiB: 413', async () => {
    const rawBody = JSON.stringify({ padding: 'x'.repeat(300_000) });
    expect(
      (await service.call('POST', STRIPE_WEBHOOK_PATH, { rawBody, headers: service.stripe().sign(rawBody) })).status,
    ).toBe(413);
  });

  it('of an unknown gateway, or of one that is not configured: 404', async () => {
    const plain = await startTestService();
    const request = { rawBody: '{}', headers: { 'content-type': 'application/json' } };
    expect((await plain.call('POST', STRIPE_WEBHOOK_PATH, request)).status).toBe(404);
    expect((await plain.call('POST', '/gateways/elsewhere/webhooks', request)).status).toBe(404);
    await plain.stop();
  });
});

it('events are kept for thirty days', async () => {
  const payable = await payWithLostAnswer();
  const event = await eventOf(service, payable, 'payment_intent.succeeded');
  await deliver(service, event);
  await runHousekeeping({ db: service.database.db, usageRetentionYears: 10 });
  expect(await outcomeOf(service, event)).toBe('settled');
  await service.database
    .owner`UPDATE gateway_notices SET received_at = now() - interval '31 days' WHERE id = ${event.id}`;
  await runHousekeeping({ db: service.database.db, usageRetentionYears: 10 });
  expect(await outcomeOf(service, event)).toBeUndefined();
});
