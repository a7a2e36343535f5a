import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { putSettings } from '../../../test/billing/credits.ts';
import { voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

const NOW = new Date('2026-12-01T09:00:00.000Z');

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => NOW });
});
afterAll(async () => service?.stop());

const read = ({ token }: Actor, id: string) => service.call('GET', `/payments/orders/${id}`, { token });
const list = (query: string) => service.call('GET', `/operator/invoices?${query}`, { token: service.operatorKey });
const idsOf = async (query: string) => {
  const { body } = expectStatus(await list(`perPage=1000&${query}`), 200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: string }) => id);
};

describe('GET /payments/orders/{id}', () => {
  it('has the fields of the list, its attempts and the next one', async () => {
    const admin = await signUpAdmin(service);
    const cardId = await saveCard(service, admin, { cardNumber: '4000000000009995' });
    const { id } = await issueInvoice(service, admin.companyId);
    await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });
    const { attempts, collection, ...invoice } = expectStatus(await read(admin, id), 200).body;
    const { disputes, refunds, ...payment } = invoice.payment;
    expect([{ ...invoice, payment }]).toEqual(await invoicesOf(service, admin));
    expect([disputes, refunds]).toEqual([[], []]);
    expect(attempts).toEqual([invoice.payment]);
    expect(attempts[0]).toMatchObject({
      cardId,
      initiator: 'manual',
      status: 'Failed',
      failureReason: 'declined',
      declineCode: 'insufficient_funds',
    });
    expect(collection).toEqual({
      state: 'manual',
      dueAt: NOW.toISOString(),
      nextAttemptAt: null,
      dunningStep: 0,
    });
    const { body } = await service.call('GET', `/operator/invoices/${id}`, { token: service.operatorKey });
    expect(body).toEqual({ ...invoice, attempts, collection, runId: null, companyExternalId: null });
  });

  it('shows no further attempt after a void', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { isDefault: true });
    const { id } = await issueInvoice(service, admin.companyId);
    expect((await read(admin, id)).body.collection.state).toBe('scheduled');
    await voidInvoice(service, id);
    expect((await read(admin, id)).body.collection).toMatchObject({ state: 'closed', nextAttemptAt: null });
  });
});

describe('GET /operator/invoices', () => {
  it('finds invoices by company, number, status and period, newest first', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await saveCard(service, admin);
    const period = { startAt: '2031-05-01T00:00:00Z', endAt: '2031-06-01T00:00:00Z' };
    const first = await issueInvoice(service, admin.companyId, period);
    const second = await issueInvoice(service, admin.companyId);
    const foreign = await issueInvoice(service, other.companyId, period);
    expectStatus(await service.call('PUT', `/payments/orders/${first.id}/pay`, { token: admin.token }), 200);

    const company = `companyId=${admin.companyId}`;
    expect(await idsOf(company)).toEqual([second.id, first.id]);
    expect(await idsOf(`${company}&number=${second.number.toLowerCase()}`)).toEqual([second.id]);
    expect(await idsOf(`number=${first.number}`)).toEqual([first.id]);
    expect(await idsOf(`${company}&number=${foreign.number}`)).toEqual([]);
    expect(await idsOf(`${company}&status=succeeded`)).toEqual([first.id]);
    expect(await idsOf(`${company}&status=Processing`)).toEqual([second.id]);
    expect(await idsOf(`${company}&status=Failed`)).toEqual([]);
    expect(await idsOf('startAt=2031-05-01&endAt=2031-05-31')).toEqual([foreign.id, first.id]);
    expect(await idsOf('startAt=2031-05-01&endAt=2031-05-30')).toEqual([]);
    expect(await idsOf('status=Succeeded&startAt=2031-05-01T00:00:00Z')).toEqual([first.id]);
    expect(await idsOf(`companyId=${randomUUID()}`)).toEqual([]);

    const everything = expectStatus(await list('perPage=1'), 200).body;
    expect(everything.data).toMatchObject([{ id: foreign.id, companyId: other.companyId, payment: null }]);
    expect(everything.total).toBe((await idsOf('')).length);
    expect((await list('perPage=1&page=2')).body.data).toMatchObject([{ id: second.id }]);
  });

  it.each([
    ['companyId', 'companyId=12'],
    ['number', 'number=12'],
    ['status', 'status=Open'],
    ['startAt', 'startAt=2031-06-01&endAt=2031-05-01'],
    ['page', 'page=0'],
  ])('rejects with 400 on %s: %s', async (field, query) => {
    expect(expectStatus(await list(query), 400).body.error.details[0].field).toBe(field);
  });
});

it('an invoice of a billing run is due this many days after the run, and shows the run to the operator', async () => {
  const admin = await signUpAdmin(service);
  expectStatus(await putSettings(service, admin.companyId, { netDays: 120 }), 200);
  await setPrice(service, { path: '/due', unitAmount: '1.00' });
  await use(service, admin, '/due', 5, '2026-10-10T00:00:00Z');
  const { id: runId } = await runMonth(service, '2026-10');
  const invoices = await invoicesOf(service, admin);
  expect(invoices).toMatchObject([{ total: '5.00', dueAt: '2027-03-31T09:00:00.000Z' }]);
  const [{ id }] = invoices;
  const { body } = await service.call('GET', `/operator/invoices/${id}`, { token: service.operatorKey });
  expect(body).toMatchObject({ id, runId });
  expect((await read(admin, id)).body).not.toHaveProperty('runId');
});

describe('the filters of GET /operator/invoices', () => {
  it('find by method, currency, amount, creation and run, and combine', async () => {
    const admin = await signUpAdmin(service);
    const { owner } = service.database;
    const line = (currency: string, amount: string) => ({ details: [{ title: 'Speech', currency, amount }] });
    const small = await issueInvoice(service, admin.companyId, line('USD', '10.00'));
    const big = await issueInvoice(service, admin.companyId, { ...line('USD', '500.00'), method: 'paypal' });
    const krone = await issueInvoice(service, admin.companyId, line('SEK', '500.00'));
    const at = (id: string, instant: string) => owner`UPDATE invoices SET created_at = ${instant} WHERE id = ${id}`;
    await at(small.id, '2020-01-01T00:00:00Z');
    await at(big.id, '2020-01-31T23:59:59Z');
    await at(krone.id, '2020-02-01T00:00:00Z');

    expect(await idsOf('currency=SEK')).toEqual([krone.id]);
    expect(await idsOf('from=2020-01-01&to=2020-02-01')).toEqual([big.id, small.id]);
    expect(await idsOf(`from=2020-01-01&to=2020-02-02&min=500&companyId=${admin.companyId}`)).toEqual([
      krone.id,
      big.id,
    ]);
    expect(await idsOf('from=2020-01-01&to=2020-02-02&max=10.00')).toEqual([small.id]);
    expect(await idsOf('to=2020-02-02&method=PayPal&currency=USD')).toEqual([big.id]);
    expect(await idsOf(`method=paypal&companyId=${admin.companyId}`)).toEqual([big.id]);
    expect(await idsOf(`method=card&status=processing&companyId=${admin.companyId}`)).toEqual([krone.id, small.id]);
    for (const query of ['min=2&max=1', 'from=2020-02-01&to=2020-01-01', 'runId=x'])
      expectStatus(await list(query), 400);

    await setPrice(service, {});
    await use(service, admin, '/v1/transcriptions', 7, '2026-11-03T00:00:00Z');
    const run = await runMonth(service, '2026-11');
    const { data } = expectStatus(await list(`runId=${run.id}`), 200).body;
    expect(data.map(({ companyId }: { companyId: string }) => companyId)).toEqual([admin.companyId]);
    expect(await idsOf(`runId=${randomUUID()}`)).toEqual([]);
    const file = await service.call('GET', '/operator/invoices.csv?from=2020-01-01&to=2020-02-02', {
      token: service.operatorKey,
    });
    expect(
      file.text
        .split('\r\n')
        .slice(1, 4)
        .map((row) => row.split(',')[4]),
    ).toEqual([krone.id, big.id, small.id]);
  });

  it('the rows have the name of the company', async () => {
    const admin = await signUpAdmin(service);
    const { number } = await issueInvoice(service, admin.companyId);
    const nameOf = async () => expectStatus(await list(`number=${number}`), 200).body.data[0].companyName;
    expect(await nameOf()).toBe(admin.email);
    await service.call('PUT', `/operator/companies/${admin.companyId}`, {
      token: service.operatorKey,
      body: { name: 'Navy' },
    });
    expect(await nameOf()).toBe('Navy');
    const body = { organization: 'Analytical Engines' };
    await service.call('PUT', '/payments/billing-information', { token: admin.token, body });
    expect(await nameOf()).toBe('Analytical Engines');
  });
});
