import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, use } from '../../../../test/billing/billing.ts';
import { type Actor, expectStatus, saveCard, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { saveAccount } from '../../../../test/payments/paypal-accounts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await setPrice(service, { path: '/v1/paid', unitAmount: '1.00' });
});
afterAll(async () => service?.stop());

type Sources = { cards?: boolean[]; accounts?: boolean[] };

/** Signs up a company with these cards and PayPal accounts, each with its `isDefault`. */
async function signUpWith({ cards = [], accounts = [] }: Sources): Promise<Actor> {
  const admin = await signUpAdmin(service);
  for (const isDefault of cards) await saveCard(service, admin, { isDefault });
  for (const isDefault of accounts) await saveAccount(service, admin, { isDefault });
  return admin;
}

const settingsOf = async ({ token }: Actor) =>
  expectStatus(await service.call('GET', '/payments/billing-settings', { token }), 200).body;
const choose = ({ token }: Actor, body: object) => service.call('PUT', '/payments/billing-settings', { token, body });

describe('an invoice of a billing run is paid with', () => {
  const CASES: [what: string, sources: Sources, method: string][] = [
    ['a card, when there is nothing to charge', {}, 'Card'],
    ['the only card', { cards: [false] }, 'Card'],
    ['the default card, whatever PayPal accounts there are', { cards: [true], accounts: [true] }, 'Card'],
    ['the default PayPal account, when no card is the default', { cards: [false], accounts: [true] }, 'paypal'],
    ['the only PayPal account, when there is no card', { accounts: [false] }, 'paypal'],
    [
      'the only PayPal account, when none of the cards is the default',
      { cards: [false, false], accounts: [false] },
      'paypal',
    ],
    ['a card, when none of the PayPal accounts is the default', { accounts: [false, false] }, 'Card'],
  ];

  it('the payment method that the company has, until it chooses one', async () => {
    const admins = await Promise.all(CASES.map(([, sources]) => signUpWith(sources)));
    for (const admin of admins) await use(service, admin, '/v1/paid', 5, '2025-01-10T00:00:00Z');
    const expected = CASES.map(([what, , method]) => [what, 'default', method, method, method]);
    const before = await Promise.all(admins.map(readMethods));
    await runMonth(service, '2025-01');
    const issued = await Promise.all(admins.map((admin) => invoicesOf(service, admin)));
    const found = CASES.map(([what], index) => [what, ...(before[index] ?? []), issued[index]?.[0].method]);
    expect(found).toEqual(expected);
  });

  it('the method that the company or the operator chose', async () => {
    const [chosen, written] = [
      await signUpWith({ cards: [true], accounts: [false] }),
      await signUpWith({ accounts: [true] }),
    ];
    expectStatus(await choose(chosen, { paymentMethod: 'paypal', currency: 'JPY', netDays: 30 }), 200);
    await setBilling(service, written, { paymentMethod: 'Card' });
    expect(await settingsOf(chosen)).toMatchObject({
      paymentMethod: 'paypal',
      invoiceMethod: 'paypal',
      currency: 'USD',
      netDays: 0,
    });
    expect(await settingsOf(written)).toMatchObject({ paymentMethod: 'Card', invoiceMethod: 'Card' });
    for (const admin of [chosen, written]) await use(service, admin, '/v1/paid', 5, '2025-02-10T00:00:00Z');
    await runMonth(service, '2025-02');
    const [[invoice], [other]] = [await invoicesOf(service, chosen), await invoicesOf(service, written)];
    expect([invoice.method, other.method]).toEqual(['paypal', 'Card']);

    // Issued invoices do not change.
    expectStatus(await choose(chosen, { paymentMethod: 'default' }), 200);
    expect((await invoicesOf(service, chosen))[0].method).toBe('paypal');
    expect((await settingsOf(chosen)).invoiceMethod).toBe('Card');
    const { token } = chosen;
    const paid = expectStatus(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token }), 200).body;
    expect(paid.status).toBe('Succeeded');
    expect((await invoicesOf(service, chosen))[0].payment).toMatchObject({
      method: 'paypal',
      amount: '5.00',
      card: null,
    });
  });

  it.each(['card', 'PayPal', '', null, 'bank_transfer'])('no method called %s', async (paymentMethod) => {
    const { status, body } = await choose(await signUpAdmin(service), { paymentMethod });
    expect([status, body.error.details[0].field]).toEqual([400, 'paymentMethod']);
  });
});

async function readMethods(admin: Actor): Promise<string[]> {
  const { paymentMethod, invoiceMethod } = await settingsOf(admin);
  const upcoming = await service.call('GET', '/payments/upcoming-invoice', { token: admin.token });
  return [paymentMethod, invoiceMethod, expectStatus(upcoming, 200).body.method];
}
