import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credit } from '../../../../test/billing/invoice-documents.ts';
import { type Actor, CARDS, expectStatus, issueInvoice, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { findNumberViolations } from '../../../../test/invariants/invariants.numbers.ts';
import { type Payable, preparePayable } from '../../../../test/payments/charge.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

/** An invoice of 100.00 USD and 7.7 % of tax. */
const TAXED = {
  taxRate: '7.7',
  details: [{ title: 'Speech to text', path: '/v1/speech', totalRequest: 1, currency: 'USD', amount: '100.00' }],
};

async function listNotes({ token }: Actor, invoiceId: string, query = '') {
  return expectStatus(await service.call('GET', `/payments/orders/${invoiceId}/credit-notes${query}`, { token }), 200)
    .body;
}

async function readInvoice({ token }: Actor, invoiceId: string) {
  return (await service.call('GET', `/payments/orders?receipt=${invoiceId}`, { token })).body.data[0];
}

/** The status and code of an answer. */
const outcome = ({ status, body }: Answer) => [status, body?.error?.code ?? null];

/** Returns what the card was charged for a paid invoice. */
async function chargedAmount({ admin, invoice }: Payable): Promise<string> {
  return (await readInvoice(admin, invoice.id)).payment.amount;
}

describe('a credit note', () => {
  it('reduces what is due by an amount that includes tax', async () => {
    const payable = await preparePayable(service, { invoice: TAXED });
    const { admin, invoice } = payable;
    const { body } = expectStatus(await credit(service, invoice.id, { amount: '10.77' }), 201);
    expect(body).toEqual({
      id: expect.any(String),
      companyId: admin.companyId,
      companyExternalId: null,
      number: expect.stringMatching(/^CN-\d{6}$/),
      reference: null,
      invoiceId: invoice.id,
      invoiceNumber: (await readInvoice(admin, invoice.id)).number,
      reason: 'Outage of 3 October',
      currency: 'USD',
      taxRate: '7.7',
      taxes: [{ rate: '7.7', net: '10.00', tax: '0.77' }],
      details: [],
      subTotal: '10.00',
      tax: '0.77',
      total: '10.77',
      afterPayment: false,
      createdAt: expect.stringMatching(/Z$/),
    });
    const issued = await readInvoice(admin, invoice.id);
    expect(issued).toMatchObject({ subTotal: '100.00', tax: '7.70', total: '107.70', creditedTotal: '10.77' });
    expectStatus(await payable.pay(), 200);
    expect(await chargedAmount(payable)).toBe('96.93');
    const { captures } = await service.sandbox.readLedger();
    expect(captures.at(-1)).toMatchObject({ amountMinor: 9_693n, currency: 'USD' });
  });

  it('accepts lines, rounds each once, and adds the invoice’s tax', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId, TAXED);
    const details = [
      { title: 'Failed requests', amount: '8.005' },
      { title: 'Kept discount', amount: -1 },
    ];
    const { body } = expectStatus(await credit(service, id, { details }), 201);
    expect(body).toMatchObject({ subTotal: '7.01', tax: '0.54', total: '7.55' });
    expect(body.details).toEqual([
      { title: 'Failed requests', amount: 8.01 },
      { title: 'Kept discount', amount: -1 },
    ]);
  });

  it.each([
    ['JPY', '1000', '10.5', '105'],
    ['USD', '100.01', '7.7', '107.71'],
    ['KWD', '10.001', '33.333', '13.335'],
    ['USD', '0.03', '100', '0.06'],
    ['USD', '5.00', '0', '5.00'],
  ])('%s %s at %s %%: parts credit the total and its tax exactly, to the last minor unit', async (...of) => {
    const [currency, amount, taxRate] = of;
    const admin = await signUpAdmin(service);
    const details = [{ title: 'x', path: '/x', totalRequest: 1, currency, amount }];
    const invoice = await issueInvoice(service, admin.companyId, { taxRate, details });
    const digits = invoice.total.split('.')[1].length;
    const toUnits = (text: string) => BigInt(text.replace('.', ''));
    const toText = (units: bigint) => {
      const digitsText = units.toString().padStart(digits + 1, '0');
      return `${digitsText.slice(0, -digits)}.${digitsText.slice(-digits)}`;
    };
    // JPY has no decimals, but answers show two.
    const step = currency === 'JPY' ? 100n : 1n;
    const sums = { subTotal: 0n, tax: 0n, total: 0n };
    for (let rest = toUnits(invoice.total); rest > 0n; rest = toUnits(invoice.total) - sums.total) {
      const part = (BigInt(randomInt(1_000)) * rest) / (2_000n * step) + 1n;
      const text = part * step * 4n > toUnits(invoice.total) || rest < 6n * step ? rest : part * step;
      const { body } = expectStatus(
        await credit(service, invoice.id, { amount: toText(text > rest ? rest : text) }),
        201,
      );
      expect(toUnits(body.tax)).toBeGreaterThanOrEqual(0n);
      expect(toUnits(body.subTotal)).toBeGreaterThanOrEqual(0n);
      for (const field of ['subTotal', 'tax', 'total'] as const) sums[field] += toUnits(body[field]);
    }
    expect(sums).toEqual({
      subTotal: toUnits(invoice.subTotal),
      tax: toUnits(invoice.tax),
      total: toUnits(invoice.total),
    });
    expect((await credit(service, invoice.id, { amount: toText(step) })).body.error.code).toBe(
      'credit_exceeds_invoice',
    );
  });

  it("needs an amount or lines, above zero and no finer than the currency's minor unit", async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    const line = { title: 'x', amount: '1.00' };
    for (const [body, field] of [
      [{}, 'amount'],
      [{ amount: '1.00', details: [line] }, 'amount'],
      [{ amount: '0' }, 'amount'],
      [{ amount: '-1.00' }, 'amount'],
      [{ amount: '0.001' }, 'amount'],
      [{ amount: '1e2' }, 'amount'],
      [{ details: [] }, 'details'],
      [{ details: [{ ...line, amount: '-1' }] }, 'details'],
      [{ details: [{ ...line, amount: '0.004' }] }, 'details'],
      [{ details: [{ ...line, title: '' }] }, 'details[0].title'],
      [{ details: [line], reason: ' ' }, 'reason'],
    ] as const) {
      const answer = expectStatus(await credit(service, id, body), 400);
      expect([body, answer.body.error.details[0].field]).toEqual([body, field]);
    }
    expect(await listNotes(admin, id)).toMatchObject({ total: 0, data: [] });
    expect(outcome(await credit(service, randomUUID(), { amount: '1.00' }))).toEqual([404, 'not_found']);
  });

  it('never exceeds what is left, however many are created in parallel, and its numbers have no gap', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    expect(outcome(await credit(service, id, { amount: '48.01' }))).toEqual([409, 'credit_exceeds_invoice']);
    const answers = await Promise.all(Array.from({ length: 8 }, () => credit(service, id, { amount: '10.00' })));
    const outcomes = answers.map((answer) => outcome(answer).join(' ')).sort();
    expect(outcomes).toEqual([...Array(4).fill('201 '), ...Array(4).fill('409 credit_exceeds_invoice')]);
    expect(await readInvoice(admin, id)).toMatchObject({ creditedTotal: '40.00', status: 'Processing' });
    const other = await issueInvoice(service, admin.companyId);
    expectStatus(await credit(service, other.id, { amount: '1.00' }), 201);
    expect((await listNotes(admin, id)).total + (await listNotes(admin, other.id)).total).toBe(5);
    expect(await findNumberViolations(service.database.owner)).toEqual([]);
  });

  it('is created once per idempotency key', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    const key = { 'idempotency-key': randomUUID() };
    const first = expectStatus(await credit(service, id, { amount: '5.00' }, key), 201);
    const again = expectStatus(await credit(service, id, { amount: '5.00' }, key), 201);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(outcome(await credit(service, id, { amount: '6.00' }, key))).toEqual([422, 'idempotency_key_reused']);
    expect((await listNotes(admin, id)).total).toBe(1);
  });

  it('of a paid invoice does not change what was paid, and says that a refund is due', async () => {
    const payable = await preparePayable(service);
    const { admin, invoice } = payable;
    expectStatus(await payable.pay(), 200);
    const { body } = expectStatus(await credit(service, invoice.id, { amount: '48.00' }), 201);
    expect(body).toMatchObject({ afterPayment: true, total: '48.00' });
    expect(await readInvoice(admin, invoice.id)).toMatchObject({ status: 'Succeeded', creditedTotal: '48.00' });
    expectStatus(await payable.pay(), 200);
    expect(await chargedAmount(payable)).toBe('48.00');
  });

  it('for the whole invoice leaves nothing to charge: paying needs no card', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    expectStatus(await credit(service, id, { amount: '48.00' }), 201);
    const paid = expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token }), 200);
    expect(paid.body.status).toBe('Succeeded');
    expect((await readInvoice(admin, id)).payment).toMatchObject({ amount: '0.00', gateway: 'none', cardId: null });
  });

  it('of a Failed invoice lowers the next charge', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    expect(outcome(await payable.pay())).toEqual([402, 'card_declined']);
    expectStatus(await credit(service, payable.invoice.id, { amount: '8.00' }), 201);
    expect(outcome(await payable.pay())).toEqual([402, 'card_declined']);
    expect(await chargedAmount(payable)).toBe('40.00');
  });

  it('is refused until the outcome of a running payment is known', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expectStatus(await payable.pay(), 202);
    const refused = await credit(service, payable.invoice.id, { amount: '1.00' });
    expect(outcome(refused)).toEqual([409, 'payment_in_progress']);
    expect(refused.headers.get('retry-after')).toBe('5');
    await service.reconcileNow();
    const { body } = expectStatus(await credit(service, payable.invoice.id, { amount: '1.00' }), 201);
    expect(body.afterPayment).toBe(true);
  });

  it('is refused while a payment is under review', async () => {
    const { invoice, pay } = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await pay(), 202);
    await service.database
      .owner`UPDATE payments SET state = 'needs_review', reconcile_at = NULL WHERE invoice_id = ${invoice.id}`;
    expect(outcome(await credit(service, invoice.id, { amount: '1.00' }))).toEqual([409, 'payment_under_review']);
  });
});

describe('the credit notes of an invoice', () => {
  it('are listed for the company and for the operator, newest first, page by page', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    for (const amount of ['1.00', '2.00', '3.00']) expectStatus(await credit(service, id, { amount }), 201);
    const all = await listNotes(admin, id);
    expect(all).toMatchObject({ total: 3, page: 1, perPage: 10 });
    expect(all.data.map(({ total }: { total: string }) => total)).toEqual(['3.00', '2.00', '1.00']);
    const second = await listNotes(admin, id, '?page=2&perPage=2');
    expect(second).toEqual({ total: 3, page: 2, perPage: 2, data: [all.data[2]] });
    const path = `/operator/invoices/${id}/credit-notes`;
    const withExternalIds = all.data.map((note: object) => ({ ...note, companyExternalId: null }));
    const operators = await service.call('GET', path, { token: service.operatorKey });
    expect(operators.body).toEqual({ ...all, data: withExternalIds });
    const other = await signUpAdmin(service);
    const foreign = await service.call('GET', `/payments/orders/${id}/credit-notes`, { token: other.token });
    expect(outcome(foreign)).toEqual([404, 'not_found']);
  });

  // Security (Tenants): The service's role may only add credit notes
  it('never change: the service can only insert them', async () => {
    const { db } = service.database;
    await expect(db`UPDATE credit_notes SET total = 0`).rejects.toThrow(/permission denied/);
    await expect(db`DELETE FROM credit_notes`).rejects.toThrow(/permission denied/);
  });
});
