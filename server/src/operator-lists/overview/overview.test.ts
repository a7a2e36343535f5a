import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { createPrice } from '../../../test/billing/prices.ts';
import { CARDS, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { raiseAlert } from '../../../test/outbox/alerts.ts';
import { postRefund, preparePaid } from '../../../test/payments/refunds.ts';
import { addInvoiceSumChanges } from '../../billing/invoices/record/invoices.worker.queries.ts';
import { closeLedgerHours } from '../../ledger/ledger.service.ts';

const DAY_MS = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const read = async (path: string) =>
  expectStatus(await service.call('GET', `/operator${path}`, { token: service.operatorKey }), 200).body;
const overview = () => read('/overview');
const addChanges = () => addInvoiceSumChanges(service.database.db);

async function balances(): Promise<Record<string, number>> {
  const { data } = await read('/ledger/balances');
  return Object.fromEntries(
    data.map(({ account, currency, balance }: Record<string, string>) => [`${account} ${currency}`, Number(balance)]),
  );
}

const inYen = { details: [{ title: 'Speech to text', currency: 'JPY', amount: '700' }] };
const sum = (amounts: string[]) => Number(amounts.reduce((total, amount) => total + Number(amount), 0).toFixed(2));

describe('GET /operator/overview', () => {
  it('has nothing in a new installation', async () => {
    expect(await overview()).toEqual({
      ...{ months: [], due: [], overdue: [], failed: [] },
      ...{ reviews: 0, disputes: 0, alerts: 0, jobs: 0, mails: 0, endpoints: 0, hold: null },
      setup: { seller: false, price: false, company: false, invoice: false },
    });
  });

  it('says what is set up', async () => {
    const setup = async () => (await overview()).setup;
    await signUpAdmin(service);
    expect(await setup()).toEqual({ seller: false, price: false, company: true, invoice: false });
    await createPrice(service);
    expect(await setup()).toEqual({ seller: false, price: true, company: true, invoice: false });
    expectStatus(
      await service.call('PUT', '/operator/seller', { token: service.operatorKey, body: { name: 'Northwind' } }),
      200,
    );
    expect(await setup()).toEqual({ seller: true, price: true, company: true, invoice: false });
  });

  it('has the sums of the ledger, with voids, credit notes, credit and refunds', async () => {
    const paid = await preparePaid(service, { credit: '8.00', invoice: { taxRate: '20' } });
    expectStatus(await postRefund(service, paid, { amount: '10.00' }), 201);
    const { companyId } = await signUpAdmin(service);
    await grantCredit(service, companyId, { amount: '1.00' });
    for (const changes of [{}, { taxRate: '7.7' }, inYen]) await issueInvoice(service, companyId, changes);
    expectStatus(await voidInvoice(service, (await issueInvoice(service, companyId)).id), 200);
    const credited = await issueInvoice(service, companyId);
    expectStatus(await credit(service, credited.id, { amount: '5.00' }), 201);
    const before = new Date(Date.now() - 40 * DAY_MS);
    await service.database.owner`UPDATE ledger_postings SET created_at = ${before} WHERE source_id = ${credited.id}`;

    for (const round of ['posted', 'summed'] as const) {
      if (round === 'summed') await Promise.all([closeLedgerHours(service.database.db), addChanges()]);
      const { months, due, setup } = await overview();
      expect(setup.invoice).toBe(true);
      const of = await balances();
      for (const currency of ['USD', 'JPY']) {
        const own = months.filter((month: { currency: string }) => month.currency === currency);
        expect(own).toHaveLength(12);
        const total = (field: string) => sum(own.map((month: Record<string, string>) => month[field] ?? ''));
        expect(total('billed')).toBe(
          -sum([String(of[`revenue ${currency}`] ?? 0), String(of[`tax ${currency}`] ?? 0)]),
        );
        expect(sum([String(total('collected')), String(-total('refunded'))])).toBe(of[`cash:sandbox ${currency}`] ?? 0);
        const open = due.find((one: { currency: string }) => one.currency === currency);
        expect(Number(open?.amount)).toBe(of[`receivable ${currency}`]);
      }
      const [now] = months.filter((month: { currency: string }) => month.currency === 'USD').slice(-1);
      expect(now.month).toBe(new Date().toISOString().slice(0, 7));
      // Credit paid 8.00 of 57.60, the refund has a credit note, and the credited invoice is dated earlier than its credit note.
      expect(now).toMatchObject({ billed: '142.30', collected: '49.60', refunded: '10.00' });
      expect(due).toMatchObject([
        { currency: 'JPY', amount: '700.00', invoices: 1 },
        { currency: 'USD', invoices: 3 },
      ]);
    }
  });

  it('has what is overdue by age, and what failed', async () => {
    const before = await overview();
    const admin = await signUpAdmin(service);
    const ages = [-1, 0.5, 30, 31, 61, 91, 400];
    for (const days of ages) {
      const { id } = await issueInvoice(service, admin.companyId, {
        details: [{ title: 'Speech to text', currency: 'EUR', amount: '10.00' }],
      });
      const dueAt = new Date(Date.now() - days * DAY_MS + (days === 30 ? 60_000 : 0));
      await service.database.owner`UPDATE invoices SET due_at = ${dueAt} WHERE id = ${id}`;
    }
    const { overdue, due } = await overview();
    await addChanges();
    expect(await overview()).toMatchObject({ overdue, due });
    expect(due).toContainEqual({ currency: 'EUR', amount: '70.00', invoices: 7 });
    const ofEuro = { days1To30: '20.00', days31To60: '10.00', days61To90: '10.00', over90: '20.00' };
    expect(overdue).toContainEqual({ currency: 'EUR', ...ofEuro });
    await saveCard(service, admin, { cardNumber: CARDS.declined, isDefault: true });
    const { id } = await issueInvoice(service, admin.companyId);
    expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token }), 402);
    expect((await overview()).failed).toEqual([...before.failed, { currency: 'USD', amount: '48.00', invoices: 1 }]);
  });

  it('has the sums that every change of an invoice leaves, however often they were added up', async () => {
    const currency = 'CHF';
    const details = [{ title: 'Speech to text', currency, amount: '10.00' }];
    const admin = await signUpAdmin(service);
    const issue = async () => (await issueInvoice(service, admin.companyId, { details })).id;
    const [paid, voided, credited, kept] = [await issue(), await issue(), await issue(), await issue()];
    // On no day whose invoices are read themselves.
    const dueAt = new Date(Date.now() + 10 * DAY_MS);
    await service.database.owner`UPDATE invoices SET due_at = ${dueAt} WHERE company_id = ${admin.companyId}`;
    await saveCard(service, admin, { isDefault: true });
    const due = async () => (await overview()).due.find((one: { currency: string }) => one.currency === currency);
    const numbered = async () => (await read(`/invoices?currency=${currency}`)).total;
    const steps: [work: () => Promise<unknown>, amount: string | undefined, invoices: number | undefined][] = [
      [async () => undefined, '40.00', 4],
      [addChanges, '40.00', 4],
      [() => service.call('PUT', `/payments/orders/${paid}/pay`, { token: admin.token }), '30.00', 3],
      [() => voidInvoice(service, voided), '20.00', 2],
      [addChanges, '20.00', 2],
      [() => credit(service, credited, { amount: '4.00' }), '16.00', 2],
      [() => credit(service, credited, { amount: '6.00' }), '10.00', 1],
      [addChanges, '10.00', 1],
      [() => voidInvoice(service, kept), undefined, undefined],
      [addChanges, undefined, undefined],
    ];
    for (const [work, amount, invoices] of steps) {
      await work();
      expect(await due()).toEqual(amount && { currency, amount, invoices });
      expect(await numbered()).toBe(4);
    }
    const rows = await service.database
      .db`SELECT due_on::text, invoices::int, amount::float FROM invoice_sums WHERE currency = ${currency}`;
    expect(rows).toEqual([{ due_on: '-infinity', invoices: 4, amount: 0 }]);
  });

  it('counts what a person has to look at', async () => {
    const { paymentId, admin } = await preparePaid(service);
    const before = await overview();
    await raiseAlert(service, { companyId: admin.companyId, paymentId });
    const { owner } = service.database;
    await owner`UPDATE payments SET state = 'needs_review' WHERE id = ${paymentId}`;
    await owner`UPDATE mails SET status = 'failed', next_attempt_at = NULL WHERE company_id = ${admin.companyId}`;
    const [mails] = await owner<{ count: number }[]>`
      SELECT count(*)::int AS count FROM mails WHERE company_id = ${admin.companyId}`;
    const after = await overview();
    expect(after).toMatchObject({ reviews: before.reviews + 1, alerts: before.alerts + 1, mails: mails?.count });
  });
});

it('says why charges are held', async () => {
  const held = await startTestService({ charges: 'held' });
  const { body } = await held.call('GET', '/operator/overview', { token: held.operatorKey });
  expect(body.hold).toMatchObject({ by: 'configuration', reason: 'The service was started with CHARGES=held.' });
  await held.stop();
});
