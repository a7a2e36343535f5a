/**
 * PayPal's webhook: it accepts only what PayPal confirms as signed, once, in any order, and PayPal is asked before anything is believed.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService } from '../../../test/harness/service.ts';
import { capturesOf, expectSoundBooks, type Payable, paymentOf, readInvoice } from '../../../test/payments/charge.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { refundsOf } from '../../../test/payments/refunds.ts';
import { decidePending, refundCapture } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import type { PayPalEvent } from '../../../test/stand-ins/paypal/paypal-server.objects.ts';
import type { Signing } from '../../../test/stand-ins/paypal/paypal-server.webhooks.ts';

let service: PayPalChargeService;
beforeAll(async () => {
  service = await startPayPalChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

const PATH = '/gateways/paypal/webhooks';

async function deliver(event: object, signing: Signing = {}): Promise<Answer> {
  const rawBody = JSON.stringify(event, null, 2);
  return service.call('POST', PATH, { rawBody, headers: service.paypal().sign(rawBody, signing) });
}

async function orderIdOf(payable: Payable): Promise<string> {
  return (await paymentOf(service, payable)).gatewayPaymentId ?? '';
}

async function eventOf(payable: Payable, type: string): Promise<PayPalEvent> {
  const event = service
    .paypal()
    .eventsOf(await orderIdOf(payable))
    .find((one) => one.event_type === type);
  if (event === undefined) throw new Error(`no ${type}`);
  return event;
}

const lastEvent = (type: string) =>
  service.paypal().books.events.findLast(({ event_type }) => event_type === type) ?? {};

/** The answer to the capture is lost, after the money was taken. */
async function payWithLostAnswer(): Promise<Payable> {
  const payable = await preparePayPalPayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  return payable;
}

async function paid(): Promise<Payable> {
  const payable = await preparePayPalPayable(service);
  expect((await payable.pay()).status).toBe(200);
  return payable;
}

async function outcomeOf({ id }: { id: string }): Promise<string | null | undefined> {
  const rows = await service.database.owner<{ outcome: string | null }[]>`
    SELECT outcome FROM gateway_notices WHERE gateway = 'paypal' AND id = ${id}`;
  return rows[0]?.outcome;
}

const alertsOf = ({ admin }: Payable) => service.database.owner<{ kind: string }[]>`
  SELECT kind FROM alerts WHERE company_id = ${admin.companyId} ORDER BY id`;

describe('an event about a payment', () => {
  it('whose answer was lost settles it at once, and has one effect however often it comes', async () => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(payable, 'PAYMENT.CAPTURE.COMPLETED');
    expect(await deliver(event)).toMatchObject({ status: 200, body: { received: true } });
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
    expect(await outcomeOf(event)).toBe('settled');
    const { find } = (await service.sandbox.readFaults()).calls;
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await service.sandbox.readFaults()).calls.find).toBe(find);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('is not believed: what PayPal answers counts', async () => {
    const payable = await preparePayPalPayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expect((await payable.pay()).status).toBe(202);
    const resource = { id: 'X1', supplementary_data: { related_ids: { order_id: await orderIdOf(payable) } } };
    const event = { id: `WH-${randomUUID()}`, event_type: 'PAYMENT.CAPTURE.COMPLETED', resource };
    expect((await deliver(event)).status).toBe(200);
    expect(await outcomeOf(event)).toBe('no_change');
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing' });
    expect(await capturesOf(service, payable)).toEqual([]);
  });

  it.each(['COMPLETED', 'DECLINED'] as const)('that was pending at PayPal and is decided: %s', async (outcome) => {
    const payable = await preparePayPalPayable(service, { behaviour: 'pending' });
    expect((await payable.pay()).status).toBe(202);
    expect((await deliver(await eventOf(payable, 'PAYMENT.CAPTURE.PENDING'))).status).toBe(503);
    decidePending(service.paypal().books, await orderIdOf(payable), outcome);
    const type = `PAYMENT.CAPTURE.${outcome === 'DECLINED' ? 'DENIED' : outcome}`;
    expect((await deliver(await eventOf(payable, type))).status).toBe(200);
    expect((await readInvoice(service, payable)).status).toBe(outcome === 'COMPLETED' ? 'Succeeded' : 'Failed');
  });

  it('is answered with 503, so that PayPal repeats it, while PayPal cannot be asked about the payment or the event', async () => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(payable, 'PAYMENT.CAPTURE.COMPLETED');
    await service.sandbox.armFault({ operation: 'find', kind: 'outage', times: 1 });
    const unavailable = { status: 503, body: { error: { code: 'service_unavailable' } } };
    expect(await deliver(event)).toMatchObject(unavailable);
    expect(await outcomeOf(event)).toBeNull();
    const rawBody = JSON.stringify(event);
    const headers = service.paypal().sign(rawBody);
    await service.takeGatewayAway();
    const unasked = await service.call('POST', PATH, { rawBody, headers }).finally(() => service.bringGatewayBack());
    expect(unasked).toMatchObject(unavailable);
    expect((await deliver(event)).status).toBe(200);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('that is unknown is stored and answered with 200, and so is an event of an unknown type', async () => {
    const resource = { id: 'X1', supplementary_data: { related_ids: { order_id: 'STRANGER1' } } };
    const stranger = { id: `WH-${randomUUID()}`, event_type: 'PAYMENT.CAPTURE.COMPLETED', resource };
    expect((await deliver(stranger)).status).toBe(200);
    expect(await outcomeOf(stranger)).toBe('unknown_payment');
    const other = { id: `WH-${randomUUID()}`, event_type: 'CATALOG.PRODUCT.CREATED', resource: { id: 'P1' } };
    expect((await deliver(other)).status).toBe(200);
    expect(await outcomeOf(other)).toBe('ignored');
  });
});

// Security (What gateways answer): Forged events of PayPal are refused: PayPal itself verifies them
describe('an event is refused', () => {
  it.each([
    ['forged', () => ({ webhookId: '1ANOTHER0000000001' })],
    ['of last week', () => ({ time: new Date(Date.now() - 7 * 86_400_000) })],
  ])('%s: 400, and nothing happens', async (_name, signing) => {
    const payable = await payWithLostAnswer();
    const event = await eventOf(payable, 'PAYMENT.CAPTURE.COMPLETED');
    expect(await deliver(event, signing())).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
    expect(await outcomeOf(event)).toBeUndefined();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing' });
  });

  it('without a signature: 400; where PayPal is not configured: 404', async () => {
    const rawBody = JSON.stringify({ id: 'WH-1', event_type: 'X', resource: {} });
    const unsigned = { rawBody, headers: { 'content-type': 'application/json' } };
    expect((await service.call('POST', PATH, unsigned)).status).toBe(400);
    const plain = await startTestService();
    expect((await plain.call('POST', PATH, unsigned)).status).toBe(404);
    await plain.stop();
  });
});

describe('what somebody does at PayPal with a captured payment', () => {
  it('a refund that is not ours is in our books, once, and one that we asked for only as ours', async () => {
    const [byHand, asked] = [await paid(), await paid()];
    const { books } = service.paypal();
    const orderId = await orderIdOf(byHand);
    const capture = books.captures.find((one) => one.orderId === orderId);
    refundCapture(books, capture?.id ?? '', { amount: { currency_code: 'USD', value: '8.00' } });
    const event = lastEvent('PAYMENT.CAPTURE.REFUNDED');
    for (const times of [1, 2, 3])
      expect((await deliver({ ...event, id: `WH-${randomUUID()}-${times}` })).status).toBe(200);
    const { id: paymentId } = await paymentOf(service, byHand);
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ source: 'gateway', amount: '8.00' }]);
    expect(await alertsOf(byHand)).toEqual([]);

    const { id } = await paymentOf(service, asked);
    const body = { amount: '10.00', reason: 'Outage' };
    const path = `/operator/payments/${id}/refunds`;
    expect((await service.call('POST', path, { token: service.operatorKey, body })).status).toBe(201);
    expect((await deliver(lastEvent('PAYMENT.CAPTURE.REFUNDED'))).status).toBe(200);
    expect(await refundsOf(service, { paymentId: id })).toMatchObject([{ source: 'operator', amount: '10.00' }]);
    expect(await alertsOf(asked)).toEqual([]);
  });
});
