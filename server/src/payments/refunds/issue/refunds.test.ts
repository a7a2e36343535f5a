import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { putSettings, readLedger } from '../../../../test/billing/credits.ts';
import { credit } from '../../../../test/billing/invoice-documents.ts';
import { CARDS } from '../../../../test/customers/actors.ts';
import {
  type ChargeService,
  expectSoundBooks,
  paymentOf,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../../test/payments/charge.ts';
import { givenBack, postRefund, preparePaid, refundsOf } from '../../../../test/payments/refunds.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(() => expectSoundBooks(service));
afterAll(() => service?.stop());

const taxed = { invoice: { taxRate: '20' } };

async function creditNotesOf(paid: { admin: { token: string }; invoice: { id: string } }) {
  const path = `/payments/orders/${paid.invoice.id}/credit-notes`;
  return (await service.call('GET', path, { token: paid.admin.token })).body.data;
}

describe('a refund', () => {
  it('without an amount refunds everything, with a credit note for the whole invoice', async () => {
    const paid = await preparePaid(service, taxed);
    const answer = await postRefund(service, paid);
    expect(answer.status).toBe(201);
    const refund = { amount: '57.60', cardAmount: '57.60', creditAmount: '0.00', currency: 'USD', status: 'Succeeded' };
    expect(answer.body).toMatchObject({
      ...refund,
      paymentId: paid.paymentId,
      invoiceId: paid.invoice.id,
      reason: 'Outage',
    });
    expect(await givenBack(service, paid)).toEqual([5_760n]);
    const [note, ...others] = await creditNotesOf(paid);
    expect(others).toEqual([]);
    expect(note).toMatchObject({ id: answer.body.creditNoteId, subTotal: '48.00', tax: '9.60', total: '57.60' });
    expect(note).toMatchObject({ afterPayment: true, reason: 'Outage' });
    expect(await readInvoice(service, paid)).toMatchObject({
      status: 'Succeeded',
      creditedTotal: '57.60',
      refundedTotal: '57.60',
    });
  });

  it('of a part and then of the rest has the taxes of the invoice in all, and any more is 409', async () => {
    const paid = await preparePaid(service, taxed);
    for (const amount of ['0.01', '33.33', '24.25']) {
      expect(await postRefund(service, paid, { amount })).toMatchObject({ status: 201, body: { amount } });
    }
    const tooMuch = await postRefund(service, paid, { amount: '0.02' });
    expect([tooMuch.status, tooMuch.body.error.code]).toEqual([409, 'refund_exceeds_payment']);
    expect((await postRefund(service, paid)).body.amount).toBe('0.01');
    expect((await postRefund(service, paid)).body.error.code).toBe('refund_exceeds_payment');
    const notes = await creditNotesOf(paid);
    const sum = (field: string) =>
      notes.reduce((total: number, note: Record<string, string>) => total + Number(note[field]) * 100, 0);
    expect([Math.round(sum('tax')), Math.round(sum('total'))]).toEqual([960, 5_760]);
    expect((await refundsOf(service, paid)).map(({ amount }: { amount: string }) => amount)).toEqual([
      '0.01',
      '24.25',
      '33.33',
      '0.01',
    ]);
  });

  it('goes to the card first, and then becomes credit again', async () => {
    const paid = await preparePaid(service, { credit: '20.00' });
    const first = await postRefund(service, paid, { amount: '8.00' });
    expect(first.body).toMatchObject({ cardAmount: '8.00', creditAmount: '0.00' });
    const second = await postRefund(service, paid, { amount: '25.00' });
    expect(second.body).toMatchObject({
      amount: '25.00',
      cardAmount: '20.00',
      creditAmount: '5.00',
      status: 'Succeeded',
    });
    const path = `/payments/orders/${paid.invoice.id}`;
    const shown = (await service.call('GET', path, { token: paid.admin.token })).body.attempts[0].refunds;
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    const ended = { currency: 'USD', status: 'Succeeded', ...times };
    expect(shown).toEqual([
      { ...ended, id: first.body.id, amount: '8.00', creditAmount: '0.00' },
      { ...ended, id: second.body.id, amount: '25.00', creditAmount: '5.00' },
    ]);
    const third = await postRefund(service, paid);
    expect(third.body).toMatchObject({
      amount: '15.00',
      cardAmount: '0.00',
      creditAmount: '15.00',
      status: 'Succeeded',
    });
    expect(await givenBack(service, paid)).toEqual([800n, 2_000n]);
    const ledger = await readLedger(service, paid.admin.companyId);
    expect(ledger.balance).toBe('20.00');
    expect(ledger.data[0]).toMatchObject({ kind: 'refund', amount: '15.00', paymentId: paid.paymentId });
  });

  it('of an amount that was credited before has no second credit note', async () => {
    const paid = await preparePaid(service);
    expect((await credit(service, paid.invoice.id, { amount: '10.00' })).status).toBe(201);
    expect((await postRefund(service, paid, { amount: '6.00' })).body.creditNoteId).toBeNull();
    const { creditNoteId } = (await postRefund(service, paid, { amount: '7.00' })).body;
    const notes = await creditNotesOf(paid);
    expect(notes.map(({ id, total }: { id: string; total: string }) => [id === creditNoteId, total])).toEqual([
      [true, '3.00'],
      [false, '10.00'],
    ]);
  });

  it('is refused for a payment that has taken nothing, and for an unknown one', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    await payable.pay();
    const { id } = await paymentOf(service, payable);
    const refused = await postRefund(service, { paymentId: id });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'payment_not_captured']);
    expect((await postRefund(service, { paymentId: randomUUID() })).status).toBe(404);
  });

  it.each([
    ['zero', '0'],
    ['negative', '-1.00'],
    ['too precise', '1.001'],
    ['not a number', 'all'],
    ['with an exponent', '1e1'],
  ])('is 400 on amount when it is %s', async (_what, amount) => {
    const paid = await preparePaid(service);
    const answer = await postRefund(service, paid, { amount });
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, 'amount']);
  });

  it('of credit is refused once the company is billed in another currency', async () => {
    const paid = await preparePaid(service, { credit: '48.00' });
    expect((await putSettings(service, paid.admin.companyId, { currency: 'EUR' })).status).toBe(200);
    const refused = await postRefund(service, paid);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'credit_currency_differs']);
  });
});

describe('an idempotency key', () => {
  it('gets the same refund, whatever is left to refund by then', async () => {
    const paid = await preparePaid(service);
    const key = randomUUID();
    const first = await postRefund(service, paid, { amount: '40.00' }, key);
    const replayed = await postRefund(service, paid, { amount: '40.00' }, key);
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    await service.database.owner`DELETE FROM idempotency_keys`;
    const again = await postRefund(service, paid, { amount: '40.00' }, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await givenBack(service, paid)).toEqual([4_000n]);
  });

  it('with another amount or reason is 422', async () => {
    const paid = await preparePaid(service);
    const key = randomUUID();
    await postRefund(service, paid, { amount: '4.00' }, key);
    const expectRefusals = async () => {
      for (const body of [{ amount: '5.00' }, { amount: '4.00', reason: 'Another' }]) {
        expect((await postRefund(service, paid, body, key)).body.error.code).toBe('idempotency_key_reused');
      }
    };
    await expectRefusals();
    await service.database.owner`DELETE FROM idempotency_keys`;
    await expectRefusals();
    expect(await givenBack(service, paid)).toEqual([400n]);
  });

  it('that is sent twenty times at once makes one refund', async () => {
    const paid = await preparePaid(service);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postRefund(service, paid, { amount: '30.00' }, key)),
    );
    expect(new Set(answers.map(({ status }) => status)).has(201)).toBe(true);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409).map(({ text }) => text)).toEqual([]);
    expect(await givenBack(service, paid)).toEqual([3_000n]);
  });
});

describe('many refunds at once', () => {
  it('refund no more than was captured, in both books', async () => {
    const paid = await preparePaid(service);
    const answers = await Promise.all(Array.from({ length: 8 }, () => postRefund(service, paid, { amount: '20.00' })));
    const codes = answers.map(({ status, body }) => (status === 201 ? 'made' : body.error.code)).sort();
    expect(codes).toEqual(['made', 'made', ...Array.from({ length: 6 }, () => 'refund_exceeds_payment')]);
    expect(await givenBack(service, paid)).toEqual([2_000n, 2_000n]);
  });

  it('refund no more than the credit, if credit paid the invoice and credit notes cover it', async () => {
    const paid = await preparePaid(service, { credit: '48.00' });
    expect((await credit(service, paid.invoice.id, { amount: '48.00' })).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 8 }, () => postRefund(service, paid, { amount: '20.00' })));
    const codes = answers.map(({ status, body }) => (status === 201 ? 'made' : body.error.code)).sort();
    expect(codes).toEqual(['made', 'made', ...Array.from({ length: 6 }, () => 'refund_exceeds_payment')]);
    expect((await readLedger(service, paid.admin.companyId)).balance).toBe('40.00');
  });

  it('are also refused by the database', async () => {
    const paid = await preparePaid(service);
    await postRefund(service, paid, { amount: '40.00' });
    const insert = (amountMinor: number) => service.database.db`
      INSERT INTO refunds (company_id, id, payment_id, invoice_id, gateway, amount_minor, credit_minor, currency, reason, state,
                           reconcile_at)
      VALUES (${paid.admin.companyId}, ${randomUUID()}, ${paid.paymentId}, ${paid.invoice.id}, 'sandbox', ${amountMinor}, 0, 'USD', '',
              'created', now())`;
    await expect(insert(801)).rejects.toMatchObject({ constraint_name: 'refunds_within_payment' });
    const ending = service.database.db`UPDATE refunds SET state = 'failed' WHERE payment_id = ${paid.paymentId}`;
    await expect(ending).rejects.toMatchObject({ constraint_name: 'refunds_end_once' });
    const editing = service.database.db`UPDATE refunds SET amount_minor = 1 WHERE payment_id = ${paid.paymentId}`;
    await expect(editing).rejects.toMatchObject({ code: '42501' });
  });
});
