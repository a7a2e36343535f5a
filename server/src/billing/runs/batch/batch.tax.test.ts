import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, use } from '../../../../test/billing/billing.ts';
import { readLedger } from '../../../../test/billing/credits.ts';
import { credit, readCreditNotePdf, readInvoicePdf } from '../../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, saveCard, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

/** Signs up a company whose path has volume tiers: the 101st request makes all of them cheaper. */
async function signUpWithVolume(taxRate: string): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, { taxRate });
  const tiers = [
    { upTo: 100, unitAmount: '1.00' },
    { upTo: null, unitAmount: '0.50' },
  ];
  const { companyId } = admin;
  await setPrice(service, { companyId, path: '/v1/volume', model: 'volume', unitAmount: undefined, tiers });
  await setPrice(service, { companyId, path: '/v1/flat', unitAmount: '1.00' });
  return admin;
}

async function postingsOf(admin: Actor, kind: string): Promise<string[]> {
  const rows = await service.database.owner<{ text: string }[]>`
    SELECT account || ' ' || amount_minor AS text FROM ledger_postings
    WHERE company_id = ${admin.companyId} AND kind = ${kind} ORDER BY account`;
  return rows.map(({ text }) => text);
}

describe('late usage is taxed at the rate at which its period was billed', () => {
  it('a charge without tax is returned without tax, and the document says so', async () => {
    const admin = await signUpWithVolume('0');
    await use(service, admin, '/v1/volume', 100, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');
    await setBilling(service, admin, { taxRate: '25' });
    await use(service, admin, '/v1/volume', 20, '2025-01-11T00:00:00Z');
    await use(service, admin, '/v1/flat', 8, '2025-02-10T00:00:00Z');
    await runMonth(service, '2025-02');
    const [, invoice] = await invoicesOf(service, admin);
    // 100 × 1.00 became 120 × 0.50: −40.00 without tax, and 8.00 with a tax of 2.00.
    expect(invoice).toMatchObject({ taxRate: '', subTotal: '0.00', tax: '0.00', total: '0.00' });
    expect(
      invoice.details.map(({ kind, amount, taxRate }: Record<string, unknown>) => [kind, amount, taxRate]),
    ).toEqual([
      ...[
        ['adjustment', -40, '0'],
        ['usage', 8, '25'],
      ],
      ...[
        ['carry_over', 40, '0'],
        ['carry_over', -8, '25'],
      ],
    ]);
    expect(invoice.taxes).toEqual([
      { rate: '0', net: '0.00', tax: '0.00' },
      { rate: '25', net: '0.00', tax: '0.00' },
    ]);
    const { data } = await readLedger(service, admin.companyId);
    expect(data.map(({ amount }: { amount: string }) => amount)).toEqual(['30.00']);
    // The 8.00 are taxed, and the 40.00 return no tax.
    expect(await postingsOf(admin, 'credit_carried_over')).toEqual(['credit -3000', 'revenue 3200', 'tax -200']);
    const text = (await readInvoicePdf(service, admin, invoice.id)).text;
    expect(text).toContain('Tax (25% on');
    expect(text).toMatch(
      /30\.00 became credit, of which .*0\.00 tax \(0% on .*40\.00\) and -.*2\.00 tax \(25% on -.*8\.00\)/,
    );
  });

  it('a charge with tax is returned with tax, even if the company pays none by now', async () => {
    const admin = await signUpWithVolume('25');
    await use(service, admin, '/v1/volume', 100, '2025-03-10T00:00:00Z');
    await runMonth(service, '2025-03');
    await setBilling(service, admin, { taxRate: '0' });
    await use(service, admin, '/v1/volume', 20, '2025-03-11T00:00:00Z');
    await runMonth(service, '2025-04');
    const [, invoice] = await invoicesOf(service, admin);
    expect(invoice).toMatchObject({ taxRate: '25', total: '0.00' });
    expect((await readLedger(service, admin.companyId)).data[0].amount).toBe('50.00');
    expect(await postingsOf(admin, 'credit_carried_over')).toEqual(['credit -5000', 'revenue 4000', 'tax 1000']);
  });

  it('is computed again to the cent, and so is an invoice of an earlier version at the rate of the invoice', async () => {
    const admin = await signUpWithVolume('0');
    await use(service, admin, '/v1/flat', 3, '2025-05-10T00:00:00Z');
    await runMonth(service, '2025-05');
    await setBilling(service, admin, { taxRate: '19' });
    await use(service, admin, '/v1/flat', 4, '2025-05-11T00:00:00Z');
    await use(service, admin, '/v1/flat', 5, '2025-06-11T00:00:00Z');
    await runMonth(service, '2025-06');
    const [, invoice] = await invoicesOf(service, admin);
    expect(invoice).toMatchObject({ taxRate: '', subTotal: '9.00', tax: '0.95', total: '9.95' });
    const recompute = async () => {
      const path = `/operator/invoices/${invoice.id}/recompute`;
      return expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200).body;
    };
    expect((await recompute()).differences).toEqual([]);
    await service.database.owner`
      UPDATE invoices SET tax_rate = 19, taxes = NULL, tax = 1.71, total = 10.71,
        details = (SELECT json_agg((line::jsonb - 'taxRate')::json) FROM json_array_elements(details) AS line)
      WHERE id = ${invoice.id}`;
    await service.database.owner`
      UPDATE billed_periods SET late_at_own_rate = false WHERE company_id = ${admin.companyId}`;
    expect((await recompute()).differences).toEqual([]);
  });
});

describe('a credit note of an invoice with several tax rates', () => {
  /** Issues an invoice of 100.00 without tax, and 200.00 with 20 %: 340.00 in all. */
  async function issueMixed(month: string, next: string) {
    const admin = await signUpWithVolume('0');
    await use(service, admin, '/v1/flat', 1, `${month}-10T00:00:00Z`);
    await runMonth(service, month);
    await setBilling(service, admin, { taxRate: '20' });
    await use(service, admin, '/v1/flat', 100, `${month}-11T00:00:00Z`);
    await use(service, admin, '/v1/flat', 200, `${next}-10T00:00:00Z`);
    await runMonth(service, next);
    const [, invoice] = await invoicesOf(service, admin);
    expect(invoice.total).toBe('340.00');
    return { admin, invoice };
  }

  it('spreads an amount over what is left of each rate, and takes exactly the rest in the end', async () => {
    const { admin, invoice } = await issueMixed('2025-07', '2025-08');
    const first = expectStatus(await credit(service, invoice.id, { amount: '10.00' }), 201).body;
    expect(first).toMatchObject({ taxRate: '', details: [], subTotal: '8.82', tax: '1.18', total: '10.00' });
    expect(first.taxes).toEqual([
      { rate: '0', net: '2.94', tax: '0.00' },
      { rate: '20', net: '5.88', tax: '1.18' },
    ]);
    const rest = expectStatus(await credit(service, invoice.id, { amount: '330.00' }), 201).body;
    expect(rest.taxes).toEqual([
      { rate: '0', net: '97.06', tax: '0.00' },
      { rate: '20', net: '194.12', tax: '38.82' },
    ]);
    expect((await readCreditNotePdf(service, admin, rest.id)).text).toContain('(20% tax)');
  });

  it('is paid and refunded: the gateway gets all rates, and the refund’s note spreads over them', async () => {
    const { admin, invoice } = await issueMixed('2025-11', '2025-12');
    await saveCard(service, admin);
    const path = `/payments/orders/${invoice.id}/pay`;
    const { paymentId } = expectStatus(await service.call('PUT', path, { token: admin.token }), 200).body;
    const { companyId } = admin;
    const debt = { debt: `usage:${companyId}:2025-12`, companyId, customer: null, sourceTokens: [], known: [] };
    expect(await service.gateways.chosen.listPaymentsOfDebt(debt)).toMatchObject([{ details: { taxRate: '0,20' } }]);
    const request = { token: service.operatorKey, body: { reason: 'Given back' } };
    expectStatus(await service.call('POST', `/operator/payments/${paymentId}/refunds`, request), 201);
    const notes = await service.call('GET', `/payments/orders/${invoice.id}/credit-notes`, { token: admin.token });
    expect(notes.body.data).toMatchObject([{ total: '340.00', tax: '40.00', taxes: invoice.taxes }]);
  });

  it('names the rate of each line, which is one of the invoice’s, and takes no more of it than there is', async () => {
    const { invoice } = await issueMixed('2025-09', '2025-10');
    const line = (amount: string, taxRate?: string) => ({
      details: [{ title: 'Back', amount, ...(taxRate ? { taxRate } : {}) }],
    });
    for (const wrong of [line('5.00'), line('5.00', '19')]) {
      const { status, body } = await credit(service, invoice.id, wrong);
      expect([status, body.error.details[0].field]).toEqual([400, 'details[0].taxRate']);
    }
    const part = expectStatus(await credit(service, invoice.id, line('50.00', '20')), 201).body;
    expect(part).toMatchObject({
      subTotal: '50.00',
      tax: '10.00',
      taxes: [{ rate: '20', net: '50.00', tax: '10.00' }],
    });
    expect((await credit(service, invoice.id, line('100.01', '0'))).body.error.code).toBe('credit_exceeds_invoice');
    expect(expectStatus(await credit(service, invoice.id, line('100.00', '0')), 201).body.tax).toBe('0.00');
    expect(expectStatus(await credit(service, invoice.id, line('150.00', '20')), 201).body.tax).toBe('30.00');
  });
});
