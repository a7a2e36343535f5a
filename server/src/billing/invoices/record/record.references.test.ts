/**
 * The operator's references of invoices and credit notes: a repeated request creates nothing twice, even after its key
 * is gone.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../../test/billing/billing.ts';
import { credit } from '../../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, invoiceBody, issueInvoice, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(async () => service?.stop());

const issue = (changes: object, { companyId } = admin) =>
  service.call('POST', '/operator/invoices', { token: service.operatorKey, body: invoiceBody(companyId, changes) });

describe('the reference of an invoice', () => {
  const rich = { taxRate: '20.0', metadata: { b: 1, a: 'x' }, startAt: '2026-10-01T02:00:00+02:00' };

  it('repeats the answer to the same request, even if its idempotency key is gone', async () => {
    const first = expectStatus(await issue({ ...rich, reference: 'order 1' }), 201).body;
    expect(first.reference).toBe('order 1');
    const again = { ...rich, taxRate: '20', metadata: { a: 'x', b: 1 }, startAt: '2026-10-01T00:00:00Z' };
    expect(expectStatus(await issue({ ...again, reference: ' order 1 ' }), 200).body).toEqual(first);
    const listed = await service.call('GET', `/payments/orders?receipt=${first.id}`, { token: admin.token });
    expect(listed.body.data).toMatchObject([{ id: first.id, reference: 'order 1' }]);
  });

  it('is refused for a different request, and is free in another company', async () => {
    const first = expectStatus(await issue({ ...rich, reference: 'order-2' }), 201).body;
    const others = [{ taxRate: '19' }, { metadata: null }, { method: 'paypal' }, { endAt: '2026-11-02T00:00:00Z' }];
    for (const other of others) {
      const refused = expectStatus(await issue({ ...rich, ...other, reference: 'order-2' }), 409);
      expect(refused.body.error).toMatchObject({ code: 'reference_taken', details: [{ field: 'reference' }] });
    }
    const elsewhere = expectStatus(await issue({ ...rich, reference: 'order-2' }, await signUpAdmin(service)), 201);
    expect(elsewhere.body.id).not.toBe(first.id);
  });

  it('creates one invoice for ten parallel requests, without a gap in the numbers', async () => {
    const company = await signUpAdmin(service);
    const answers = await Promise.all(Array.from({ length: 10 }, () => issue({ reference: 'at once' }, company)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { total } = (await service.call('GET', '/payments/orders', { token: company.token })).body;
    expect(total).toBe(1);
  });

  it("can't be the id of another invoice, which already identifies that one", async () => {
    const { id } = await issueInvoice(service, admin.companyId);
    expect(expectStatus(await issue({ reference: id, taxRate: '3' }), 409).body.error.code).toBe('reference_taken');
  });

  it.each(['', ' ', 'x'.repeat(256), 5, null])('has 1 to 255 characters: %j is rejected', async (reference) => {
    const refused = expectStatus(await issue({ reference }), 400);
    expect(refused.body.error.details).toMatchObject([{ field: 'reference' }]);
  });
});

describe('the reference of a credit note', () => {
  it('repeats the answer to the same request, and is refused for a different one', async () => {
    const [invoice, other] = [
      await issueInvoice(service, admin.companyId),
      await issueInvoice(service, admin.companyId),
    ];
    const reference = `return ${randomUUID()}`;
    const first = expectStatus(await credit(service, invoice.id, { amount: '10.00', reference }), 201).body;
    expect(first.reference).toBe(reference);
    expect(expectStatus(await credit(service, invoice.id, { amount: '10', reference }), 200).body).toEqual(first);
    const changes = [{ amount: '11.00' }, { amount: '10.00', reason: 'Another' }];
    for (const change of changes) {
      const refused = expectStatus(await credit(service, invoice.id, { ...change, reference }), 409);
      expect(refused.body.error).toMatchObject({ code: 'reference_taken', details: [{ field: 'reference' }] });
    }
    expectStatus(await credit(service, other.id, { amount: '10.00', reference }), 409);
    const lines = { details: [{ title: 'Outage', amount: '5.00' }], reference: `${reference} by lines` };
    const byLines = expectStatus(await credit(service, other.id, lines), 201).body;
    expect(expectStatus(await credit(service, other.id, lines), 200).body).toEqual(byLines);
  });

  it('creates one credit note for ten parallel requests', async () => {
    const invoice = await issueInvoice(service, admin.companyId);
    const body = { amount: '1.00', reference: `at once ${randomUUID()}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => credit(service, invoice.id, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
  });
});

it("the id of a billing run's invoice has the time of its period's end", async () => {
  await setPrice(service, { path: '/v1/timed', unitAmount: '1.00' });
  await use(service, admin, '/v1/timed', 5, '2025-01-10T00:00:00Z');
  await runMonth(service, '2025-01');
  const [invoice] = await invoicesOf(service, admin);
  expect(invoice).toMatchObject({ reference: null, endAt: '2025-02-01T00:00:00.000Z' });
  const milliseconds = Number.parseInt(invoice.id.replaceAll('-', '').slice(0, 12), 16);
  expect(new Date(milliseconds).toISOString()).toBe(invoice.endAt);
});
