import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, startRun, use, work } from '../../../test/billing/billing.ts';
import { readLedger } from '../../../test/billing/credits.ts';
import { readInvoicePdf, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { addItem, deleteItem, listItems, postItem } from '../../../test/billing/items.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { databaseErrorCode } from '../../platform/database/database.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await setPrice(service, { path: '/v1/*', unitAmount: '1.00' });
});
afterAll(async () => service?.stop());

async function preview({ token }: Actor, period: string) {
  return expectStatus(await service.call('GET', `/payments/upcoming-invoice?period=${period}`, { token }), 200).body;
}

async function recompute(invoiceId: string) {
  const request = { token: service.operatorKey };
  return expectStatus(await service.call('POST', `/operator/invoices/${invoiceId}/recompute`, request), 200).body;
}

async function stateOf({ companyId }: Actor): Promise<[string, string | null][]> {
  const { data } = await listItems(service, companyId, '?perPage=1000');
  return data.map(({ state, invoiceId }: Record<string, string>) => [state, invoiceId]);
}

describe('an item is added to the invoice of a month that is over and not yet billed', () => {
  it('after its usage: the upcoming invoice equals the issued and the recomputed one to the cent', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { taxRate: '20' });
    await use(service, admin, '/v1/call', 7, '2025-01-10T00:00:00Z');
    const setup = await addItem(service, admin.companyId, { title: 'Set-up', amount: '100.00' });
    const book = { title: 'Handbook', amount: undefined, unitAmount: '9.995', quantity: 3, taxRate: '7' };
    const books = await addItem(service, admin.companyId, book);
    const removed = await addItem(service, admin.companyId);
    expectStatus(await deleteItem(service, admin.companyId, removed.id), 204);

    const draft = await preview(admin, '2025-01');
    const item = { path: '', currency: 'USD', kind: 'item', priceId: null };
    expect(draft.details.slice(1)).toEqual([
      {
        title: 'Set-up',
        totalRequest: '1',
        amount: 100,
        ...item,
        taxRate: '20',
        itemId: setup.id,
        unitAmount: '100.00',
      },
      {
        title: 'Handbook',
        totalRequest: '3',
        amount: 29.99,
        ...item,
        taxRate: '7',
        itemId: books.id,
        unitAmount: '9.995',
      },
    ]);
    // 107.00 × 20 % and 29.99 × 7 %.
    expect(draft).toMatchObject({ subTotal: '136.99', tax: '23.50', total: '160.49', unpricedPaths: [] });

    await runMonth(service, '2025-01');
    const [issued, ...others] = await invoicesOf(service, admin);
    expect(others).toEqual([]);
    for (const field of ['startAt', 'endAt', 'currency', 'taxRate', 'taxes', 'details', 'subTotal', 'tax', 'total']) {
      expect(issued[field]).toEqual(draft[field]);
    }
    expect(await stateOf(admin)).toEqual([
      ['invoiced', issued.id],
      ['invoiced', issued.id],
    ]);
    const { data } = await listItems(service, admin.companyId, '?state=invoiced');
    expect(data.map(({ id }: { id: string }) => id)).toEqual([books.id, setup.id]);
    expect(await recompute(issued.id)).toMatchObject({ matches: true });
    const { text } = await readInvoicePdf(service, admin, issued.id);
    expect(text).toContain('\n$100.00\nSet-up (20% tax)\n$29.99\nHandbook (7% tax)\n3 × $9.995\n');

    await addItem(service, admin.companyId, { amount: '1.00' });
    expect(await preview(admin, '2025-02')).toMatchObject({ total: '1.20' });
    expect(await recompute(issued.id)).toMatchObject({ matches: true });
    await service.database.owner`ALTER TABLE items DISABLE TRIGGER ALL`;
    await service.database.owner`UPDATE items SET amount = 30 WHERE id = ${books.id}`;
    await service.database.owner`ALTER TABLE items ENABLE TRIGGER ALL`;
    expect((await recompute(issued.id)).differences).toContainEqual({
      ...{ line: 2, field: 'amount', issued: '29.99', recomputed: '30' },
    });
  });

  it('oldest first if there are too many, and also for a company without usage', async () => {
    const admin = await signUpAdmin(service);
    await runMonth(service, '2025-02');
    await addItem(service, admin.companyId, { amount: '5.00' });
    await startRun(service, '2025-03');
    await startRun(service, '2025-04');
    const totals = [(await preview(admin, '2025-03')).total, (await preview(admin, '2025-04')).total];
    expect(totals).toEqual(['5.00', '0.00']);
    await work(service);
    await work(service);
    expect(await invoicesOf(service, admin)).toMatchObject([{ startAt: '2025-03-01T00:00:00.000Z', total: '5.00' }]);
  });

  it("and stays there: it can't be removed, and a void does not release it", async () => {
    const admin = await signUpAdmin(service);
    const { id } = await addItem(service, admin.companyId);
    await runMonth(service, '2025-05');
    const [invoice] = await invoicesOf(service, admin);
    const refused = await deleteItem(service, admin.companyId, id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'item_invoiced']);
    expectStatus(await voidInvoice(service, invoice.id), 200);
    await runMonth(service, '2025-06');
    expect(await invoicesOf(service, admin)).toHaveLength(1);
    expect(await stateOf(admin)).toEqual([['invoiced', invoice.id]]);
    for (const change of [
      `UPDATE items SET invoice_id = NULL WHERE id = '${id}'`,
      `DELETE FROM items WHERE id = '${id}'`,
    ]) {
      await expect(service.database.db.unsafe(change)).rejects.toSatisfy(
        (error) => databaseErrorCode(error) === '23000',
      );
    }
  });
});

describe('a credit', () => {
  it('reduces the invoice, and the rest becomes credit, with its tax', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { taxRate: '20' });
    await use(service, admin, '/v1/call', 30, '2025-07-10T00:00:00Z');
    await addItem(service, admin.companyId, { amount: '-10.00' });
    await runMonth(service, '2025-07');
    await use(service, admin, '/v1/call', 4, '2025-08-10T00:00:00Z');
    await addItem(service, admin.companyId, { amount: '-10.00' });
    await runMonth(service, '2025-08');
    const [first, second] = await invoicesOf(service, admin);
    expect(first).toMatchObject({ subTotal: '20.00', tax: '4.00', total: '24.00' });
    expect(second).toMatchObject({ subTotal: '0.00', tax: '0.00', total: '0.00' });
    expect(second.details).toMatchObject([
      { kind: 'usage', amount: 4 },
      { kind: 'item', amount: -10 },
      { kind: 'carry_over', amount: 6 },
    ]);
    const reason = expect.stringMatching(/^Invoice .* of 2025-08: items or late usage reduced/);
    expect((await readLedger(service, admin.companyId)).data).toMatchObject([
      { amount: '7.20', kind: 'grant', reason },
    ]);
    expect(await recompute(second.id)).toMatchObject({ matches: true });
  });
});

describe('while items are added and removed', () => {
  it('each is on one invoice or still waiting, whatever runs in parallel and whoever removes it', async () => {
    const admin = await signUpAdmin(service);
    const early = await Promise.all(Array.from({ length: 6 }, () => addItem(service, admin.companyId)));
    await startRun(service, '2025-09');
    const adding = Array.from({ length: 6 }, () =>
      postItem(service, admin.companyId, { title: 'Late', amount: '1.00' }),
    );
    const removing = early.slice(0, 3).map(({ id }) => deleteItem(service, admin.companyId, id));
    const [, ...answers] = await Promise.all([work(service), ...adding, ...removing]);
    for (const { status } of answers) expect([201, 204, 409]).toContain(status);
    const removed = answers.filter(({ status }) => status === 204).length;
    await runMonth(service, '2025-10');
    const invoices = await invoicesOf(service, admin);
    const onInvoices = invoices.flatMap(({ id, details }: { id: string; details: { itemId: string }[] }) =>
      details.map(({ itemId }) => `${itemId} ${id}`),
    );
    const { data, total } = await listItems(service, admin.companyId, '?perPage=100');
    expect(total).toBe(12 - removed);
    expect(onInvoices.sort()).toEqual(
      data.map((item: Record<string, string>) => `${item.id} ${item.invoiceId}`).sort(),
    );
  });
});
