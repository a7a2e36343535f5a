import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

async function log({ token }: Actor, query = '') {
  return expectStatus(await service.call('GET', `/company/audit-log?${query}`, { token }), 200).body.data;
}

const operator = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });

describe('money', () => {
  it('is in the log with who asked for it: the invoice, the payment, the refund, the credit note', async () => {
    const admin = await signUpAdmin(service);
    const cardId = await saveCard(service, admin);
    const invoice = await issueInvoice(service, admin.companyId);
    const path = `/payments/orders/${invoice.id}/pay`;
    const { body: paid } = expectStatus(await service.call('PUT', path, { token: admin.token }), 200);
    expectStatus(await service.call('PUT', path, { token: admin.token }), 200);
    const refund = { amount: '8.00', reason: 'Outage' };
    const { body: refunded } = expectStatus(
      await operator('POST', `/operator/payments/${paid.paymentId}/refunds`, refund),
      201,
    );
    const entries = await log(admin, 'per_page=3');
    expect(entries).toMatchObject([
      {
        action: 'refund.created',
        actor: { kind: 'operator_key', name: 'first', ip: null, user_agent: null },
        target: { kind: 'refund', id: refunded.id },
        changes: {
          before: {},
          after: { paymentId: paid.paymentId, amount: '8.00', currency: 'USD', reason: 'Outage' },
        },
      },
      {
        action: 'payment.created',
        actor: { kind: 'user', id: admin.userId },
        target: { kind: 'payment', id: paid.paymentId },
        changes: { before: {}, after: { invoiceId: invoice.id, cardId, amount: '48.00', creditAmount: '0.00' } },
      },
      {
        action: 'invoice.created',
        actor: { kind: 'operator_key' },
        target: { kind: 'invoice', id: invoice.id, name: invoice.number },
        changes: { before: {}, after: { number: invoice.number, total: '48.00', currency: 'USD' } },
      },
    ]);
  });

  it('is recorded once for a payment that credit covers, and for a charge by the operator', async () => {
    const admin = await signUpAdmin(service);
    const credit = { amount: '48.00', currency: 'USD', reason: 'Goodwill' };
    expectStatus(await operator('POST', `/operator/companies/${admin.companyId}/credits`, credit), 201);
    const invoice = await issueInvoice(service, admin.companyId);
    expectStatus(await operator('POST', `/operator/invoices/${invoice.id}/charge`), 200);
    const [payment] = await log(admin, 'action=payment.created');
    expect(payment).toMatchObject({
      actor: { kind: 'operator_key' },
      changes: { after: { cardId: null, amount: '0.00', creditAmount: '48.00' } },
    });
    expect(await log(admin, 'action=credit.granted')).toMatchObject([
      { changes: { after: { amount: '48.00', reason: 'Goodwill' } } },
    ]);
  });

  it('that was not moved leaves no entry', async () => {
    const admin = await signUpAdmin(service);
    const invoice = await issueInvoice(service, admin.companyId);
    expectStatus(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: admin.token }), 402);
    expect(await log(admin, 'action=payment.created')).toEqual([]);
    expectStatus(await operator('POST', `/operator/invoices/${invoice.id}/void`), 200);
    const [voided] = await log(admin, `target=${invoice.id}`);
    expect(voided).toMatchObject({ action: 'invoice.voided', target: { name: invoice.number } });
    expect(voided.changes.before).toEqual({ state: 'open', voidedAt: null });
  });
});

describe('settings', () => {
  it('have the changed fields alone, whoever changes them', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    expectStatus(await service.call('PUT', '/payments/billing-information', { token, body: { city: 'London' } }), 200);
    const settings = `/operator/companies/${admin.companyId}/billing-settings`;
    expectStatus(await operator('PUT', settings, { netDays: 7 }), 200);
    const [byOperator, byUser] = await log(admin);
    expect(byUser).toMatchObject({ action: 'billing_information.updated', actor: { kind: 'user' } });
    expect(byUser.changes).toEqual({ before: { city: '' }, after: { city: 'London' } });
    expect(byOperator).toMatchObject({ action: 'billing_settings.updated', actor: { kind: 'operator_key' } });
    expect(byOperator.changes.after).toEqual({ netDays: 7 });
  });

  it('of the operator are in the log of no company, without secrets', async () => {
    const body = { url: 'https://example.com/hook' };
    const created = expectStatus(await operator('POST', '/operator/webhook-endpoints', body), 201).body;
    const path = `/operator/webhook-endpoints/${created.id}`;
    const rotated = expectStatus(await operator('POST', `${path}/rotate-secret`), 200).body;
    expectStatus(await operator('DELETE', path), 204);
    const list = await operator('GET', `/operator/audit-log?target=${created.id}`);
    expect(list.body.data).toMatchObject([
      { companyId: null, action: 'webhook_endpoint.deleted', target: { name: body.url } },
      { companyId: null, action: 'webhook_endpoint.secret_rotated' },
      { companyId: null, action: 'webhook_endpoint.created', changes: { after: { url: body.url } } },
    ]);
    expect(list.text).not.toContain(created.secret);
    expect(list.text).not.toContain(rotated.secret);
  });
});
