import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putSettings } from '../../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

const ISSUED = new Date('2026-11-02T09:00:00.000Z');
const DUE = new Date('2026-11-16T09:00:00.000Z');

let now = ISSUED;
let service: TestService;
let admin: Actor;
/** One invoice in each state, by name. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  admin = await signUpAdmin(service);
  await saveCard(service, admin);
  expectStatus(await putSettings(service, admin.companyId, { collection: 'manual', netDays: 14 }), 200);
  const stranger = await signUpAdmin(service);
  await issueInvoice(service, stranger.companyId);

  const names = ['open', 'partly', 'paid', 'refused', 'credited', 'settled', 'creditedLater', 'void'];
  for (const name of names) ids[name] = (await issueInvoice(service, admin.companyId)).id;
  await creditBy('partly', '8.00');
  await creditBy('credited', '48.00');
  await creditBy('settled', '48.00');
  for (const name of ['paid', 'settled', 'creditedLater']) await pay(name);
  await creditBy('creditedLater', '48.00');
  expectStatus(await voidInvoice(service, ids.void ?? ''), 200);
  await saveCard(service, admin, { cardNumber: '4000000000000002', isDefault: true });
  expect((await service.call('PUT', `/payments/orders/${ids.refused}/pay`, { token: admin.token })).status).toBe(402);
});
afterAll(async () => service?.stop());

const creditBy = async (name: string, amount: string) =>
  expectStatus(await credit(service, ids[name] ?? '', { amount }), 201);
const pay = async (name: string) =>
  expectStatus(await service.call('PUT', `/payments/orders/${ids[name]}/pay`, { token: admin.token }), 200);

const STATES = {
  open: ['open', 'partly', 'refused'],
  paid: ['paid', 'creditedLater'],
  credited: ['credited', 'settled'],
  void: ['void'],
};

/** Returns the names of the invoices in a list, and its total. */
async function namesIn(path: string, token: string): Promise<string[]> {
  const { body } = expectStatus(await service.call('GET', path, { token }), 200);
  expect(body.total).toBe(body.data.length);
  const found = body.data.map((invoice: { id: string }) => invoice.id);
  return Object.keys(ids).filter((name) => found.includes(ids[name]));
}
const lists = (query: string) =>
  Promise.all([
    namesIn(`/payments/orders?perPage=100&${query}`, admin.token),
    namesIn(`/operator/invoices?perPage=100&companyId=${admin.companyId}&${query}`, service.operatorKey),
  ]);
const twice = (names: string[]) => [names, names];

describe('the state of an invoice', () => {
  it('is in each row of a list, and in a single invoice', async () => {
    const { data } = (await service.call('GET', '/payments/orders?perPage=100', { token: admin.token })).body;
    const states = new Map(data.map(({ id, state }: { id: string; state: string }) => [id, state]));
    for (const [state, names] of Object.entries(STATES)) {
      expect(names.map((name) => states.get(ids[name]))).toEqual(names.map(() => state));
      const path = `/operator/invoices/${ids[names[0] ?? '']}`;
      expect((await service.call('GET', path, { token: service.operatorKey })).body.state).toBe(state);
    }
  });

  // Security (Amounts, documents and card data): The state of an invoice is correct, also as a filter with exact totals
  it.each(Object.entries(STATES))('is a filter of the lists, with exact totals: %s', async (state, names) => {
    expect(await lists(`state=${state}`)).toEqual(twice(names));
    expect(await lists(`state=${state.toUpperCase()}`)).toEqual(twice(names));
    const path = `/operator/invoices?state=${state}&perPage=1`;
    const { total } = (await service.call('GET', path, { token: service.operatorKey })).body;
    expect(total).toBe(names.length + (state === 'open' ? 1 : 0));
  });

  it('combines with other filters', async () => {
    expect(await lists('state=open&status=Failed')).toEqual(twice(['refused']));
    expect(await lists('state=credited&status=Succeeded')).toEqual(twice(['settled']));
    expect(await lists('state=paid&status=Processing')).toEqual(twice([]));
    expect(await lists('state=open&startAt=2026-10-01')).toEqual(twice(STATES.open));
    const { status, body } = await service.call('GET', '/payments/orders?state=due', { token: admin.token });
    expect([status, body.error.details[0].field]).toEqual([400, 'state']);
  });

  it('becomes overdue when the due date of an open invoice passes', async () => {
    const before = await lists('state=overdue');
    now = DUE;
    const atTheDate = await lists('state=overdue');
    now = new Date(DUE.getTime() + 1);
    expect([before, atTheDate, await lists('state=overdue')]).toEqual([twice([]), twice([]), twice(STATES.open)]);
    expect(await lists('state=overdue&status=Failed')).toEqual(twice(['refused']));
    now = ISSUED;
  });

  it('changes with the invoice, even in lists that were read before', async () => {
    const { id } = await issueInvoice(service, admin.companyId);
    ids.late = id;
    expect(await lists('state=credited')).toEqual(twice(STATES.credited));
    await creditBy('late', '48.00');
    expect(await lists('state=credited')).toEqual(twice([...STATES.credited, 'late']));
    expect(await lists('state=open')).toEqual(twice(STATES.open));
  });
});
