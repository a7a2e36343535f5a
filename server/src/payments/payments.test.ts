import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, issueInvoice, saveCard, signUpAdmin } from '../../test/actors.ts';
import { startTestService, type TestService } from '../../test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

describe('PUT /payments/orders/{invoice_id}/pay', () => {
  it('charges the only card and sets paymentId', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    const invoice = await issueInvoice(service, admin.companyId);
    const paid = await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: admin.token });
    expect(paid.status).toBe(200);
    expect(paid.body).toMatchObject({ status: 'Succeeded', total: '48.00', paymentId: expect.any(String) });
    const list = await service.call('GET', '/payments/orders', { token: admin.token });
    expect(list.body.data[0].payment).toMatchObject({ id: paid.body.paymentId, status: 'Succeeded', amount: '48.00' });
  });

  it('answers 402 with the decline code, fails the invoice, and lets another card pay it', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { cardNumber: CARDS.insufficientFunds });
    const invoice = await issueInvoice(service, admin.companyId);
    const refused = await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: admin.token });
    expect(refused.status).toBe(402);
    expect(refused.body.error).toMatchObject({ code: 'card_declined', declineCode: 'insufficient_funds' });
    await saveCard(service, admin, { isDefault: true });
    const paid = await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: admin.token });
    expect(paid.body.status).toBe('Succeeded');
  });
});
