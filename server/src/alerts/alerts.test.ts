import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../test/customers/actors.ts';
import { expectMetric } from '../../test/harness/metrics.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { raiseAlert } from '../../test/outbox/alerts.ts';
import { addEndpoint, type Consumer, deliver, startConsumer, verify } from '../../test/outbox/webhooks.ts';
import { preparePaid } from '../../test/payments/refunds.ts';
import type { AlertKind } from './alerts.schema.ts';
import { insertAlert } from './alerts.service.ts';

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

/** Raises alerts of these kinds, oldest first, about a payment of a new company. */
async function raise(
  ...kinds: AlertKind[]
): Promise<{ companyId: string; paymentId: string; invoiceId: string; ids: string[] }> {
  const { admin, paymentId, invoice } = await preparePaid(service);
  const ids: string[] = [];
  for (const kind of kinds) {
    ids.push(await raiseAlert(service, { companyId: admin.companyId, paymentId, kind }));
  }
  return { companyId: admin.companyId, paymentId, invoiceId: invoice.id, ids };
}

async function list(query: string) {
  const answer = await service.call('GET', `/operator/alerts?${query}`, { token: service.operatorKey });
  return expectStatus(answer, 200).body;
}

const acknowledge = (id: string) =>
  service.call('POST', `/operator/alerts/${id}/acknowledge`, { token: service.operatorKey });

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('GET /operator/alerts', () => {
  it('lists alerts newest first, page by page', async () => {
    const { companyId, paymentId, invoiceId, ids } = await raise(
      'payment_unresolved',
      'refund_unresolved',
      'payment_mismatch',
    );
    const page = await list(`companyId=${companyId}&perPage=2`);
    expect(page).toMatchObject({ total: 3, page: 1, perPage: 2 });
    expect(idsOf(page)).toEqual([ids[2], ids[1]]);
    expect(page.data[0]).toEqual({
      id: ids[2],
      companyId,
      companyExternalId: null,
      kind: 'payment_mismatch',
      paymentId,
      invoiceId,
      message: 'About payment_mismatch',
      acknowledgedAt: null,
      createdAt: expect.any(String),
    });
    expect(idsOf(await list(`companyId=${companyId}&perPage=2&page=2`))).toEqual([ids[0]]);
    expect(await list(`companyId=${companyId}&page=3`)).toMatchObject({ total: 3, data: [] });
  });

  it('filters by kind, state and company, which combine with AND', async () => {
    const { companyId, ids } = await raise('payment_unresolved', 'refund_unresolved', 'refund_unresolved');
    const other = await raise('refund_unresolved');
    expectStatus(await acknowledge(ids[1] ?? ''), 200);
    const of = (query: string) => list(`companyId=${companyId}${query}`).then(idsOf);
    expect(await of('&kind=refund_unresolved')).toEqual([ids[2], ids[1]]);
    expect(await of('&state=open')).toEqual([ids[2], ids[0]]);
    expect(await of('&state=acknowledged')).toEqual([ids[1]]);
    expect(await of('&state=open&kind=refund_unresolved')).toEqual([ids[2]]);
    expect(await of('&kind=nothing')).toEqual([]);
    expect(idsOf(await list('kind=refund_unresolved&perPage=2'))).toEqual([other.ids[0], ids[2]]);
  });
});

describe('POST /operator/alerts/{id}/acknowledge', () => {
  it('records when a person acknowledged it, once', async () => {
    const openBefore = await expectMetric(service, 'paydesk_alerts_open');
    const { ids } = await raise('payment_unresolved', 'refund_unresolved');
    const id = ids[0] ?? '';
    expect(await expectMetric(service, 'paydesk_alerts_open')).toBe(openBefore + 2);
    const first = expectStatus(await acknowledge(id), 200).body;
    expect(first).toMatchObject({ id, kind: 'payment_unresolved', acknowledgedAt: expect.any(String) });
    expect(expectStatus(await acknowledge(id), 200).body).toEqual(first);
    expect(await expectMetric(service, 'paydesk_alerts_open')).toBe(openBefore + 1);
    expect((await acknowledge(randomUUID())).status).toBe(404);
  });
});

it('an alert is recorded together with an event, which only the operator’s endpoints get', async () => {
  const { companyId, paymentId } = await raise();
  const types = ['alert.*'];
  const { secret } = await addEndpoint(service, null, { url: consumer.url('/operator'), types });
  await addEndpoint(service, null, { url: consumer.url('/invoices'), types: ['invoice.*'] });
  const id = await raiseAlert(service, { companyId, paymentId });
  const undone = service.database.db.begin(async (tx) => {
    await insertAlert(tx, companyId, { kind: 'payment_unresolved', payment: null, message: 'Rolled back.' });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await deliver(service);
  expect(consumer.received('/invoices')).toEqual([]);
  const [alert] = (await list(`companyId=${companyId}`)).data;
  expect(consumer.received('/operator').map((received) => verify(secret, received))).toMatchObject([
    { id, type: 'alert.created', companyId: null, data: alert },
  ]);
  const path = '/operator/events?type=alert.created&perPage=1';
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  expect(data).toMatchObject([{ id, companyId: null, data: alert }]);
});

// Security (Outgoing webhooks: signatures, secrets and tenants): Only the operator gets alerts
it('a company’s endpoint gets no alert, even when it is subscribed to all events', async () => {
  const { admin, paymentId } = await preparePaid(service);
  await addEndpoint(service, admin, { url: consumer.url('/company'), types: [] });
  await raiseAlert(service, { companyId: admin.companyId, paymentId });
  await deliver(service);
  expect(consumer.received('/company')).toEqual([]);
});
