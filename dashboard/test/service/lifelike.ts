import type { CreateInvoiceBody } from '@paydesk/client';
import { reportUsage, usageEvent } from '../../../server/test/billing/usage.ts';
import { type Company, signUpCompany } from './company.ts';
import { useService } from './service.ts';

/** A company that has something on every page, with the ids that addresses name. */
export type LifelikeCompany = Company & { invoiceId: string; priceId: string };

const PATH = '/v1/transcriptions';
const DAY_MS = 24 * 60 * 60 * 1_000;
/** The card of the sandbox that each charge declines for lack of funds. */
const DECLINED = '4000000000009995';

/** Signs up a company with methods to pay, invoices in several states, usage, labels, keys, an endpoint, an invitation and thresholds. */
export async function signUpLifelikeCompany(): Promise<LifelikeCompany> {
  const company = await signUpCompany();
  await addMethods(company);
  const paid = await issue(company, '48.00');
  const declined = await issue(company, '1250.40');
  // Otherwise it would be charged at once.
  await useService().operator.companies.billingSettings.update(company.id, { netDays: 30 });
  const open = await issue(company, '9.99');
  const { client } = company;
  await client.invoices.pay(paid.id);
  await addCard(company, DECLINED);
  await client.invoices.pay(declined.id).catch(() => undefined);
  const [priceId] = await Promise.all([addUsage(company), addLabels(company), addAccess(company)]);
  return { ...company, invoiceId: open.id, priceId };
}

async function addMethods(company: Company): Promise<void> {
  await company.client.billingInformation.update({ organization: company.name, city: 'London', country: 'GB' });
  await addCard(company, '4242424242424242');
}

async function addCard({ client, admin }: Company, cardNumber: string): Promise<void> {
  const { firstName, lastName } = admin;
  const address = { firstName, lastName, streetAddress: '12 St James Square', zipCode: 'SW1Y 4JH', country: 'GB' };
  const { id: addressId } = await client.addresses.create({ ...address });
  const expYear = new Date().getUTCFullYear() + 3;
  const info = { cardName: `${firstName} ${lastName}`, cardNumber, expMonth: 12, expYear, cvv: '123', country: 'GB' };
  await client.cards.create({ addressId, isDefault: true, info });
}

function issue({ id: companyId }: Company, amount: string) {
  const body: CreateInvoiceBody = {
    companyId,
    startAt: '2026-10-01T00:00:00Z',
    endAt: '2026-11-01T00:00:00Z',
    taxRate: '20',
    details: [{ title: 'Speech to text', path: PATH, totalRequest: 12_000, currency: 'USD', amount }],
  };
  return useService().operator.invoices.create(body);
}

/** Usage of the last weeks, at a price of the company alone, whose id is returned. */
async function addUsage({ id: companyId, client }: Company): Promise<string> {
  const { operator, asTestService } = useService();
  const { id } = await operator.prices.create({
    ...{ path: PATH, title: 'Speech to text', currency: 'USD', companyId },
    ...{ effectiveFrom: '2026-01-01T00:00:00Z', model: 'flat', unitAmount: '0.004' },
  });
  const events = Array.from({ length: 40 }, (_, days) => {
    const time = new Date(Date.now() - days * DAY_MS).toISOString();
    return usageEvent(companyId, { time, data: { path: PATH, quantity: 100 + ((days * 37) % 60) } });
  });
  await reportUsage(asTestService, events);
  await client.usageThresholds.create({ path: PATH, quantity: 1_000 });
  return id;
}

async function addLabels({ client }: Company): Promise<void> {
  const userName = 'Ada Lovelace';
  await client.labels.create({ name: 'Priority', description: 'Answer within the hour', color: '#ff8800', userName });
  await client.labels.create({ name: 'Waiting', description: 'The customer answers next', color: '#1f6feb', userName });
}

async function addAccess({ client }: Company): Promise<void> {
  const { data: roles } = await client.company.roles.list();
  const viewer = roles.find(({ name }) => name === 'Viewer');
  if (viewer === undefined) throw new Error('There is no role for viewers.');
  await client.company.invitations.create({ email: `grace-${crypto.randomUUID()}@example.com`, role_id: viewer.id });
  await client.company.apiKeys.create({ name: 'Bookkeeping', permission: viewer.permission });
  // A name that no network has (RFC 6761, 6.4): its deliveries fail.
  await client.webhookEndpoints.create({ url: 'https://bookkeeping.invalid/paydesk', description: 'Bookkeeping' });
}
