import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const PATH = '/payments/billing-information';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const TEXTS = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phoneNumber: '+44 20 7946 0000',
  country: 'GB',
  address: '12 St James Square',
  zipCode: 'SW1Y 4JH',
  province: 'Greater London',
  city: 'London',
  organization: 'Analytical Engines Ltd',
  taxId: 'GB123456789',
};
const FIELDS = Object.keys(TEXTS);
const EMPTY = Object.fromEntries(FIELDS.map((field) => [field, '']));

const read = async ({ token }: Actor) => expectStatus(await service.call('GET', PATH, { token }), 200).body;
const change = ({ token }: Actor, body: unknown) => service.call('PUT', PATH, { token, body });

describe('GET /payments/billing-information', () => {
  it('answers every field from sign-up on, all of them unset', async () => {
    const admin = await signUpAdmin(service);
    const body = await read(admin);
    expect(body).toEqual({
      ...EMPTY,
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      companyId: admin.companyId,
      paymentId: null,
      paymentMethod: '',
      inStoreCredit: 0,
      postalCode: null,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(await read(admin)).toEqual(body);
  });

  it('answers with one record per company, which invoices name as billToId', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const [own, foreign] = [await read(admin), await read(other)];
    expect(own.id).not.toBe(foreign.id);
    expect((await issueInvoice(service, admin.companyId)).billToId).toBe(own.id);
    const [row] = await service.database.owner`
      SELECT count(*)::int AS records FROM billing_information WHERE company_id = ${admin.companyId}`;
    expect(row).toEqual({ records: 1 });
  });

  it('answers inStoreCredit as a number', async () => {
    const admin = await signUpAdmin(service);
    await grantCredit(service, admin.companyId, { amount: '1234.50' });
    expect((await read(admin)).inStoreCredit).toBe(1_234.5);
  });
});

describe('paymentId and paymentMethod', () => {
  it('are null and "" while no card is the default, even when one is saved', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    expect(await read(admin)).toMatchObject({ paymentId: null, paymentMethod: '' });
  });

  it('follow the default card when it is set, changed, unset and deleted', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    const info = { expMonth: 12, expYear: new Date().getUTCFullYear() + 1 };
    const setDefault = async (id: string, isDefault: boolean) =>
      expectStatus(await service.call('PUT', `/payments/cards/${id}`, { token, body: { isDefault, info } }), 200);

    const first = await saveCard(service, admin, { isDefault: true });
    expect(await read(admin)).toMatchObject({ paymentId: first, paymentMethod: 'Card' });
    const second = await saveCard(service, admin, { isDefault: true });
    expect(await read(admin)).toMatchObject({ paymentId: second, paymentMethod: 'Card' });
    await setDefault(first, true);
    expect(await read(admin)).toMatchObject({ paymentId: first, paymentMethod: 'Card' });
    await setDefault(first, false);
    expect(await read(admin)).toMatchObject({ paymentId: null, paymentMethod: '' });
    await setDefault(second, true);
    expectStatus(await service.call('DELETE', `/payments/cards/${second}`, { token }), 204);
    expect(await read(admin)).toMatchObject({ paymentId: null, paymentMethod: '' });
  });

  it('are in the answer to an update too, and the client can’t set them', async () => {
    const admin = await signUpAdmin(service);
    const cardId = await saveCard(service, admin, { isDefault: true });
    const body = { city: 'Paris', paymentId: randomUUID(), paymentMethod: 'paypal', inStoreCredit: 1_000 };
    const changed = expectStatus(await change(admin, body), 200).body;
    expect(changed).toMatchObject({ city: 'Paris', paymentId: cardId, paymentMethod: 'Card', inStoreCredit: 0 });
    expect(await read(admin)).toEqual(changed);
  });
});

describe('PUT /payments/billing-information', () => {
  it('answers 200 with the whole record, createdAt and updatedAt included', async () => {
    const admin = await signUpAdmin(service);
    const before = await read(admin);
    await delay(2);
    const { body } = expectStatus(await change(admin, TEXTS), 200);
    expect(body).toEqual({ ...before, ...TEXTS, updatedAt: expect.stringMatching(TIMESTAMP) });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await read(admin)).toEqual(body);
  });

  it.each(FIELDS)('writes %s; fields absent from the body keep their current values', async (field) => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await change(admin, TEXTS), 200).body;
    const { body } = expectStatus(await change(admin, { [field]: '  changed ' }), 200);
    expect(body).toEqual({ ...before, [field]: 'changed', updatedAt: body.updatedAt });
    const emptied = expectStatus(await change(admin, { [field]: '' }), 200).body;
    expect(emptied).toMatchObject({ ...TEXTS, [field]: '' });
  });

  it('keeps every value when the body is {}', async () => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await change(admin, TEXTS), 200).body;
    const { body } = expectStatus(await change(admin, {}), 200);
    expect(body).toEqual({ ...before, updatedAt: body.updatedAt });
  });

  it.each(FIELDS)('refuses null and non-strings for %s, and changes nothing', async (field) => {
    const admin = await signUpAdmin(service);
    const before = expectStatus(await change(admin, TEXTS), 200).body;
    const [other = ''] = FIELDS.filter((one) => one !== field);
    for (const value of [null, 10_115, true, ['x'], {}]) {
      const refused = expectStatus(await change(admin, { [other]: 'changed', [field]: value }), 400);
      expect(refused.body.error).toMatchObject({
        code: 'invalid_request',
        details: [{ field, message: expect.any(String) }],
      });
    }
    expectStatus(await change(admin, { [other]: 'changed', [field]: 'a\0b' }), 400);
    expect(await read(admin)).toEqual(before);
  });

  it.each(FIELDS)('limits %s: 255 characters, and 2,000 for the free text of address', async (field) => {
    const admin = await signUpAdmin(service);
    const longest = 'é'.repeat(field === 'address' ? 2_000 : 255);
    expect(expectStatus(await change(admin, { [field]: longest }), 200).body[field]).toBe(longest);
    const refused = expectStatus(await change(admin, { [field]: `${longest}é` }), 400);
    expect(refused.body.error.details[0].field).toBe(field);
  });

  it('takes back the record as it was read, and ignores the fields that the client can’t set', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const before = expectStatus(await change(admin, { ...TEXTS, zipCode: '10115' }), 200).body;
    const foreign = await read(other);
    const sent = { ...before, id: foreign.id, companyId: other.companyId, postalCode: 1, createdAt: foreign.createdAt };
    const { body } = expectStatus(await change(admin, sent), 200);
    expect(body).toEqual({ ...before, updatedAt: body.updatedAt });
    expect(await read(other)).toEqual(foreign);
  });

  it('keeps all of ten parallel updates of different fields', async () => {
    const admin = await signUpAdmin(service);
    const answers = await Promise.all(FIELDS.map((field) => change(admin, { [field]: field })));
    expect(answers.map(({ status }) => status)).toEqual(FIELDS.map(() => 200));
    expect(await read(admin)).toMatchObject(Object.fromEntries(FIELDS.map((field) => [field, field])));
  });
});

describe('zipCode and postalCode', () => {
  it.each([
    ['10115', 10_115, 'all digits'],
    ['0', 0, 'one digit'],
    ['01067', 1_067, 'a leading zero, which zipCode keeps'],
    ['00000', 0, 'zeros alone'],
    ['9007199254740991', 9_007_199_254_740_991, 'the largest number that is held exactly'],
    ['', null, 'none'],
    ['SW1Y 4JH', null, 'letters'],
    ['10115-1234', null, 'a dash'],
    ['123 45', null, 'a space'],
    ['-5', null, 'a sign'],
    ['1e5', null, 'an exponent'],
    ['1.5', null, 'a point'],
    ['0x10', null, 'a hexadecimal prefix'],
    ['١٠١١٥', null, 'digits of another script'],
    ['9007199254740993', null, 'digits that no number holds exactly'],
    ['123456789012345678901234567890', null, '30 digits, which no number holds exactly'],
  ])('zipCode %j has postalCode %j: %s', async (zipCode, postalCode, _because) => {
    const admin = await signUpAdmin(service);
    const { body } = expectStatus(await change(admin, { zipCode }), 200);
    expect([body.zipCode, body.postalCode]).toEqual([zipCode, postalCode]);
    const later = await read(admin);
    expect([later.zipCode, later.postalCode]).toEqual([zipCode, postalCode]);
  });
});
