import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setBilling } from '../../../test/billing/billing.ts';
import { addItem, deleteItem, itemBody, listItems, postItem } from '../../../test/billing/items.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { databaseErrorCode } from '../../platform/database/database.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(async () => service?.stop());

const asOperator = () => ({ token: service.operatorKey });

describe('POST /operator/companies/{id}/items', () => {
  it('adds an item that waits for the next invoice, and records its event', async () => {
    const { companyId } = await signUpAdmin(service);
    const item = await addItem(service, companyId, { title: ' Onboarding ', reference: 'order-1', taxRate: '7.50' });
    expect(item).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      companyExternalId: null,
      ...{ companyId, title: 'Onboarding', amount: '25.00', unitAmount: '25.00', quantity: 1, currency: 'USD' },
      ...{ taxRate: '7.5', reference: 'order-1', state: 'pending', invoiceId: null },
      createdAt: expect.stringMatching(/Z$/),
    });
    const path = `/operator/events?companyId=${companyId}&type=item.created`;
    const { data } = expectStatus(await service.call('GET', path, asOperator()), 200).body;
    expect(data).toMatchObject([{ type: 'item.created', data: item }]);
  });

  it.each([
    ['USD', { unitAmount: '0.333', quantity: 7 }, '2.33', '0.333'],
    ['USD', { unitAmount: '-0.005' }, '-0.01', '-0.005'],
    ['USD', { unitAmount: 12.5, quantity: 2 }, '25.00', '12.50'],
    ['USD', { amount: '-99999999999.99' }, '-99999999999.99', '-99999999999.99'],
    ['JPY', { unitAmount: '0.5', quantity: 3 }, '2.00', '0.50'],
    ['KWD', { amount: '1.234' }, '1.234', '1.234'],
  ])('is exact in %s: %j', async (currency, changes, amount, unitAmount) => {
    const other = await signUpAdmin(service);
    await setBilling(service, other, { currency });
    const body = { title: 'Exact', currency, ...changes };
    expect(expectStatus(await postItem(service, other.companyId, body), 201).body).toMatchObject({
      amount,
      unitAmount,
    });
  });

  it.each([
    ['title', { title: ' ' }],
    ['amount', { amount: undefined }],
    ['amount', { amount: '0.00' }],
    ['amount', { amount: '0.001' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '100000000000' }],
    ['unitAmount', { unitAmount: '1.00' }],
    ['unitAmount', { amount: undefined, unitAmount: '0.0000000000001' }],
    ['unitAmount', { amount: undefined, unitAmount: '0.004', quantity: 1 }],
    ['unitAmount', { amount: undefined, unitAmount: '-100000000', quantity: 1_000 }],
    ['quantity', { quantity: 2 }],
    ['quantity', { amount: undefined, unitAmount: '1', quantity: 0 }],
    ['quantity', { amount: undefined, unitAmount: '1', quantity: 1_000_001 }],
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: 'usd' }],
    ['taxRate', { taxRate: '100.01' }],
    ['invoice', { invoice: 'never' }],
    ['reference', { reference: '' }],
    ['discount', { discount: '10' }],
  ])('rejects with 400 on %s: %j', async (field, changes) => {
    const refused = expectStatus(await postItem(service, admin.companyId, itemBody(changes)), 400);
    expect(refused.body.error.details[0].field).toBe(field);
    expect((await listItems(service, admin.companyId)).total).toBe(0);
  });

  it('adds one item per Idempotency-Key and per reference, however often it is sent', async () => {
    const { companyId } = await signUpAdmin(service);
    const headers = { 'idempotency-key': randomUUID() };
    const first = expectStatus(await postItem(service, companyId, itemBody(), headers), 201);
    expect(expectStatus(await postItem(service, companyId, itemBody(), headers), 201).text).toBe(first.text);

    const named = itemBody({ reference: 'order-2' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => postItem(service, companyId, named)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const other = expectStatus(await postItem(service, companyId, { ...named, amount: '25.01' }), 409);
    expect(other.body.error).toMatchObject({ code: 'reference_taken', details: [{ field: 'reference' }] });
    expect((await listItems(service, companyId)).total).toBe(2);
    await addItem(service, (await signUpAdmin(service)).companyId, named);
  });

  it('is 404 for an unknown company', async () => {
    expectStatus(await postItem(service, randomUUID(), itemBody()), 404);
  });

  it('prevents a change of the currency while items wait', async () => {
    const other = await signUpAdmin(service);
    const { id } = await addItem(service, other.companyId);
    const path = `/operator/companies/${other.companyId}/billing-settings`;
    const change = { ...asOperator(), body: { currency: 'EUR' } };
    expect((await service.call('PUT', path, change)).body.error?.code).toBe('currency_in_use');
    expectStatus(await deleteItem(service, other.companyId, id), 204);
    expectStatus(await service.call('PUT', path, change), 200);
  });
});

describe('GET and DELETE', () => {
  it('list page by page, newest first, by state, and only the company’s own', async () => {
    const [{ companyId }, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await addItem(service, other.companyId);
    for (const title of ['One', 'Two', 'Three']) await addItem(service, companyId, { title });
    const titles = async (query: string) =>
      (await listItems(service, companyId, query)).data.map(({ title }: { title: string }) => title);
    expect(await titles('')).toEqual(['Three', 'Two', 'One']);
    expect(await listItems(service, companyId, '?page=2&perPage=2')).toMatchObject({
      ...{ total: 3, page: 2, perPage: 2 },
      data: [{ title: 'One' }],
    });
    expect(await titles('?state=pending')).toHaveLength(3);
    expect(await titles('?state=invoiced')).toEqual([]);
    const path = `/operator/companies/${randomUUID()}/items`;
    expect((await service.call('GET', path, asOperator())).status).toBe(404);
  });

  // Security (Tenants): Operator paths with two ids find only objects of that company
  it('remove waiting items, only under the path of their own company', async () => {
    const [{ companyId }, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const { id } = await addItem(service, companyId, { reference: 'again' });
    expectStatus(await deleteItem(service, other.companyId, id), 404);
    expect((await listItems(service, companyId)).total).toBe(1);
    expectStatus(await deleteItem(service, companyId, id), 204);
    expectStatus(await deleteItem(service, companyId, id), 404);
    expect((await addItem(service, companyId, { reference: 'again' })).id).not.toBe(id);
  });
});

describe('constraints of the database', () => {
  // Security (Tenants): The service's role may only set the invoice of a one-off item, once
  it.each([
    'UPDATE items SET amount = 1',
    'UPDATE items SET title = title',
    'TRUNCATE items',
    'ALTER TABLE items DISABLE TRIGGER ALL',
  ])('the service’s role may not %s', async (statement) => {
    await expect(service.database.db.unsafe(statement)).rejects.toSatisfy(
      (error) => databaseErrorCode(error) === '42501',
    );
  });
});
