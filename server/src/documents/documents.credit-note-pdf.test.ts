import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSeller, credit, fetchPdfAt, readCreditNotePdf } from '../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../test/customers/actors.ts';
import type { Answer } from '../../test/harness/request.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { preparePayable } from '../../test/payments/charge.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await changeSeller(service, { name: 'Northwind Interfaces Ltd', footerText: 'Payable within 14 days.' });
});
afterAll(async () => service?.stop());

const dayOf = (instant: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));

async function signUpBuyer(email?: string): Promise<Actor> {
  const admin = await signUpAdmin(service, email);
  const body = { organization: 'Analytical Engines GmbH', city: 'Berlin' };
  expectStatus(await service.call('PUT', '/payments/billing-information', { token: admin.token, body }), 200);
  return admin;
}

async function creditNoteOf(invoiceId: string, body: object): Promise<string> {
  return (await creditOf(invoiceId, body)).id;
}

async function creditOf(invoiceId: string, body: object): Promise<Answer['body']> {
  return expectStatus(await credit(service, invoiceId, body), 201).body;
}

describe('GET /payments/credit-notes/{credit_note_id}/pdf', () => {
  it('names the invoice that it corrects, the reason, the lines, the tax and the credited amount', async () => {
    const admin = await signUpBuyer('ada@engines.example');
    const invoice = await issueInvoice(service, admin.companyId, { taxRate: '20' });
    const { id, number: invoiceNumber } = invoice;
    const reason = 'Outage of 3 October\nWe are sorry.';
    const details = [
      { title: 'Requests that failed', amount: '8.00' },
      { title: 'Goodwill', amount: '1.50' },
    ];
    const { id: noteId, number, createdAt } = await creditOf(id, { reason, details });
    const { text, pages, information } = await readCreditNotePdf(service, admin, noteId);
    expect(pages).toHaveLength(1);
    expect(text.split('\n')).toEqual([
      ...['Credit note', 'Northwind Interfaces Ltd'],
      ...['Credit note', number, 'Date of issue', dayOf(createdAt)],
      ...[
        'Corrects invoice',
        `${invoiceNumber}, issued on ${dayOf(invoice.createdAt)}`,
        'Billing period',
        '1 October 2026 – 31 October 2026',
      ],
      ...['From', 'Northwind Interfaces Ltd', 'Bill to', 'Analytical Engines GmbH', 'Berlin', admin.email],
      ...['$11.40 credited', 'Reason: Outage of 3 October', 'We are sorry.'],
      `It lowers what is to be paid of invoice ${invoiceNumber}.`,
      ...['Description', 'Amount', '$8.00', 'Requests that failed', '$1.50', 'Goodwill'],
      ...['Subtotal', '$9.50', 'Tax (20%)', '$1.90', 'Total credited', '$11.40'],
      ...[`Credit note ${number}`, 'Page 1 of 1'],
    ]);
    expect(information).toMatchObject({ Title: `Credit note ${number}`, Author: 'Northwind Interfaces Ltd' });
  });

  it('has one line if it credits an amount, and says that a refund is due if the invoice was paid', async () => {
    const { admin, invoice, pay } = await preparePayable(service);
    expectStatus(await pay(), 200);
    const { id: noteId, invoiceNumber } = await creditOf(invoice.id, { amount: '5.00' });
    const { text } = await readCreditNotePdf(service, admin, noteId);
    expect(text).toContain(`\nInvoice ${invoiceNumber} was paid before: this amount is to be refunded.\n`);
    expect(text).toContain(`\n$5.00\nCredit on invoice ${invoiceNumber}\nSubtotal\n$5.00\n`);
    expect(text).not.toContain('Requests');
  });

  it('is named after its own number', async () => {
    const admin = await signUpBuyer();
    const { id } = await issueInvoice(service, admin.companyId);
    const { number } = await creditOf(id, { amount: '1.00' });
    const listed = await service.call('GET', `/payments/orders/${id}/credit-notes`, { token: admin.token });
    const path = `/payments/credit-notes/${listed.body.data[0].id}/pdf`;
    const [first, second] = [await fetchPdfAt(service, admin, path), await fetchPdfAt(service, admin, path)];
    expect(first.headers.get('content-type')).toBe('application/pdf');
    expect(first.headers.get('content-disposition')).toBe(`attachment; filename="${number}.pdf"`);
    expect(first.bytes.equals(second.bytes)).toBe(true);
  });

  it('of another company is a 404 without a PDF', async () => {
    const [admin, other] = [await signUpBuyer(), await signUpBuyer()];
    const { id } = await issueInvoice(service, admin.companyId);
    const path = `/payments/credit-notes/${await creditNoteOf(id, { amount: '1.00' })}/pdf`;
    const refused = await service.call('GET', path, { token: other.token });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
    expect(refused.headers.get('content-disposition')).toBeNull();
  });
});
