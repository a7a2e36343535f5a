import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportUsage, usageEvent } from '../../../test/billing/usage.ts';
import {
  type Actor,
  CARDS,
  expectStatus,
  issueInvoice,
  saveAddress,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { openSession } from '../../../test/identity/customer-sessions.ts';
import { addMember, invite, only } from '../../../test/identity/roles.ts';

const NOW = '2026-11-15T12:00:00.000Z';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date(NOW) });
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

const overview = async (token: string) =>
  expectStatus(await service.call('GET', '/payments/overview', { token }), 200).body;

const line = (currency: string, amount: string) => ({
  details: [{ title: 'Speech to text', currency, amount }],
});

describe('GET /payments/overview', () => {
  it('of a new company has nothing due, no usage, and nothing set up', async () => {
    const fresh = await signUpAdmin(service);
    expect(await overview(fresh.token)).toEqual({
      due: [],
      failed: 0,
      usage: { thisMonth: '0', lastMonth: '0' },
      setup: { address: false, card: false, billingInformation: false, colleague: false },
    });
  });

  it('has what is due by currency, what of it is overdue, and when the next invoice is due', async () => {
    const [paid, failed] = [await issueInvoice(service, admin.companyId), await issueInvoice(service, admin.companyId)];
    await issueInvoice(service, admin.companyId, line('USD', '10.00'));
    await issueInvoice(service, admin.companyId, line('JPY', '500'));
    const { owner } = service.database;
    await owner`UPDATE invoices SET due_at = '2026-11-01' WHERE id IN (${paid.id}, ${failed.id})`;
    await owner`UPDATE invoices SET due_at = '2026-11-20' WHERE company_id = ${admin.companyId} AND currency = 'USD' AND total = 10`;
    await owner`UPDATE invoices SET due_at = '2026-11-18' WHERE company_id = ${admin.companyId} AND currency = 'JPY'`;
    const pay = (id: string) => service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });
    await saveCard(service, admin, { isDefault: true });
    expectStatus(await pay(paid.id), 200);
    await saveCard(service, admin, { cardNumber: CARDS.declined, isDefault: true });
    const declined = await pay(failed.id);
    expect([declined.status, declined.body.error.code]).toEqual([402, 'card_declined']);
    const { due, failed: failures } = await overview(admin.token);
    expect(due).toEqual([
      {
        currency: 'JPY',
        amount: '500.00',
        invoices: 1,
        overdueAmount: '0.00',
        overdueInvoices: 0,
        nextDueAt: '2026-11-18T00:00:00.000Z',
      },
      {
        currency: 'USD',
        amount: '58.00',
        invoices: 2,
        overdueAmount: '48.00',
        overdueInvoices: 1,
        nextDueAt: '2026-11-20T00:00:00.000Z',
      },
    ]);
    expect(failures).toBe(1);
  });

  it('has the usage of this month and of the last one, and of no other', async () => {
    const user = await signUpAdmin(service);
    const events = [
      ['2026-09-30T23:59:59Z', 1],
      ['2026-10-01T00:00:00Z', 20],
      ['2026-10-31T23:59:59Z', 300],
      ['2026-11-01T00:00:00Z', 4_000],
      ['2026-11-15T11:59:00Z', 50_000],
    ] as const;
    const sent = events.map(([time, quantity]) =>
      usageEvent(user.companyId, { time, data: { path: `/${quantity}`, quantity } }),
    );
    expect((await reportUsage(service, sent)).accepted).toBe(5);
    expect((await overview(user.token)).usage).toEqual({ thisMonth: '54000', lastMonth: '320' });
  });

  it('ticks off what is set up', async () => {
    const user = await signUpAdmin(service);
    await saveAddress(service, user);
    expect((await overview(user.token)).setup).toMatchObject({ address: true, card: false });
    await saveCard(service, user);
    const body = { country: 'GB', organization: 'Analytical Engines' };
    expectStatus(await service.call('PUT', '/payments/billing-information', { token: user.token, body }), 200);
    expect((await overview(user.token)).setup).toMatchObject({
      card: true,
      billingInformation: true,
      colleague: false,
    });
    await invite(service, user);
    expect((await overview(user.token)).setup.colleague).toBe(true);
  });

  it('leaves out what the role may not see', async () => {
    const labels = await addMember(service, admin, only('application.labels', { all: true, view: true }));
    const nothing = { address: null, card: null, billingInformation: null, colleague: null };
    expect(await overview(labels.token)).toEqual({ due: null, failed: null, usage: null, setup: nothing });
    const biller = await addMember(service, admin, only('platform.billing', { all: false, view: true }));
    expect(await overview(biller.token)).toMatchObject({ due: [{}, {}], setup: { card: true, colleague: null } });
    const { token } = await openSession(service, admin.companyId);
    expect(await overview(token)).toMatchObject({ due: [{}, {}], setup: { card: true, colleague: null } });
  });
});
