import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, postCredit, putSettings } from '../../../test/billing/credits.ts';
import { expectStatus, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { readBillingSettings, taxRateToBill } from './companies.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const read = async (companyId: string) => {
  const path = `/operator/companies/${companyId}/billing-settings`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
};
const change = async (companyId: string, body: object) =>
  expectStatus(await putSettings(service, companyId, body), 200).body;

const defaultsOf = (companyId: string) => ({
  companyId,
  companyExternalId: null,
  currency: 'USD',
  taxRate: '0',
  exemptWithTaxId: false,
  taxExempt: false,
  vatId: null,
  timezone: 'UTC',
  lateUsage: { kind: 'next_invoice' },
  invoiceGraceHours: 24,
  collection: 'by_card',
  collectsAutomatically: false,
  netDays: 0,
  dunningDays: [2, 5, 7, 7],
  paymentMethod: 'default',
  invoiceMethod: 'Card',
  numberPrefix: `${companyId.slice(-12).toUpperCase()}-`,
});

describe('GET and PUT /operator/companies/{id}/billing-settings', () => {
  it('are the defaults from sign-up on', async () => {
    const { companyId } = await signUpAdmin(service);
    expect(await read(companyId)).toEqual(defaultsOf(companyId));
  });

  it('keeps the written fields, and those that are absent', async () => {
    const { companyId } = await signUpAdmin(service);
    const all = {
      currency: 'EUR',
      taxRate: '19',
      exemptWithTaxId: true,
      timezone: 'Europe/Berlin',
      lateUsage: { kind: 'refuse', days: 30 },
      invoiceGraceHours: 0,
      collection: 'automatic',
      netDays: 14,
      dunningDays: [1, 60],
      paymentMethod: 'paypal',
      numberPrefix: 'ACME-',
    };
    const written = await change(companyId, all);
    expect(written).toEqual({
      companyId,
      companyExternalId: null,
      ...all,
      taxExempt: false,
      vatId: null,
      collectsAutomatically: true,
      invoiceMethod: 'paypal',
    });
    expect(await change(companyId, {})).toEqual(written);
    expect(await change(companyId, { taxRate: '7.70' })).toEqual({ ...written, taxRate: '7.7' });
    expect(await change(companyId, { lateUsage: { kind: 'ignore' } })).toMatchObject({ lateUsage: { kind: 'ignore' } });
  });

  it('belong to one company', async () => {
    const [one, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await change(one.companyId, { currency: 'JPY', taxRate: '10' });
    expect(await read(other.companyId)).toEqual(defaultsOf(other.companyId));
  });

  it.each([
    ['currency', { currency: 'usd' }],
    ['currency', { currency: 'XXX' }],
    ['taxRate', { taxRate: '-0.1' }],
    ['taxRate', { taxRate: '100.01' }],
    ['taxRate', { taxRate: '1e1' }],
    ['taxRate', { taxRate: 19 }],
    ['timezone', { timezone: 'Mars/Phobos' }],
    ['timezone', { timezone: '+02:00' }],
    ['lateUsage.kind', { lateUsage: { kind: 'drop' } }],
    ['lateUsage.kind', { lateUsage: { days: 3 } }],
    ['lateUsage.days', { lateUsage: { kind: 'refuse' } }],
    ['lateUsage.days', { lateUsage: { kind: 'refuse', days: -1 } }],
    ['lateUsage.days', { lateUsage: { kind: 'refuse', days: 3_651 } }],
    ['lateUsage.days', { lateUsage: { kind: 'refuse', days: 1.5 } }],
    ['invoiceGraceHours', { invoiceGraceHours: 721 }],
    ['invoiceGraceHours', { invoiceGraceHours: -1 }],
    ['collection', { collection: 'never' }],
    ['netDays', { netDays: 121 }],
    ['netDays', { netDays: -1 }],
    ['dunningDays', { dunningDays: Array(11).fill(1) }],
    ['dunningDays[1]', { dunningDays: [1, 61] }],
    ['dunningDays[0]', { dunningDays: [0] }],
  ])('refuses with 400 on %s: %j, and changes nothing', async (field, body) => {
    const { companyId } = await signUpAdmin(service);
    const refused = expectStatus(await putSettings(service, companyId, { exemptWithTaxId: true, ...body }), 400);
    expect(refused.body.error.details[0].field).toBe(field);
    expect(await read(companyId)).toEqual(defaultsOf(companyId));
  });

  it('is 404 for an unknown company', async () => {
    expect((await putSettings(service, randomUUID(), {})).status).toBe(404);
  });
});

it('collects automatically while there is a default card, unless set otherwise', async () => {
  const admin = await signUpAdmin(service);
  const cardId = await saveCard(service, admin, { isDefault: true });
  expect(await read(admin.companyId)).toMatchObject({ collection: 'by_card', collectsAutomatically: true });
  expect(await change(admin.companyId, { collection: 'manual' })).toMatchObject({ collectsAutomatically: false });
  expect(await change(admin.companyId, { collection: 'by_card' })).toMatchObject({ collectsAutomatically: true });
  expectStatus(await service.call('DELETE', `/payments/cards/${cardId}`, { token: admin.token }), 204);
  expect(await read(admin.companyId)).toMatchObject({ collectsAutomatically: false });
});

describe('the exemption by tax id', () => {
  const putTaxId = async (token: string, taxId: string) =>
    expectStatus(await service.call('PUT', '/payments/billing-information', { token, body: { taxId } }), 200);

  it('needs both the operator’s flag and the company’s tax id', async () => {
    const { companyId, token } = await signUpAdmin(service);
    await change(companyId, { taxRate: '19' });
    await putTaxId(token, 'DE123456789');
    expect((await read(companyId)).taxExempt).toBe(false);
    expect((await change(companyId, { exemptWithTaxId: true })).taxExempt).toBe(true);
    await putTaxId(token, '');
    expect((await read(companyId)).taxExempt).toBe(false);
  });

  it('charges no tax, and keeps the rate', async () => {
    const { companyId, token } = await signUpAdmin(service);
    await change(companyId, { taxRate: '19', exemptWithTaxId: true });
    const rate = async () => taxRateToBill(await readBillingSettings(service.database.db, companyId));
    expect(await rate()).toBe('19');
    await putTaxId(token, 'DE123456789');
    expect(await rate()).toBe('0');
    expect((await read(companyId)).taxRate).toBe('19');
  });
});

describe('the currency, while there is credit', () => {
  it('can’t change: 409 currency_in_use; once the credit is zero it can, and grants are in the new one', async () => {
    const { companyId } = await signUpAdmin(service);
    await grantCredit(service, companyId);
    const refused = expectStatus(await putSettings(service, companyId, { currency: 'EUR', taxRate: '19' }), 409);
    expect(refused.body.error.code).toBe('currency_in_use');
    expect(await read(companyId)).toEqual(defaultsOf(companyId));
    expect(await change(companyId, { currency: 'USD', taxRate: '19' })).toMatchObject({ taxRate: '19' });

    await grantCredit(service, companyId, { amount: '-20' });
    expect((await change(companyId, { currency: 'EUR' })).currency).toBe('EUR');
    expect(expectStatus(await postCredit(service, companyId), 400).body.error.details[0].field).toBe('currency');
    expect(await grantCredit(service, companyId, { currency: 'EUR' })).toMatchObject({
      balance: '20.00',
      currency: 'EUR',
    });
  });
});
