import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, issueInvoice, saveCard, signUpAdmin } from '../../../server/test/customers/actors.ts';
import { startTestService, type TestService } from '../../../server/test/harness/service.ts';
import { addEndpoint, type Consumer, deliver, startConsumer } from '../../../server/test/outbox/webhooks.ts';
import { paymentOf, preparePayable } from '../../../server/test/payments/charge.ts';
import { createPaydesk, isPaydeskError, verifyWebhook, WebhookVerificationError } from '../src/index.ts';

let service: TestService;
let consumer: Consumer;
beforeAll(async () => {
  consumer = await startConsumer();
  service = await startTestService({ webhookAllowedHosts: [consumer.host] });
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

/** Creates a company with its client. */
async function startCompany() {
  const admin = await signUpAdmin(service);
  return { admin, paydesk: createPaydesk({ url: service.url, accessToken: admin.token }) };
}

/** Returns a `fetch` that loses the answer to the first request with this method. */
function losingAnswersTo(method: string): typeof fetch {
  let isLost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method !== method || isLost) return response;
    isLost = true;
    await response.arrayBuffer();
    throw new TypeError('terminated');
  };
}

describe('a lost answer', () => {
  it('of a charge: it is requested again with the same key, and the card is charged once', async () => {
    const payable = await preparePayable(service);
    const sent: Headers[] = [];
    const losing = losingAnswersTo('PUT');
    const paydesk = createPaydesk({
      url: service.url,
      accessToken: payable.admin.token,
      fetch: (input, init) => {
        sent.push(new Headers(init?.headers));
        return losing(input, init);
      },
    });
    const invoice = await paydesk.invoices.pay(payable.invoice.id);
    expect(invoice.status).toBe('Succeeded');
    const keys = sent.map((headers) => headers.get('idempotency-key'));
    expect(keys).toEqual([keys[0], keys[0]]);
    const payment = await paymentOf(service, payable);
    const { captures } = await service.sandbox.readLedger();
    expect(captures.filter(({ paymentId }) => paymentId === payment.gatewayPaymentId)).toHaveLength(1);
  });

  it('of an operation that adds up: credit is granted once', async () => {
    const { admin } = await startCompany();
    const operator = createPaydesk({
      url: service.url,
      operatorKey: service.operatorKey,
      fetch: losingAnswersTo('POST'),
    });
    await operator.operator.companies.credits.grant(admin.companyId, {
      amount: '10.00',
      currency: 'USD',
      reason: 'Welcome',
    });
    const page = await operator.operator.companies.credits.list(admin.companyId);
    expect([page.total, page.balance]).toEqual([1, '10.00']);
  });
});

describe('a list', () => {
  it('is read page by page by number, and ends', async () => {
    const { paydesk } = await startCompany();
    const names = Array.from({ length: 6 }, (_, index) => `Label ${index}`);
    for (const name of names)
      await paydesk.labels.create({ name, description: 'Soon', color: '#ff8800', userName: 'Ada' });
    const found: string[] = [];
    for await (const { name } of paydesk.labels.list({ per_page: 4, order_by: 'name', sort_by: 'ASC' }))
      found.push(name);
    expect(found).toEqual(names);
    const sizes: number[] = [];
    for await (const { data } of paydesk.labels.list({ per_page: 3 }).pages()) sizes.push(data.length);
    expect(sizes).toEqual([3, 3]);
  });

  it('begins at the given page, and reads no page that is not needed', async () => {
    const { admin } = await startCompany();
    const asked: string[] = [];
    const paydesk = createPaydesk({
      url: service.url,
      accessToken: admin.token,
      onAnswer: ({ method, path }) => asked.push(`${method} ${path}`),
    });
    for (const streetAddress of ['London', 'Paris']) await paydesk.addresses.create({ streetAddress });
    for await (const { streetAddress } of paydesk.addresses.list())
      expect(['London', 'Paris']).toContain(streetAddress);
    asked.length = 0;
    for (let count = 0; count < 3; count += 1) await issueInvoice(service, admin.companyId);
    const list = paydesk.invoices.list({ page: 2, perPage: 1 });
    expect(asked).toEqual([]);
    for await (const invoice of list) {
      expect(invoice.companyId).toBe(admin.companyId);
      break;
    }
    expect((await list).total).toBe(3);
    expect(asked).toEqual(['GET /payments/orders?page=2&perPage=1']);
  });

  it('is read page by page by cursor', async () => {
    const { admin, paydesk } = await startCompany();
    for (const streetAddress of ['London', 'Paris', 'Rome']) await paydesk.addresses.create({ streetAddress });
    const operator = createPaydesk({ url: service.url, operatorKey: service.operatorKey });
    const types: string[] = [];
    const events = operator.operator.events.list({ companyId: admin.companyId, perPage: 2 });
    for await (const { type } of events) types.push(type);
    expect(types).toEqual(['address.created', 'address.created', 'address.created', 'user.created']);
  });
});

describe('a refusal', () => {
  it('has the code, the bank’s reason and the id of the request', async () => {
    const { admin, paydesk } = await startCompany();
    await saveCard(service, admin, { cardNumber: CARDS.insufficientFunds });
    const { id } = await issueInvoice(service, admin.companyId);
    const error = await paydesk.invoices.pay(id).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isPaydeskError(error)).toBe(true);
    expect(isPaydeskError(error, 'rate_limited')).toBe(false);
    if (!isPaydeskError(error, 'card_declined')) throw error;
    const code: 'card_declined' = error.code;
    expect([code, error.status, error.declineCode]).toEqual(['card_declined', 402, 'insufficient_funds']);
    expect(service.logs()).toContain(error.requestId);
  });

  it('says what lets the customer confirm a payment', async () => {
    const { admin, paydesk } = await startCompany();
    await saveCard(service, admin, { cardNumber: '4000002760003184' });
    const { id } = await issueInvoice(service, admin.companyId);
    const error = await paydesk.invoices.pay(id).catch((reason: unknown) => reason);
    if (!isPaydeskError(error, 'authentication_required')) throw error;
    const { paymentId, nextAction } = error;
    expect(nextAction?.url).toContain('/pay/');
    await paydesk.sandbox.answerChallenge({ clientSecret: nextAction?.clientSecret ?? '', outcome: 'succeed' });
    expect(await paydesk.invoices.pay(id)).toMatchObject({ status: 'Succeeded', paymentId });
  });

  it('names the fields that break a rule', async () => {
    const { paydesk } = await startCompany();
    const label = { name: '', description: 'Soon', color: 'orange', userName: 'Ada' };
    await expect(paydesk.labels.create(label)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'name' }, { field: 'color' }],
    });
  });
});

describe('files', () => {
  it('are returned as bytes or as text', async () => {
    const { admin, paydesk } = await startCompany();
    const { id } = await issueInvoice(service, admin.companyId);
    const pdf = await paydesk.invoices.pdf(id);
    expect(new TextDecoder('latin1').decode(pdf.subarray(0, 5))).toBe('%PDF-');
    const operator = createPaydesk({ url: service.url, operatorKey: service.operatorKey });
    const csv: string = await operator.operator.ledger.csv({ companyId: admin.companyId });
    expect(csv.split('\r\n')[0]).toContain('companyId');
  });
});

describe('usage', () => {
  it('is reported one event at a time or many at once', async () => {
    const { admin } = await startCompany();
    const operator = createPaydesk({ url: service.url, operatorKey: service.operatorKey });
    const event = (id: string) => ({
      specversion: '1.0' as const,
      type: 'paydesk.usage' as const,
      source: '/gateways/eu-1',
      id,
      subject: admin.companyId,
      time: new Date().toISOString(),
      data: { path: '/v1/transcriptions', quantity: 5 },
    });
    expect(await operator.operator.usage.report(event('a'))).toMatchObject({ accepted: 1 });
    expect(await operator.operator.usage.report([event('a'), event('b')])).toMatchObject({ accepted: 1, duplicate: 1 });
  });
});

describe('a webhook', () => {
  it('is verified with the service’s signature, also while its secret is rotated, and distinguished by its type', async () => {
    const { admin, paydesk } = await startCompany();
    const endpoint = await addEndpoint(service, admin, { url: consumer.url('/client'), types: ['address.created'] });
    await paydesk.addresses.create({ streetAddress: 'London' });
    await deliver(service);
    const [received] = consumer.received('/client');
    if (received === undefined) throw new Error('Nothing came.');
    const event = await verifyWebhook(received.body, received.headers, endpoint.secret);
    if (event.type !== 'address.created') throw new Error(event.type);
    const street: string = event.data.streetAddress;
    expect([street, event.companyId]).toEqual(['London', admin.companyId]);

    const { secret } = await paydesk.webhookEndpoints.rotateSecret(endpoint.id);
    await paydesk.addresses.create({ streetAddress: 'Paris' });
    await deliver(service);
    const [, later] = consumer.received('/client');
    if (later === undefined) throw new Error('Nothing came.');
    expect(later.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const good of [endpoint.secret, secret, [secret, endpoint.secret]]) {
      expect(await verifyWebhook(later.body, new Headers(later.headers), good)).toMatchObject({
        data: { streetAddress: 'Paris' },
      });
    }
    const changed = later.body.replace('Paris', 'Texas');
    await expect(verifyWebhook(changed, later.headers, secret)).rejects.toThrow(WebhookVerificationError);
  });
});
