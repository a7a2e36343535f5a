import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, postCredit, putSettings, readLedger } from '../../../test/billing/credits.ts';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { type Actor, CARDS, expectStatus, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { propertyCases } from '../../../test/harness/property.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { selectPayment } from '../payment/payment.queries.ts';
import { settleCanceled, settleUnsent } from '../settlement/settle-payment.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

const balance = async ({ companyId }: Actor): Promise<string> => (await readLedger(service, companyId)).balance;
const gatewayCalls = async () => (await service.sandbox.readFaults()).calls;
const line = (amount: string, currency = 'USD') => ({
  details: [{ title: 'Calls', path: '/v1/calls', totalRequest: 1, currency, amount }],
});

/** A company with a card, an invoice of 48.00 USD and a credit of 20.00 USD. */
async function prepareWithCredit(cardNumber = CARDS.visa, amount = '20.00'): Promise<Payable> {
  const payable = await preparePayable(service, { cardNumber });
  await grantCredit(service, payable.admin.companyId, { amount });
  return payable;
}

describe('a payment uses the credit first', () => {
  it('charges the card with the rest, and shows both on the payment and in the metadata', async () => {
    const payable = await prepareWithCredit();
    const paid = expectStatus(await payable.pay(), 200).body;
    expect(paid).toMatchObject({ status: 'Succeeded', total: '48.00', metadata: { creditAmount: '20.00' } });
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 2_800n, currency: 'USD' }]);
    const invoice = await readInvoice(service, payable);
    expect(invoice.metadata).toEqual({ creditAmount: '20.00' });
    expect(invoice.payment).toMatchObject({ status: 'Succeeded', amount: '28.00', creditAmount: '20.00' });
    expect((await payable.pay()).body).toEqual(paid);

    const ledger = await readLedger(service, payable.admin.companyId);
    expect(ledger).toMatchObject({ total: 2, balance: '0.00' });
    const { id: invoiceId } = payable.invoice;
    expect(ledger.data[0]).toMatchObject({
      ...{ kind: 'consumption', amount: '-20.00', balance: '0.00' },
      ...{ reason: '', paymentId: paid.paymentId, invoiceId },
    });
  });

  it('leaves the metadata that was issued, and an invoice without credit, as they were', async () => {
    const payable = await preparePayable(service, { invoice: { metadata: { contract: 'C-1' } } });
    const plain = await prepareInvoice(service, payable.admin);
    expect(expectStatus(await plain.pay(), 200).body.metadata).toBeNull();
    expect((await readInvoice(service, plain)).payment).toMatchObject({ amount: '48.00', creditAmount: '0.00' });
    await grantCredit(service, payable.admin.companyId, { amount: '0.01' });
    expect((await readInvoice(service, payable)).metadata).toEqual({ contract: 'C-1' });
    const { metadata } = expectStatus(await payable.pay(), 200).body;
    expect(metadata).toEqual({ contract: 'C-1', creditAmount: '0.01' });
  });

  it.each([
    ['48.00', '0.00'],
    ['50.00', '2.00'],
  ])('with %s it needs no card and no charge; the gateway is only asked for captures before', async (amount, left) => {
    const admin = await signUpAdmin(service);
    await grantCredit(service, admin.companyId, { amount });
    const payable = await prepareInvoice(service, admin);
    const calls = await gatewayCalls();
    const paid = expectStatus(await payable.pay(), 200).body;
    expect(paid).toMatchObject({ status: 'Succeeded', metadata: { creditAmount: '48.00' } });
    const { payment } = await readInvoice(service, payable);
    expect(payment).toMatchObject({
      id: paid.paymentId,
      gateway: 'none',
      card: null,
      amount: '0.00',
      creditAmount: '48.00',
    });
    expect(await gatewayCalls()).toEqual({ ...calls, ask: calls.ask + 1 });
    expect(await balance(admin)).toBe(left);
  });

  it('pays a paypal invoice that it covers wholly; else 402, and the credit is untouched', async () => {
    const payable = await preparePayable(service, { invoice: { method: 'paypal' } });
    const { companyId } = payable.admin;
    await grantCredit(service, companyId, { amount: '47.99' });
    expect(await payable.pay()).toMatchObject({ status: 402, body: { error: { code: 'payment_method_required' } } });
    expect(await balance(payable.admin)).toBe('47.99');
    await grantCredit(service, companyId, { amount: '0.01' });
    expect((await payable.pay()).status).toBe(200);
    expect(await balance(payable.admin)).toBe('0.00');
  });

  it('takes nothing without a card for the rest: 402', async () => {
    const admin = await signUpAdmin(service);
    await grantCredit(service, admin.companyId);
    const payable = await prepareInvoice(service, admin);
    expect(await payable.pay()).toMatchObject({ status: 402, body: { error: { code: 'payment_method_required' } } });
    expect(await balance(admin)).toBe('20.00');
  });

  it('is for invoices in its currency alone', async () => {
    const payable = await preparePayable(service, { invoice: line('48', 'EUR') });
    await grantCredit(service, payable.admin.companyId);
    expect(expectStatus(await payable.pay(), 200).body.metadata).toBeNull();
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 4_800n, currency: 'EUR' }]);
    expect(await balance(payable.admin)).toBe('20.00');
  });

  it.each([
    ['JPY', '300', '1000', 700n, '300.00'],
    ['KWD', '0.001', '1.234', 1_233n, '0.001'],
  ])('is exact in %s', async (currency, amount, total, chargedMinor, shown) => {
    const payable = await preparePayable(service, { invoice: line(total, currency) });
    const { companyId } = payable.admin;
    await putSettings(service, companyId, { currency });
    await grantCredit(service, companyId, { amount, currency });
    expect(expectStatus(await payable.pay(), 200).body.metadata).toEqual({ creditAmount: shown });
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: chargedMinor, currency }]);
  });

  it('after the credit notes that came before it; one that comes later changes nothing that was paid', async () => {
    const payable = await prepareWithCredit();
    expectStatus(await credit(service, payable.invoice.id, { amount: '8.00' }), 201);
    expectStatus(await payable.pay(), 200);
    expect(await capturesOf(service, payable)).toMatchObject([{ amountMinor: 2_000n, currency: 'USD' }]);
    expectStatus(await credit(service, payable.invoice.id, { amount: '5.00' }), 201);
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'captured' });

    const declined = await preparePayable(service, { cardNumber: CARDS.declined });
    expectStatus(await declined.pay(), 402);
    expectStatus(await credit(service, declined.invoice.id, { amount: '48.00' }), 201);
    expectStatus(await declined.pay(), 200);
    expect(await capturesOf(service, declined)).toEqual([]);
  });
});

describe('a payment that fails returns its credit once', () => {
  it('declined by the bank: 402, and a later pay takes it again', async () => {
    const payable = await prepareWithCredit(CARDS.declined);
    expect((await payable.pay()).status).toBe(402);
    expect(await readInvoice(service, payable)).toMatchObject({
      ...{ status: 'Failed', metadata: null },
      payment: { status: 'Failed', amount: '28.00', creditAmount: '20.00' },
    });
    expect(await balance(payable.admin)).toBe('20.00');
    await saveCard(service, payable.admin, { isDefault: true });
    expect((await payable.pay()).status).toBe(200);
    const { data } = await readLedger(service, payable.admin.companyId);
    const kinds = data.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(['consumption', 'return', 'consumption', 'grant']);
  });

  it('a Failed invoice is paid without a charge once the credit covers it', async () => {
    const payable = await prepareWithCredit(CARDS.declined);
    expect((await payable.pay()).status).toBe(402);
    await grantCredit(service, payable.admin.companyId, { amount: '30.00' });
    expect(expectStatus(await payable.pay(), 200).body).toMatchObject({
      status: 'Succeeded',
      metadata: { creditAmount: '48.00' },
    });
    expect((await paymentsOf(service, payable)).map(({ state }) => state)).toEqual(['failed', 'captured']);
    expect(await balance(payable.admin)).toBe('2.00');
  });

  it('not sent, because the gateway is away: 503', async () => {
    const payable = await prepareWithCredit();
    await service.takeGatewayAway();
    expect((await payable.pay()).status).toBe(503);
    await service.bringGatewayBack();
    expect(await balance(payable.admin)).toBe('20.00');
    expect((await payable.pay()).status).toBe(200);
  });

  it('while its outcome is unknown, it holds the credit: no other payment or correction gets it, and the currency stays', async () => {
    const payable = await prepareWithCredit();
    const { companyId } = payable.admin;
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expect(expectStatus(await payable.pay(), 202).body.metadata).toBeNull();
    expect(await balance(payable.admin)).toBe('0.00');
    expect((await postCredit(service, companyId, { amount: '-0.01' })).status).toBe(409);
    const settings = await putSettings(service, companyId, { currency: 'EUR' });
    expect([settings.status, settings.body.error?.code]).toEqual([409, 'currency_in_use']);
    const other = await prepareInvoice(service, payable.admin);
    expect(expectStatus(await other.pay(), 200).body.metadata).toBeNull();
    await settleAll(service);
    expect((await readInvoice(service, payable)).metadata).toEqual({ creditAmount: '20.00' });
    expect(expectStatus(await putSettings(service, companyId, { currency: 'EUR' }), 200).body.currency).toBe('EUR');
  });

  it('found out to be declined by the reconciler', async () => {
    const payable = await prepareWithCredit(CARDS.lost);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    await settleAll(service);
    expect((await readInvoice(service, payable)).status).toBe('Failed');
    expect(await balance(payable.admin)).toBe('20.00');
  });

  it('under review after a wrong capture, it holds the credit until a person decides', async () => {
    const payable = await prepareWithCredit();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor: '4800' });
    expect(await payable.pay()).toMatchObject({ status: 409, body: { error: { code: 'payment_under_review' } } });
    expect(await balance(payable.admin)).toBe('0.00');
  });

  it('if the failure is recorded several times, the credit is returned once', async () => {
    const payable = await prepareWithCredit(CARDS.declined);
    await payable.pay();
    const { id } = await paymentOf(service, payable);
    const { db } = service.database;
    const payment = await selectPayment(db, payable.admin.companyId, id);
    await Promise.all([
      ...Array.from({ length: 5 }, () => settleCanceled(db, payment, payment.gatewayPaymentId ?? '')),
      ...Array.from({ length: 5 }, () => settleUnsent(db, payment, 'not_sent')),
    ]);
    expect(await readLedger(service, payable.admin.companyId)).toMatchObject({ total: 3, balance: '20.00' });
  });
});

describe('many at once', () => {
  it('ten invoices of a company share its credit: no cent is used twice', async () => {
    const payable = await prepareWithCredit(CARDS.visa, '100.00');
    const others = await Promise.all(Array.from({ length: 9 }, () => prepareInvoice(service, payable.admin)));
    const payables = [payable, ...others];
    const answers = await Promise.all(payables.map(({ pay }) => pay()));
    expect(answers.map(({ status }) => status)).toEqual(payables.map(() => 200));
    const used = answers.map(({ body }) => body.metadata?.creditAmount ?? '0.00').sort();
    expect(used).toEqual([...Array(7).fill('0.00'), '4.00', '48.00', '48.00']);
    const captures = (await Promise.all(payables.map((one) => capturesOf(service, one)))).flat();
    expect(captures.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(48_000n - 10_000n);
    expect(await balance(payable.admin)).toBe('0.00');
  });

  it('twenty pays of one invoice take its credit once', async () => {
    const payable = await prepareWithCredit();
    const answers = await Promise.all(Array.from({ length: 20 }, () => payable.pay()));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await readLedger(service, payable.admin.companyId)).toMatchObject({ total: 2, balance: '0.00' });
  });

  it('declines and corrections of one company at once end without a deadlock', async () => {
    const payable = await prepareWithCredit(CARDS.declined);
    const { companyId } = payable.admin;
    const others = await Promise.all(Array.from({ length: 7 }, () => prepareInvoice(service, payable.admin)));
    const answers = await Promise.all([
      ...[payable, ...others].map(({ pay }) => pay()),
      ...Array.from({ length: 8 }, (_, index) =>
        postCredit(service, companyId, { amount: index % 2 === 0 ? '1' : '-1' }),
      ),
    ]);
    for (const { status } of answers) expect([201, 402, 409]).toContain(status);
    expect(Number(await balance(payable.admin))).toBeGreaterThanOrEqual(16);
  });
});

type Act = { kind: 'grant'; cents: number } | { kind: 'pay'; cents: number; outcome: 'captured' | 'declined' | 'lost' };

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('grant' as const),
      cents: fc.integer({ min: -3_000, max: 3_000 }).filter((cents) => cents !== 0),
    }),
    fc.record({
      kind: fc.constant('pay' as const),
      cents: fc.integer({ min: 0, max: 3_000 }),
      outcome: fc.constantFrom('captured' as const, 'declined' as const, 'lost' as const),
    }),
  ),
  { minLength: 1, maxLength: 10 },
);

/** The model of the credit after an act, in cents, which knows no payments. */
function creditAfter(credit: number, act: Act): number {
  if (act.kind === 'grant') return credit + act.cents < 0 ? credit : credit + act.cents;
  const isDeclined = act.outcome === 'declined' && act.cents > credit;
  return isDeclined ? credit : credit - Math.min(credit, act.cents);
}

describe('any sequence of grants, payments and failures', () => {
  it('leaves the credit that a simple model says, which is the sum of the ledger and never below zero', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const admin = await signUpAdmin(service);
        await saveCard(service, admin);
        let credit = 0;
        for (const act of sequence) {
          await perform(admin, act);
          credit = creditAfter(credit, act);
          expect(await balance(admin)).toBe((credit / 100).toFixed(2));
        }
        const { data } = await readLedger(service, admin.companyId);
        const sum = data.reduce(
          (total: number, { amount }: { amount: string }) => total + Math.round(Number(amount) * 100),
          0,
        );
        expect(sum).toBe(credit);
        for (const entry of data) expect(Number(entry.balance)).toBeGreaterThanOrEqual(0);
        await expectSoundBooks(service);
      }),
      propertyCases(8),
    );
  });

  async function perform(admin: Actor, act: Act): Promise<void> {
    if (act.kind === 'grant') {
      const { status } = await postCredit(service, admin.companyId, { amount: (act.cents / 100).toFixed(2) });
      expect([201, 409]).toContain(status);
      return;
    }
    const payable = await prepareInvoice(service, admin, line((act.cents / 100).toFixed(2)));
    await service.sandbox.clearFaults();
    if (act.outcome === 'declined') await service.sandbox.armFault({ operation: 'confirm', kind: 'declined' });
    if (act.outcome === 'lost') {
      await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    }
    expect([200, 202, 402]).toContain((await payable.pay()).status);
    await service.sandbox.clearFaults();
    await settleAll(service);
  }
});
