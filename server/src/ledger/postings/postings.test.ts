import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  expectSoundBooks,
  prepareInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { givenBack, postingsOf, postRefund, preparePaid, refundsOf } from '../../../test/payments/refunds.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(() => expectSoundBooks(service));
afterAll(() => service?.stop());

const preview = (id: string, query: string) =>
  service.call('GET', `/operator/invoices/${id}/postings?${query}`, { token: service.operatorKey });
const readPreview = async (id: string, query: string) => expectStatus(await preview(id, query), 200).body;
const taxed = { taxRate: '20' };

/** All that an action leaves: its documents, numbers, events, marks and entries of the audit log. */
async function readTraces() {
  const [row] = await service.database.owner`
    SELECT (SELECT json_agg(row_to_json(number_series) ORDER BY prefix) FROM number_series)::text AS numbers,
           (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM marks) AS marks, (SELECT count(*) FROM mails) AS mails,
           (SELECT count(*) FROM audit_contents) AS audit, (SELECT count(*) FROM credit_notes) AS notes,
           (SELECT count(*) FROM refunds) AS refunds, (SELECT count(*) FROM ledger_postings) AS postings`;
  return row;
}

describe('the postings of an action, before it is done', () => {
  it('of a void take back what the invoice posted', async () => {
    const { invoice } = await prepareInvoice(service, await signUpAdmin(service), taxed);
    expect(await readPreview(invoice.id, 'of=void')).toEqual({
      data: [
        { account: 'receivable', currency: 'USD', debit: null, credit: '57.60' },
        { account: 'revenue', currency: 'USD', debit: '48.00', credit: null },
        { account: 'tax', currency: 'USD', debit: '9.60', credit: null },
      ],
      amountDue: '0.00',
    });
  });

  it('of a credit note divide its amount, and say what stays due', async () => {
    const admin = await signUpAdmin(service);
    const { invoice } = await prepareInvoice(service, admin, taxed);
    const { data, amountDue } = await readPreview(invoice.id, 'of=credit_note&amount=12');
    expect(amountDue).toBe('45.60');
    expectStatus(await credit(service, invoice.id, { amount: '12' }), 201);
    const posted = (await postingsOf(service, admin.companyId)).slice(-3);
    const shown = data.map(
      (row: { account: string; debit: string; credit: string }) =>
        `credit_note_issued ${row.account} ${row.debit ?? `-${row.credit}`}`,
    );
    expect(shown).toEqual(posted);
  });

  it('of a refund are those of its settlement, without a call to the gateway', async () => {
    const paid = await preparePaid(service, { credit: '8.00' });
    expect(await readPreview(paid.invoice.id, 'of=refund')).toEqual({
      data: [
        { account: 'revenue', currency: 'USD', debit: '48.00', credit: null },
        { account: 'cash:sandbox', currency: 'USD', debit: null, credit: '40.00' },
        { account: 'credit', currency: 'USD', debit: null, credit: '8.00' },
      ],
      amountDue: '0.00',
    });
    expect(await givenBack(service, paid)).toEqual([]);
    expect(await refundsOf(service, paid)).toEqual([]);
    expectStatus(await postRefund(service, paid), 201);
  });

  it('leave no trace: no document, number, event, mail, mark or entry of the audit log', async () => {
    const paid = await preparePaid(service);
    const { invoice } = await prepareInvoice(service, await signUpAdmin(service));
    const before = await readTraces();
    await readPreview(invoice.id, 'of=void');
    await readPreview(invoice.id, 'of=credit_note&amount=12');
    await readPreview(paid.invoice.id, 'of=refund&amount=12');
    expect(await readTraces()).toEqual(before);
  });

  it('are refused as the action is', async () => {
    const paid = await preparePaid(service);
    const { invoice } = await prepareInvoice(service, await signUpAdmin(service));
    const code = async (id: string, query: string) => (await preview(id, query)).body.error.code;
    expect(await code(paid.invoice.id, 'of=void')).toBe('invoice_paid');
    expect(await code(invoice.id, 'of=credit_note&amount=48.01')).toBe('credit_exceeds_invoice');
    expect(await code(invoice.id, 'of=refund')).toBe('payment_not_captured');
    expect(await code(paid.invoice.id, 'of=refund&amount=48.01')).toBe('refund_exceeds_payment');
    expect(await code(invoice.id, 'of=credit_note')).toBe('invalid_request');
    expect(await code(invoice.id, 'of=void&amount=1')).toBe('invalid_request');
    expect(await code(randomUUID(), 'of=void')).toBe('not_found');
  });
});
