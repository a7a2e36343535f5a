import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditBody, grantCredit, postCredit, putSettings, readLedger } from '../../../test/billing/credits.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { databaseErrorCode, transaction } from '../../platform/database/database.ts';
import { insertCreditEntry } from './credits.queries.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const inStoreCredit = async ({ token }: Actor) =>
  (await service.call('GET', '/payments/billing-information', { token })).body.inStoreCredit;

describe('POST /operator/companies/{id}/credits', () => {
  it('grants: 201 with the entry, and the balance is inStoreCredit', async () => {
    const admin = await signUpAdmin(service);
    expect(await inStoreCredit(admin)).toBe(0);
    const entry = await grantCredit(service, admin.companyId, { amount: '20.5' });
    expect(entry).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      companyId: admin.companyId,
      companyExternalId: null,
      number: 1,
      kind: 'grant',
      amount: '20.50',
      balance: '20.50',
      currency: 'USD',
      reason: 'Goodwill',
      paymentId: null,
      invoiceId: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await grantCredit(service, admin.companyId, { amount: 0.1 })).toMatchObject({ number: 2, balance: '20.60' });
    expect(await inStoreCredit(admin)).toBe(20.6);
  });

  it('corrects with a negative amount, down to zero and no further: 409 insufficient_credit', async () => {
    const admin = await signUpAdmin(service);
    await grantCredit(service, admin.companyId);
    const refused = expectStatus(await postCredit(service, admin.companyId, { amount: '-20.01' }), 409);
    expect(refused.body.error).toMatchObject({
      code: 'insufficient_credit',
      message: expect.stringContaining('20.00 USD'),
    });
    expect(await inStoreCredit(admin)).toBe(20);
    const correction = await grantCredit(service, admin.companyId, { amount: '-20.00', reason: 'By mistake' });
    expect(correction).toMatchObject({ kind: 'correction', amount: '-20.00', balance: '0.00', reason: 'By mistake' });
    expect((await postCredit(service, admin.companyId, { amount: '-0.01' })).status).toBe(409);
    expect(await inStoreCredit(admin)).toBe(0);
  });

  it.each([
    ['amount', { amount: '0' }],
    ['amount', { amount: '-0.00' }],
    ['amount', { amount: '0.001' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '' }],
    ['amount', { amount: '100000000000' }],
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: '' }],
    ['reason', { reason: ' ' }],
    ['reason', { reason: undefined }],
  ])('rejects with 400 on %s: %j', async (field, changes) => {
    const admin = await signUpAdmin(service);
    const refused = expectStatus(await postCredit(service, admin.companyId, changes), 400);
    expect(refused.body.error.details[0].field).toBe(field);
    expect((await readLedger(service, admin.companyId)).total).toBe(0);
  });

  it.each([
    ['JPY', '100', '100.00', 100],
    ['KWD', '1.234', '1.234', 1.234],
    ['USD', '99999999999.99', '99999999999.99', 99_999_999_999.99],
  ])('is exact in %s: %s', async (currency, amount, shown, number) => {
    const admin = await signUpAdmin(service);
    await putSettings(service, admin.companyId, { currency });
    expect(await grantCredit(service, admin.companyId, { amount, currency })).toMatchObject({
      amount: shown,
      balance: shown,
    });
    expect(await inStoreCredit(admin)).toBe(number);
    const more = { amount: '99999999999', currency };
    const bounded = expectStatus(await postCredit(service, admin.companyId, more), 400);
    expect(bounded.body.error.details[0].message).toContain('below 100000000000');
  });

  it('accepts 1 yen and rejects half a yen', async () => {
    const { companyId } = await signUpAdmin(service);
    await putSettings(service, companyId, { currency: 'JPY' });
    expect((await postCredit(service, companyId, { currency: 'JPY', amount: '0.5' })).status).toBe(400);
    expect((await postCredit(service, companyId, { currency: 'JPY', amount: '1.0' })).status).toBe(201);
  });

  it('is 404 for an unknown company', async () => {
    expect((await postCredit(service, randomUUID())).status).toBe(404);
  });

  it('grants once per Idempotency-Key: twenty at once, then a repeat, and 422 for another body', async () => {
    const { companyId } = await signUpAdmin(service);
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => postCredit(service, companyId, {}, headers)));
    const granted = answers.filter(({ status }) => status === 201);
    expect(new Set(granted.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of answers.filter((answer) => !granted.includes(answer)))
      expect([status, body.error.code]).toEqual([409, 'idempotency_key_in_use']);
    const repeat = expectStatus(await postCredit(service, companyId, {}, headers), 201);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(repeat.text).toBe(granted[0]?.text);
    expect((await postCredit(service, companyId, { amount: '1' }, headers)).status).toBe(422);
    expect(await readLedger(service, companyId)).toMatchObject({ total: 1, balance: '20.00' });
  });
});

describe('GET /operator/companies/{id}/credits', () => {
  it('is empty, with a balance of zero, for a company that never had credit', async () => {
    const { companyId } = await signUpAdmin(service);
    const empty = { total: 0, page: 1, perPage: 1_000, balance: '0.00', currency: 'USD', data: [] };
    expect(await readLedger(service, companyId)).toEqual(empty);
    const path = `/operator/companies/${randomUUID()}/credits`;
    expect((await service.call('GET', path, { token: service.operatorKey })).status).toBe(404);
  });

  it('is paged, newest first, with the balance after each entry, and without other companies’ entries', async () => {
    const [{ companyId }, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await grantCredit(service, other.companyId);
    for (const amount of ['1', '2', '-3', '4', '5']) await grantCredit(service, companyId, { amount });
    const page = async (number: number) => {
      const path = `/operator/companies/${companyId}/credits?page=${number}&perPage=2`;
      return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
    };
    expect(await page(1)).toMatchObject({ total: 5, page: 1, perPage: 2, balance: '9.00', currency: 'USD' });
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    const shown = pages.map(({ data }) =>
      data.map((entry: { number: number; balance: string }) => [entry.number, entry.balance]),
    );
    expect(shown).toEqual([
      [
        [5, '9.00'],
        [4, '4.00'],
      ],
      [
        [3, '0.00'],
        [2, '3.00'],
      ],
      [[1, '1.00']],
      [],
    ]);
  });
});

describe('in parallel', () => {
  it('only one of twenty corrections that each take everything succeeds', async () => {
    const { companyId } = await signUpAdmin(service);
    await grantCredit(service, companyId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postCredit(service, companyId, { amount: '-20.00' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error?.code === 'insufficient_credit')).toHaveLength(19);
    expect(await readLedger(service, companyId)).toMatchObject({ total: 2, balance: '0.00' });
  });

  it('the balance is the sum of the accepted grants and corrections, and never below zero', async () => {
    const amountMinor = fc.integer({ min: -5_000, max: 5_000 }).filter((amount) => amount !== 0);
    await fc.assert(
      fc.asyncProperty(fc.array(amountMinor, { minLength: 1, maxLength: 16 }), async (amounts) => {
        const { companyId } = await signUpAdmin(service);
        const answers = await Promise.all(
          amounts.map((amount) => postCredit(service, companyId, { amount: (amount / 100).toFixed(2) })),
        );
        const sum = answers.reduce(
          (total, { status }, index) => total + (status === 201 ? (amounts[index] ?? 0) : 0),
          0,
        );
        for (const { status } of answers) expect([201, 409]).toContain(status);
        const ledger = await readLedger(service, companyId);
        expect(ledger.balance).toBe((sum / 100).toFixed(2));
        let balance = 0;
        for (const entry of ledger.data.toReversed()) {
          balance += Math.round(Number(entry.amount) * 100);
          expect([Number(entry.balance), balance >= 0]).toEqual([balance / 100, true]);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('constraints of the database', () => {
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => 'allowed',
      (error) => databaseErrorCode(error),
    );

  // Security (Tenants): The service's role may only add to the credit ledger, and can't write the balance
  it.each([
    'UPDATE credit_entries SET amount_minor = 1',
    'DELETE FROM credit_entries',
    'TRUNCATE credit_entries',
    'UPDATE credit_balances SET balance_minor = 1',
    "INSERT INTO credit_balances SELECT id, 'USD', 1, 1 FROM companies",
    'DELETE FROM credit_balances',
    'ALTER TABLE credit_entries DISABLE TRIGGER ALL',
  ])('the service’s role may not %s', async (statement) => {
    expect(await refused(service.database.db.unsafe(statement))).toBe('42501');
  });

  it('refuse an entry with a balance below zero, even without a prior check', async () => {
    const { companyId } = await signUpAdmin(service);
    await grantCredit(service, companyId);
    const entry = {
      id: randomUUID(),
      kind: 'correction',
      amountMinor: -2_001n,
      currency: 'USD',
      reason: '',
      paymentId: null,
    } as const;
    expect(await refused(transaction(service.database.db, (tx) => insertCreditEntry(tx, companyId, entry)))).toBe(
      '23514',
    );
    expect((await readLedger(service, companyId)).balance).toBe('20.00');
  });

  it.each([
    ['a number that leaves one out', 3, 100, 2_100, 'USD'],
    ['a number that is taken', 1, 100, 2_100, 'USD'],
    ['a balance that does not follow', 2, 100, 2_101, 'USD'],
    ['another currency', 2, 100, 2_100, 'EUR'],
  ])('refuse an entry with %s', async (_what, number, amount, balance, currency) => {
    const { companyId } = await signUpAdmin(service);
    await grantCredit(service, companyId);
    const insert = service.database.db`
      INSERT INTO credit_entries (company_id, id, number, kind, amount_minor, balance_minor, currency, reason)
      VALUES (${companyId}, ${randomUUID()}, ${number}, 'grant', ${amount}, ${balance}, ${currency}, '')`;
    expect(await refused(insert)).toMatch(/^23/);
    expect(await readLedger(service, companyId)).toMatchObject({ total: 1, balance: '20.00' });
  });

  it('keep posted entries with the trimmed reason', async () => {
    const { companyId } = await signUpAdmin(service);
    expect(await grantCredit(service, companyId, creditBody({ reason: '  Outage  ' }))).toMatchObject({
      reason: 'Outage',
    });
  });
});
