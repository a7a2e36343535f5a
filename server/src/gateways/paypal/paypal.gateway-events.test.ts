import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureThere, PAYPAL_CREDENTIALS, startPayPalSides } from '../../../test/payments/paypal-gateway.ts';
import { openDispute } from '../../../test/stand-ins/paypal/paypal-server.disputes.ts';
import type { PayPalEvent } from '../../../test/stand-ins/paypal/paypal-server.objects.ts';
import type { PayPalServer } from '../../../test/stand-ins/paypal/paypal-server.ts';
import { PAYPAL_WEBHOOK_ID, type Signing } from '../../../test/stand-ins/paypal/paypal-server.webhooks.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { GatewayEvent } from '../gateway/gateway.webhooks.ts';
import { createPayPalGateway } from './paypal.gateway.ts';

let paypal: PayPalServer;
let gateway: Gateway;
beforeAll(async () => {
  ({ paypal, gateway } = await startPayPalSides({ webhookId: PAYPAL_WEBHOOK_ID }));
});
afterAll(() => paypal.close());

async function receive(
  text: string,
  signing?: Signing,
  changes: object = {},
): Promise<GatewayEvent | null | undefined> {
  return gateway.readGatewayEvent?.({
    body: Buffer.from(text),
    headers: { ...paypal.sign(text, signing), ...changes },
  });
}

const capture = () => captureThere({ paypal, gateway });

function lastEvent(type: string): PayPalEvent {
  const event = paypal.books.events.findLast((one) => one.event_type === type);
  if (event === undefined) throw new Error(`no ${type}`);
  return event;
}

describe('an event signed by PayPal', () => {
  test('about a capture names its order', async () => {
    const gatewayPaymentId = await capture();
    const event = lastEvent('PAYMENT.CAPTURE.COMPLETED');
    const none = { refundReference: null, disputeId: null };
    const gatewayEvent = { id: event.id, type: event.event_type, kind: 'payment', gatewayPaymentId, ...none };
    expect(await receive(JSON.stringify(event))).toEqual(gatewayEvent);
    // Older events name it only in their link.
    const bare = { ...event, resource: { ...event.resource, supplementary_data: undefined } };
    expect(await receive(JSON.stringify(bare))).toEqual(gatewayEvent);
  });

  test('about a refund names the order, and our refund', async () => {
    const gatewayPaymentId = await capture();
    const reference = randomUUID();
    await gateway.refundPayment({ gatewayPaymentId, amountMinor: 100n, idempotencyKey: reference, reference });
    const event = lastEvent('PAYMENT.CAPTURE.REFUNDED');
    const gatewayEvent = { kind: 'refund', gatewayPaymentId, refundReference: reference };
    expect(await receive(JSON.stringify(event))).toMatchObject(gatewayEvent);
    const reversed = { ...event, event_type: 'PAYMENT.CAPTURE.REVERSED' };
    expect(await receive(JSON.stringify(reversed))).toMatchObject(gatewayEvent);
  });

  test('about a dispute names the order, and the dispute', async () => {
    const gatewayPaymentId = await capture();
    const { shown } = openDispute(paypal.books, gatewayPaymentId);
    const event = lastEvent('CUSTOMER.DISPUTE.CREATED');
    expect(await receive(JSON.stringify(event))).toMatchObject({
      kind: 'dispute',
      gatewayPaymentId,
      disputeId: shown.dispute_id,
    });
  });

  test.each([
    ['PAYMENT.CAPTURE.DENIED', 'payment'],
    ['PAYMENT.CAPTURE.PENDING', 'payment'],
    ['PAYMENT.REFUND.FAILED', 'refund_failed'],
    ['BILLING.PLAN.CREATED', 'other'],
  ])('%s is %s', async (type, kind) => {
    const event = { id: `WH-${randomUUID()}`, event_type: type, resource: { id: 'X1' } };
    expect(await receive(JSON.stringify(event))).toMatchObject({ type, kind, gatewayPaymentId: null });
  });

  test('may have a resource of another shape, and then belongs to no payment', async () => {
    const event = { id: 'WH-2', event_type: 'VAULT.PAYMENT-TOKEN.CREATED', resource: { id: { a: 1 }, links: 5 } };
    expect(await receive(JSON.stringify(event))).toMatchObject({ kind: 'other', gatewayPaymentId: null });
    const broken = { ...event, event_type: 'PAYMENT.CAPTURE.COMPLETED' };
    expect(await receive(JSON.stringify(broken))).toMatchObject({ kind: 'payment', gatewayPaymentId: null });
  });

  test('is verified over its bytes, however it is formatted', async () => {
    const event = {
      id: 'WH-1',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      resource: { id: 'X1', note: 'é ☃ "webhook_event":' },
    };
    for (const text of [JSON.stringify(event, null, 3), ` ${JSON.stringify(event)}\n`, '{"a":1.0,"a":2,']) {
      const whole = text.endsWith(',') ? `${text}${JSON.stringify(event).slice(1)}` : text;
      expect(await receive(whole)).toMatchObject({ id: 'WH-1' });
    }
  });

  test('may be three days old, because PayPal retries for so long, but only a little in the future', async () => {
    const event = JSON.stringify({ id: 'WH-1', event_type: 'X', resource: {} });
    const at = (hours: number) => receive(event, { time: new Date(Date.now() + hours * 3_600_000) });
    expect(await at(-72)).not.toBeNull();
    expect(await at(-74)).toBeNull();
    expect(await at(0.05)).not.toBeNull();
    expect(await at(0.2)).toBeNull();
  });
});

describe('an event is refused', () => {
  const event = JSON.stringify({ id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'X1' } });

  test('if it was signed for another webhook, or changed', async () => {
    expect(await receive(event, { webhookId: '1ANOTHER0000000001' })).toBeNull();
    const headers = paypal.sign(event);
    for (const text of [event.replace('WH-1', 'WH-2'), `${event} `]) {
      expect(await gateway.readGatewayEvent?.({ body: Buffer.from(text), headers })).toBeNull();
    }
    expect(await gateway.readGatewayEvent?.({ body: Buffer.from(event), headers })).not.toBeNull();
  });

  test.each([
    ['paypal-transmission-sig', undefined],
    ['paypal-transmission-sig', ['a', 'b']],
    ['paypal-transmission-id', '"},"x":"'],
    ['paypal-transmission-time', 'yesterday'],
    ['paypal-cert-url', 'https://paypal.com.example.com/cert'],
    ['paypal-cert-url', 'http://api.paypal.com/cert'],
    ['paypal-auth-algo', ''],
  ])('without asking PayPal, with a %s of %o', async (header, value) => {
    const tokens = paypal.countTokens();
    const silent = createPayPalGateway({ ...PAYPAL_CREDENTIALS, webhookId: PAYPAL_WEBHOOK_ID, baseUrl: paypal.url });
    const headers = { ...paypal.sign(event), [header]: value };
    expect(await silent.readGatewayEvent?.({ body: Buffer.from(event), headers })).toBeNull();
    expect(paypal.countTokens()).toBe(tokens);
  });

  test.each(['', 'null', '[]', '{', '{"id":"WH-1"}', `${event}x`, `${event},"webhook_id":"x"`])(
    'if it is not an event: %s',
    async (text) => {
      expect(await receive(text)).toBeNull();
    },
  );
});

test('while PayPal is unavailable, an event is neither accepted nor refused', async () => {
  const event = JSON.stringify({ id: 'WH-1', event_type: 'X', resource: {} });
  const headers = paypal.sign(event);
  const stranger = createPayPalGateway({
    ...PAYPAL_CREDENTIALS,
    clientSecret: 'x',
    webhookId: 'W1',
    baseUrl: paypal.url,
  });
  await expectGatewayError(
    Promise.resolve(stranger.readGatewayEvent?.({ body: Buffer.from(event), headers })),
    'unauthorized',
  );
  expect(createPayPalGateway({ ...PAYPAL_CREDENTIALS, baseUrl: paypal.url })).not.toHaveProperty('readGatewayEvent');
});
