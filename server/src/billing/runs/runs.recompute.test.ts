import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, use } from '../../../test/billing/billing.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

const post = (invoiceId: string) =>
  service.call('POST', `/operator/invoices/${invoiceId}/recompute`, { token: service.operatorKey });

const recompute = async (invoiceId: string) => expectStatus(await post(invoiceId), 200).body;

async function signUpWith(settings: object): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, settings);
  return admin;
}

/** Sets a price of the company's own, so that the tests do not affect each other. */
const setOwnPrice = (admin: Actor, changes: object) =>
  setPrice(service, { companyId: admin.companyId, unitAmount: '1.00', ...changes });

const volume = (changes: object) => ({
  model: 'volume',
  unitAmount: undefined,
  tiers: [
    { upTo: 10, unitAmount: '1.00' },
    { upTo: null, unitAmount: '0.10' },
  ],
  ...changes,
});

/** Expects that each invoice of the company recomputes to what it said when it was issued. */
async function expectNoDrift(admin: Actor): Promise<void> {
  for (const { id, details, subTotal, tax, total } of await invoicesOf(service, admin)) {
    const answer = await recompute(id);
    const amounts = { details, subTotal, tax, total };
    expect(answer).toMatchObject({ matches: true, differences: [], issued: amounts, recomputed: amounts });
  }
}

describe('an invoice is recomputed', () => {
  it('to the cent, whatever came after it, and nothing changes', async () => {
    const admin = await signUpWith({ taxRate: '19', timezone: 'Europe/Berlin' });
    await setOwnPrice(admin, { path: '/speech', title: 'Speech', unitAmount: '0.0045', freeRequests: 100 });
    await setOwnPrice(admin, { ...volume({ path: '/cheaper*' }), effectiveFrom: '2025-01-11T00:00:00Z' });
    await use(service, admin, '/speech', 1_337, '2025-01-10T00:00:00Z');
    await use(service, admin, '/cheaper', 7, '2025-01-11T00:00:00Z');
    await use(service, admin, '/unpriced', 3, '2025-01-11T00:00:00Z');
    await runMonth(service, '2025-01');
    const [january] = await invoicesOf(service, admin);
    const first = await recompute(january.id);
    expect(first).toMatchObject({
      ...{
        invoiceId: january.id,
        companyId: admin.companyId,
        number: january.number,
        period: '2025-01',
        currency: 'USD',
      },
      ...{ startAt: '2024-12-31T23:00:00.000Z', endAt: '2025-01-31T23:00:00.000Z', taxRate: '19' },
      ...{ lateUsage: { kind: 'next_invoice' }, lateAfterCutoff: null, matches: true, differences: [] },
    });
    expect(first.recomputed.details).toHaveLength(3);

    await setOwnPrice(admin, {
      path: '/speech',
      title: 'Dear',
      unitAmount: '5',
      effectiveFrom: '2025-02-15T00:00:00Z',
    });
    await use(service, admin, '/speech', 63, '2025-01-31T22:59:59Z');
    await use(service, admin, '/cheaper', 13, '2025-01-12T00:00:00Z');
    await use(service, admin, '/speech', 50, '2025-02-20T00:00:00Z');
    await runMonth(service, '2025-02');
    const [, february] = await invoicesOf(service, admin);
    expect(await recompute(february.id)).toMatchObject({ period: '2025-02', lateAfterCutoff: first.cutoff });

    const lateUsage = { kind: 'ignore' };
    await setBilling(service, admin, { currency: 'EUR', taxRate: '7', timezone: 'Asia/Tokyo', lateUsage });
    await setOwnPrice(admin, { path: '/*', currency: 'EUR', unitAmount: '3' });
    await setPrice(service, { path: '/*', currency: 'EUR', unitAmount: '4' });
    await use(service, admin, '/speech', 1_000, '2025-01-10T00:00:00Z');
    await use(service, admin, '/speech', 1_000, '2025-03-10T00:00:00Z');
    await runMonth(service, '2025-03');
    await use(service, admin, '/speech', 1_000, '2025-03-10T00:00:00Z');
    expectStatus(await voidInvoice(service, january.id), 200);
    expectStatus(await credit(service, february.id, { amount: '1.00' }), 201);

    const before = await invoicesOf(service, admin);
    expect(before).toHaveLength(3);
    await expectNoDrift(admin);
    expect(await recompute(january.id)).toEqual(first);
    expect(await invoicesOf(service, admin)).toEqual(before);
    expect(before[2]).toMatchObject({ currency: 'EUR', subTotal: '3000.00', tax: '210.00' });
  });

  it('with its late usage, under every policy, in the months between as well', async () => {
    const admin = await signUpWith({ lateUsage: { kind: 'refuse', days: 3_650 } });
    await setOwnPrice(admin, volume({ path: '/late' }));
    await use(service, admin, '/late', 9, '2024-01-10T00:00:00Z');
    await runMonth(service, '2024-01');
    // Ten of them cost 10.00, eleven cost 1.10: more is returned than February costs.
    await use(service, admin, '/late', 2, '2024-01-11T00:00:00Z');
    await use(service, admin, '/late', 1, '2024-02-11T00:00:00Z');
    await runMonth(service, '2024-02');
    await setBilling(service, admin, { lateUsage: { kind: 'ignore' } });
    for (const month of ['01', '02', '03']) await use(service, admin, '/late', 1, `2024-${month}-12T00:00:00Z`);
    await runMonth(service, '2024-03');
    await setBilling(service, admin, { lateUsage: { kind: 'next_invoice' } });
    for (const month of ['01', '02', '03', '04']) await use(service, admin, '/late', 2, `2024-${month}-13T00:00:00Z`);
    await runMonth(service, '2024-04');

    const invoices = await invoicesOf(service, admin);
    const lines = invoices.map(({ details }: { details: object[] }) => details.length);
    expect(invoices.map(({ total }: { total: string }) => total)).toEqual(['9.00', '0.00', '1.00', '6.20']);
    expect(lines).toEqual([1, 3, 1, 4]);
    await expectNoDrift(admin);
    const policies = [];
    for (const { id } of invoices) policies.push((await recompute(id)).lateUsage);
    const refuse = { kind: 'refuse', days: 3_650 };
    expect(policies).toEqual([refuse, refuse, { kind: 'ignore' }, { kind: 'next_invoice' }]);
  });

  it('but not one that the operator issued, or one that does not exist', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    const refused = await post(id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invoice_not_computed']);
    expectStatus(await post(randomUUID()), 404);
  });
});

describe('a difference', () => {
  const owner = () => service.database.owner;

  async function issue(month: string, unitAmount: string, quantity: number) {
    const admin = await signUpWith({ taxRate: '10' });
    const price = await setOwnPrice(admin, { path: '/drift', title: 'Drift', unitAmount });
    await use(service, admin, '/drift', quantity, `${month}-10T00:00:00Z`);
    await runMonth(service, month);
    const [{ id }] = await invoicesOf(service, admin);
    expect(await recompute(id)).toMatchObject({ matches: true });
    return { id, admin, price };
  }

  async function differencesOf(id: string): Promise<string[]> {
    const { matches, differences } = await recompute(id);
    expect(matches).toBe(false);
    return differences.map(
      ({ line, field, issued, recomputed }: Record<string, string | number | null>) =>
        `${line === null ? '' : `line ${line} `}${field}: ${issued} → ${recomputed}`,
    );
  }

  it('is reported when usage was changed', async () => {
    const { id, admin } = await issue('2025-05', '0.50', 3);
    await owner()`UPDATE usage_hours SET quarter_1 = quarter_1 + 1 WHERE company_id = ${admin.companyId}`;
    expect(await differencesOf(id)).toEqual([
      'subTotal: 1.50 → 2.00',
      'tax: 0.15 → 0.20',
      'total: 1.65 → 2.20',
      'line 0 totalRequest: 3 → 4',
      'line 0 amount: 1.5 → 2',
    ]);
  });

  it('is reported when a price was changed or removed', async () => {
    const { id, price } = await issue('2025-06', '0.50', 3);
    await owner()`UPDATE prices SET title = 'Other' WHERE id = ${price.id}`;
    expect(await differencesOf(id)).toEqual(['line 0 title: Drift → Other']);
    await owner()`DELETE FROM prices WHERE id = ${price.id}`;
    expect(await differencesOf(id)).toContain('line 0 amount: 1.5 → 0');
  });

  it('is reported when the invoice was changed, to the last digit', async () => {
    const { id } = await issue('2025-07', '80071992547409.93', 1);
    await owner()`
      UPDATE invoices SET details = replace(details::text, '.93', '.94')::json, total = total + 0.001, tax = tax + 0.001, tax_rate = 11
      WHERE id = ${id}`;
    expect(await differencesOf(id)).toEqual([
      'taxRate: 11 → 10',
      'tax: 8007199254740.991 → 8007199254740.99',
      'total: 88079191802150.921 → 88079191802150.92',
      'line 0 amount: 80071992547409.94 → 80071992547409.93',
    ]);
  });

  it('is reported when a line was added or its period was moved', async () => {
    const { id } = await issue('2025-08', '0.50', 3);
    const line = JSON.stringify({ title: 'Fee', path: '/fee', totalRequest: '1', currency: 'USD', amount: 7 });
    await owner()`
      UPDATE invoices SET details = json_build_array(details -> 0, ${line}::text::json), start_at = start_at - interval '1 day'
      WHERE id = ${id}`;
    const moved = 'startAt: 2025-07-31T00:00:00.000Z → 2025-08-01T00:00:00.000Z';
    const added = ['title: Fee', 'path: /fee', 'totalRequest: 1', 'currency: USD', 'amount: 7', 'taxRate: 10'];
    expect(await differencesOf(id)).toEqual([moved, ...added.map((field) => `line 1 ${field} → null`)]);
  });

  it('is reported when the data from which it was computed was changed', async () => {
    const { id } = await issue('2025-09', '0.50', 3);
    await owner()`
      UPDATE billed_periods SET end_at = start_at + interval '1 day', tax_rate = 20 WHERE invoice_id = ${id}`;
    expect(await differencesOf(id)).toContain('taxRate: 10 → 20');
    expect(await differencesOf(id)).toContain('line 0 title: Drift → null');
  });
});
