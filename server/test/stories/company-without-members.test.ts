import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { advanceDueRuns } from '../../src/billing/runs/pass/passes.ts';
import { runMonth, setPrice, use } from '../billing/billing.ts';
import { workOff } from '../billing/schedule.ts';
import { type Actor, CARDS, expectStatus, saveCard } from '../customers/actors.ts';
import { openSession } from '../identity/customer-sessions.ts';
import { createKey } from '../identity/operator-keys.ts';
import { type CollectionService, collectAfterDays, startCollectionService } from '../payments/collection.ts';

let service: CollectionService;
let product: string;
beforeAll(async () => {
  service = await startCollectionService();
  ({ key: product } = await createKey(service, { name: 'Our backend', role: 'integration' }));
});
afterAll(() => service?.stop());

const PATH = '/v1/speech';
const asProduct = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: product, ...(body && { body }) });
const asOperator = (path: string) => service.call('GET', path, { token: service.operatorKey });

/** A company of the product in which nobody has an account. */
async function createCompany(externalId: string): Promise<{ id: string }> {
  const body = {
    name: 'Acme Robotics',
    email: 'billing@acme.example',
    billingInformation: { organization: 'Acme Robotics GmbH', country: 'DE' },
    billingSettings: { collection: 'automatic', netDays: 0, dunningDays: [3, 5] },
  };
  return expectStatus(await asProduct('PUT', `/operator/companies/external:${externalId}`, body), 201).body;
}

it('a company without members is billed for its usage, charged, dunned, and paid with another card', async () => {
  const externalId = `acme-${randomUUID()}`;
  const { id } = await createCompany(externalId);
  await setPrice(service, { path: PATH, unitAmount: '0.10' });
  const { token } = await openSession(service, id, {}, product);
  const customer: Actor = { token, refreshToken: '', userId: '', companyId: `external:${externalId}`, email: '' };
  await saveCard(service, customer, { cardNumber: CARDS.insufficientFunds, isDefault: true });
  await use(service, customer, PATH, 480, '2026-11-15T12:00:00Z');

  service.passHours(48);
  await advanceDueRuns(service.database.db, service.now());
  await workOff(service);
  const invoices = async () =>
    expectStatus(await asProduct('GET', `/operator/invoices?companyId=external:${externalId}`), 200).body.data;
  expect(await invoices()).toMatchObject([{ companyId: id, status: 'Processing', total: '48.00' }]);
  const company = async () => expectStatus(await asProduct('GET', `/operator/companies/${id}`), 200).body;
  expect(await company()).toMatchObject({ email: 'billing@acme.example', members: 0, cards: 1, openInvoices: 1 });

  await service.collect();
  await collectAfterDays(service, 3);
  const [{ id: invoiceId }] = await invoices();
  const invoice = async () => expectStatus(await asProduct('GET', `/operator/invoices/${invoiceId}`), 200).body;
  expect(await invoice()).toMatchObject({
    status: 'Failed',
    collection: { state: 'scheduled', dunningStep: 2 },
    attempts: [{ declineCode: 'insufficient_funds' }, { declineCode: 'insufficient_funds' }],
  });
  expect((await company()).overdue).toEqual([{ currency: 'USD', amount: '48.00' }]);

  await saveCard(service, customer, { cardNumber: CARDS.visa, isDefault: true });
  await collectAfterDays(service, 2);
  expect(await invoice()).toMatchObject({ status: 'Succeeded', collection: { state: 'closed' } });
  expect(await company()).toMatchObject({ members: 0, openInvoices: 0, due: [], overdue: [] });
  const alerts = expectStatus(await asOperator(`/operator/alerts?companyId=${id}`), 200).body;
  expect(alerts.data).toEqual([]);
});

it('one that has no name, no e-mail and no card either is billed, and its invoice waits for a card', async () => {
  const externalId = `nameless-${randomUUID()}`;
  const body = { billingSettings: { collection: 'automatic', netDays: 0, invoiceGraceHours: 0 } };
  const made = await asProduct('PUT', `/operator/companies/external:${externalId}`, body);
  expect(expectStatus(made, 201).body).toMatchObject({ name: '', email: '' });
  const unnamed = { companyId: `external:${externalId}` } as Actor;
  await setPrice(service, { path: '/v1/unnamed', unitAmount: '0.50' });
  await use(service, unnamed, '/v1/unnamed', 24, '2026-11-20T12:00:00Z');
  await runMonth(service, '2026-11');
  await service.collect();
  const path = `/operator/invoices?companyId=external:${externalId}`;
  const { data } = expectStatus(await asProduct('GET', path), 200).body;
  expect(data).toMatchObject([{ status: 'Processing', total: '12.00' }]);
  const invoice = await asProduct('GET', `/operator/invoices/${data[0].id}`);
  expect(invoice.body.collection).toMatchObject({ state: 'awaiting_payment_method' });
});
