import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
let member: Actor;
beforeAll(async () => {
  service = await startTestService();
  await create('c3', { name: 'émile & Söhne GmbH', email: 'Kontakt@emile.example' });
  await create('C1', { name: 'Zebra', billingInformation: { taxId: 'DE 123.456.789' } });
  await create('c2', { name: 'Analytical Engines Ltd', email: 'office@engines.example' });
  await create(null, { name: 'apple' });
  member = await signUpAdmin(service, 'grace.hopper@navy.example');
  await call('PUT', `/companies/${member.companyId}`, { name: 'Navy' });
  await call('PUT', '/companies/external:c3', { disabled: true });
});
afterAll(() => service?.stop());

const call = (method: string, path: string, body?: object) =>
  service.call(method, `/operator${path}`, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });
const create = async (externalId: string | null, body: object) =>
  expectStatus(await call('POST', '/companies', { externalId, ...body }), 201).body;
const list = async (query: object) => {
  const { body } = expectStatus(await call('GET', `/companies?${new URLSearchParams({ ...query })}`), 200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ name }: { name: string }) => name);
};

describe('search', () => {
  it.each([
    ['analyt', ['Analytical Engines Ltd']],
    ['ENGINES', ['Analytical Engines Ltd']],
    ['engines l', ['Analytical Engines Ltd']],
    ['ngines', []],
    ['SÖHNE', ['émile & Söhne GmbH']],
    ['Émi', ['émile & Söhne GmbH']],
    ['&', ['émile & Söhne GmbH']],
    ['office@', ['Analytical Engines Ltd']],
    ['kontakt@EMILE', ['émile & Söhne GmbH']],
    ['engines.example', []],
    ['grace.h', ['Navy']],
    ['navy.example', []],
    ['c', ['Analytical Engines Ltd', 'Zebra', 'émile & Söhne GmbH']],
    ['C2', ['Analytical Engines Ltd']],
    ['de 123', ['Zebra']],
    ['DE1234567', ['Zebra']],
    ['56.789', []],
    ['%', []],
    ['_', []],
    ['\\', []],
    ['a', ['apple', 'Analytical Engines Ltd']],
  ])('%j finds %j', async (search, names) => {
    expect(await list({ search })).toEqual(names);
  });

  it('follows what changes: a name, an e-mail, a VAT number, members who leave', async () => {
    const { id } = await create('moving', { name: 'Before', email: 'before@moving.example' });
    await call('PUT', `/companies/${id}`, {
      externalId: 'moved',
      name: 'After',
      email: 'after@moving.example',
      billingInformation: { taxId: 'FR1' },
    });
    for (const search of ['before', 'moving']) expect(await list({ search })).toEqual([]);
    for (const search of ['after', 'moved', 'after@', 'fr1']) expect(await list({ search })).toEqual(['After']);

    const { token, userId, companyId } = await signUpAdmin(service, 'leaver@example.com');
    await call('PUT', `/companies/${companyId}`, { name: 'Left' });
    expect(await list({ search: 'leaver@' })).toEqual(['Left']);
    await service.database.owner`UPDATE users SET company_id = NULL, role = 'Customer' WHERE id = ${userId}`;
    expect(await list({ search: 'leaver@' })).toEqual([]);
    expect(token).not.toBe('');
  });
});

describe('filters', () => {
  it('by an exact external id, by what is disabled, and by all together', async () => {
    expect(await list({ externalId: 'c2' })).toEqual(['Analytical Engines Ltd']);
    expect(await list({ externalId: ' c2 ' })).toEqual(['Analytical Engines Ltd']);
    expect(await list({ externalId: 'c1' })).toEqual([]);
    expect(await list({ externalId: 'C' })).toEqual([]);
    expect(await list({ disabled: 'true' })).toEqual(['émile & Söhne GmbH']);
    expect(await list({ disabled: 'false', search: 'c', sort: 'name' })).toEqual(['Analytical Engines Ltd', 'Zebra']);
    expect(await list({ disabled: 'true', search: 'c2' })).toEqual([]);
    expect(await list({ disabled: 'false', perPage: '100' })).not.toContain('émile & Söhne GmbH');
    expect(await list({ email: 'GRACE.HOPPER@navy.example' })).toEqual(['Navy']);
  });

  it('by an external id that breaks the rules is 400 on it', async () => {
    const refused = expectStatus(await call('GET', `/companies?externalId=${'x'.repeat(256)}`), 400);
    expect(refused.body.error.details[0].field).toBe('externalId');
  });
});

describe('sort', () => {
  const BY_NAME = ['Analytical Engines Ltd', 'apple', 'émile & Söhne GmbH', 'Navy', 'Zebra'];
  const of = async (sort?: string) => (await list({ ...(sort ? { sort } : {}), perPage: '100' })).filter(isOfTest);
  const isOfTest = (name: string) => BY_NAME.includes(name);

  it('is as people sort names, in both directions', async () => {
    expect(await of('name')).toEqual(BY_NAME);
    expect(await of('-name')).toEqual(BY_NAME.toReversed());
  });

  it('has companies without an external id last, in both directions', async () => {
    const ids = ['Zebra', 'Analytical Engines Ltd', 'émile & Söhne GmbH'];
    expect((await of('externalId')).slice(0, 3)).toEqual(ids);
    expect((await of('-externalId')).slice(0, 3)).toEqual(ids.toReversed());
    expect((await of('externalId')).slice(3).sort()).toEqual(['Navy', 'apple']);
  });

  it('is by when they were created, the newest first when absent', async () => {
    const created = ['émile & Söhne GmbH', 'Zebra', 'Analytical Engines Ltd', 'apple', 'Navy'];
    expect(await of('createdAt')).toEqual(created);
    expect(await of()).toEqual(created.toReversed());
    expect(await of('-createdAt')).toEqual(created.toReversed());
  });
});

describe('GET /operator/companies/{id}', () => {
  it('has counts of a company, what it owes, and its credit', async () => {
    const admin = await signUpAdmin(service);
    const empty = expectStatus(await call('GET', `/companies/${admin.companyId}`), 200).body;
    const none = { cards: 0, paypalAccounts: 0, openInvoices: 0, due: [], overdue: [], credit: [] };
    expect(empty).toMatchObject({ id: admin.companyId, members: 1, ...none });
    await saveCard(service, admin);
    await call('PUT', `/companies/${admin.companyId}/billing-settings`, { collection: 'manual', netDays: 30 });
    const amount = (value: string, currency = 'USD') => ({ details: [{ title: 'One', currency, amount: value }] });
    await issueInvoice(service, admin.companyId, { taxRate: '0', ...amount('10') });
    await issueInvoice(service, admin.companyId, { taxRate: '0', ...amount('5', 'JPY') });
    const overdue = await issueInvoice(service, admin.companyId, { taxRate: '0', ...amount('2.50') });
    await service.database.owner`UPDATE invoices SET due_at = now() - interval '1 day' WHERE id = ${overdue.id}`;
    const credited = await issueInvoice(service, admin.companyId, { taxRate: '0', ...amount('7') });
    await call('POST', `/invoices/${credited.id}/void`, {});
    await grantCredit(service, admin.companyId, { amount: '25' });
    const read = expectStatus(await call('GET', `/companies/${admin.companyId}`), 200).body;
    expect(read).toMatchObject({ members: 1, cards: 1, paypalAccounts: 0, openInvoices: 3 });
    expect(read.due).toEqual([
      { currency: 'JPY', amount: '5.00' },
      { currency: 'USD', amount: '12.50' },
    ]);
    expect(read.overdue).toEqual([{ currency: 'USD', amount: '2.50' }]);
    expect(read.credit).toEqual([{ currency: 'USD', amount: '25.00' }]);
  });

  it('is 404 for what is not there', async () => {
    for (const id of [crypto.randomUUID(), 'external:nobody', 'external:', 'x'])
      expectStatus(await call('GET', `/companies/${id}`), 404);
  });
});

describe('the file', () => {
  it('has the companies of the list with their organizations, the newest first', async () => {
    await create('c4', { name: 'Billed', billingInformation: { organization: 'Billed Ltd', country: 'GB' } });
    const { body } = expectStatus(await call('GET', '/companies?perPage=1000'), 200);
    expect(body.data[0]).toMatchObject({ name: 'Billed', organization: 'Billed Ltd' });
    expect((await call('GET', '/companies/external:c4')).body.organization).toBe('Billed Ltd');
    const { text } = expectStatus(await call('GET', '/companies.csv'), 200);
    const ids = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',')[0]);
    expect(ids).toEqual(['id', ...body.data.map(({ id }: { id: string }) => id)]);
    const found = expectStatus(await call('GET', '/companies.csv?search=bille&disabled=false'), 200).text;
    expect(found.split('\r\n')[1]).toMatch(/^[0-9a-f-]{36},c4,Billed,Billed Ltd,/);
  });
});
