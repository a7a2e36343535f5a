import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPdf, fetchPdfAt } from '../../../test/billing/invoice-documents.ts';
import { CARDS, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { preparePayable } from '../../../test/payments/charge.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

const operator = (method: string, path: string, more: object = {}) =>
  service.call(method, path, { token: service.operatorKey, ...more });
const charge = (id: string, headers: Record<string, string> = {}) =>
  operator('POST', `/operator/invoices/${id}/charge`, { headers });

describe('the operator charges an invoice', () => {
  it('once, as the company would, and a repeat is the same', async () => {
    const { admin, invoice } = await preparePayable(service);
    const key = { 'idempotency-key': randomUUID() };
    const { body } = expectStatus(await charge(invoice.id, key), 200);
    expect(body).toMatchObject({ id: invoice.id, status: 'Succeeded', state: 'paid' });
    expect((await charge(invoice.id, key)).headers.get('idempotent-replayed')).toBe('true');
    expect((await charge(invoice.id)).body).toEqual(body);
    const { attempts } = (await service.call('GET', `/payments/orders/${invoice.id}`, { token: admin.token })).body;
    expect(attempts).toMatchObject([{ status: 'Succeeded', initiator: 'manual' }]);
  });

  it('gets the bank’s reason, or the answer that there is nothing to charge', async () => {
    const [declined, bare] = [await signUpAdmin(service), await signUpAdmin(service)];
    await saveCard(service, declined, { cardNumber: CARDS.insufficientFunds });
    const answers = [
      await charge((await issueInvoice(service, declined.companyId)).id),
      await charge((await issueInvoice(service, bare.companyId)).id),
      await charge(randomUUID()),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [402, 'card_declined'],
      [402, 'payment_method_required'],
      [404, 'not_found'],
    ]);
  });
});

describe('what the operator sees and corrects of a company', () => {
  it('the same PDF as the company gets', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    const own = await fetchPdf(service, admin, id);
    const path = `/operator/invoices/${id}/pdf`;
    const { headers, bytes } = await fetchPdfAt(service, { ...admin, token: service.operatorKey }, path);
    expect(bytes.equals(own.bytes)).toBe(true);
    expect(headers.get('content-disposition')).toBe(own.headers.get('content-disposition'));
  });

  // Security (Amounts, documents and card data): The operator's corrections of billing information are stored with the previous values
  it('the billing information, whose corrections are kept with the previous values', async () => {
    const admin = await signUpAdmin(service);
    const path = `/operator/companies/${admin.companyId}/billing-information`;
    const own = () => service.call('GET', '/payments/billing-information', { token: admin.token });
    const asTheOperatorSeesIt = async () => ({ ...(await own()).body, companyExternalId: null });
    expect((await operator('GET', path)).body).toEqual(await asTheOperatorSeesIt());
    const first = { organization: 'Engines', taxId: 'DE1', city: '' };
    const { body } = expectStatus(await operator('PUT', path, { body: first }), 200);
    expect(body).toMatchObject({ organization: 'Engines', taxId: 'DE1' });
    expect(await asTheOperatorSeesIt()).toEqual(body);
    expectStatus(await operator('PUT', path, { body: { organization: 'Engines', taxId: 'DE123456789' } }), 200);
    expectStatus(await operator('PUT', path, { body: { organization: 'Engines' } }), 200);
    const { total, data } = (await operator('GET', `${path}/changes`)).body;
    expect([total, data]).toMatchObject([
      2,
      [
        { changedBy: 'operator', before: { taxId: 'DE1' }, after: { taxId: 'DE123456789' } },
        {
          changedBy: 'operator',
          before: { organization: '', taxId: '' },
          after: { organization: 'Engines', taxId: 'DE1' },
        },
      ],
    ]);
    expect(data[1].before).toEqual({ organization: '', taxId: '' });
    const { data: newest } = (await operator('GET', `${path}/changes?perPage=1`)).body;
    expect(newest).toEqual([data[0]]);
    const unknown = `/operator/companies/${randomUUID()}/billing-information`;
    const answers = await Promise.all([
      operator('GET', unknown),
      operator('PUT', unknown, { body: first }),
      operator('GET', `${unknown}/changes`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
