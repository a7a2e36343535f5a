import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../test/billing/credits.ts';
import { credit } from '../../test/billing/invoice-documents.ts';
import { type Actor, CARDS, expectStatus, issueInvoice, signUpAdmin } from '../../test/customers/actors.ts';
import type { Answer } from '../../test/harness/request.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { preparePayable } from '../../test/payments/charge.ts';
import { type Paid, postRefund, preparePaid } from '../../test/payments/refunds.ts';

type Row = { id: string; companyId: string; createdAt: string } & Record<string, unknown>;
type List = { total: number; page: number; perPage: number; data: Row[] };

const LISTS = ['payments', 'refunds', 'credit-notes'];

let service: TestService;
/** One company named by its billing information, one by its own name, one by neither. */
let billed: Paid;
let named: Paid;
let bare: Paid;
let declinedAdmin: Actor;
/** The name that the lists show for each company. */
const names = new Map<string, string>();
/** The rows that each list has, newest first, as other endpoints return them. */
const expected: Record<string, Row[]> = {};

const operator = (path: string): Promise<Answer> => service.call('GET', path, { token: service.operatorKey });
const list = async (path: string): Promise<List> => expectStatus(await operator(`/operator/${path}`), 200).body;
const idsOf = ({ data }: List) => data.map(({ id }) => id);

beforeAll(async () => {
  service = await startTestService();
  const yen = [{ title: 'Speech', path: '', totalRequest: 1, currency: 'JPY', amount: '4800' }];
  billed = await preparePaid(service);
  named = await preparePaid(service, { invoice: { details: yen } });
  bare = await preparePaid(service, { credit: '8.00' });
  const declined = await preparePayable(service, { cardNumber: CARDS.insufficientFunds });
  declinedAdmin = declined.admin;
  expectStatus(await declined.pay(), 402);
  await nameCompanies();

  const refunds = [];
  for (const [paid, amount] of [
    [billed, '9.60'],
    [named, '100'],
    [bare, '48.00'],
  ] as const)
    refunds.unshift(expectStatus(await postRefund(service, paid, { amount }), 201).body);
  const { id } = await issueInvoice(service, billed.admin.companyId);
  expectStatus(await credit(service, id, { amount: '1.25' }), 201);

  const owners = [billed, named, bare, declined];
  const ofInvoices = await Promise.all(
    [...owners.map(({ invoice, admin }) => ({ id: invoice.id, admin })), { id, admin: billed.admin }].map(read),
  );
  expected.payments = newestFirst(ofInvoices.flatMap(({ payments }) => payments));
  expected['credit-notes'] = newestFirst(ofInvoices.flatMap(({ notes }) => notes));
  expected.refunds = refunds.map((refund) => ({ ...refund, companyName: names.get(refund.companyId) }));
});
afterAll(() => service?.stop());

async function nameCompanies(): Promise<void> {
  const body = { organization: 'Analytical Engines' };
  const { companyId, token } = billed.admin;
  expectStatus(await service.call('PUT', '/payments/billing-information', { token, body }), 200);
  // The billing information takes precedence over the name.
  const { owner } = service.database;
  await owner`UPDATE companies SET name = 'Passed over' WHERE id = ${companyId}`;
  await owner`UPDATE companies SET name = 'Difference Engines' WHERE id = ${named.admin.companyId}`;
  names.set(companyId, 'Analytical Engines').set(named.admin.companyId, 'Difference Engines');
  for (const admin of [bare.admin, declinedAdmin]) names.set(admin.companyId, admin.email);
}

/**
 * The payments and credit notes of an invoice as its company reads them, with the fields that only the operator's lists
 * have.
 */
async function read({ id, admin: { token, companyId } }: { id: string; admin: Actor }) {
  const path = `/payments/orders/${id}`;
  const { attempts, number } = expectStatus(await service.call('GET', path, { token }), 200).body;
  const { data } = expectStatus(await service.call('GET', `${path}/credit-notes`, { token }), 200).body;
  const added = { companyId, companyExternalId: null, companyName: names.get(companyId), invoiceNumber: number };
  const payments: Row[] = attempts.map(
    ({ disputes: _d, refunds: _r, ...payment }: { disputes: unknown; refunds: unknown }) => ({
      ...payment,
      ...added,
    }),
  );
  return { payments, notes: data.map((note: Row) => ({ ...note, ...added })) as Row[] };
}

function newestFirst(rows: Row[]): Row[] {
  return rows.sort((left, right) => (left.createdAt < right.createdAt ? 1 : -1));
}

describe.each(LISTS)('the list of all %s', (name) => {
  it("has the rows of all companies, newest first, with the company's name", async () => {
    expect(await list(name)).toEqual({ total: expected[name]?.length, page: 1, perPage: 10, data: expected[name] });
  });

  it('is paged', async () => {
    const whole = expected[name] ?? [];
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`${name}?perPage=2&page=${page}`)));
    expect(pages.map(({ total, perPage }) => [total, perPage])).toEqual(pages.map(() => [whole.length, 2]));
    expect(pages.flatMap(({ data }) => data)).toEqual(whole);
  });

  it('filters by company, invoice, currency, and a half-open interval of time', async () => {
    const whole = expected[name] ?? [];
    const check = async (query: string, fits: (row: Row) => boolean) => {
      const { total, data } = await list(`${name}?${query}`);
      expect([query, total, data]).toEqual([query, whole.filter(fits).length, whole.filter(fits)]);
    };
    await check(`companyId=${bare.admin.companyId}`, ({ companyId }) => companyId === bare.admin.companyId);
    await check(`companyId=${randomUUID()}`, () => false);
    await check(`invoiceId=${named.invoice.id}`, ({ invoiceId }) => invoiceId === named.invoice.id);
    await check(`invoiceId=${randomUUID()}`, () => false);
    await check('currency=JPY', ({ currency }) => currency === 'JPY');
    const [newest, second, third] = whole.map(({ createdAt }) => createdAt);
    await check(`from=${third}&to=${newest}`, ({ createdAt }) => createdAt === second || createdAt === third);
    await check(`from=${newest}`, ({ createdAt }) => createdAt === newest);
    await check('from=2020-01-01&to=2020-02-01', () => false);
    await check(`companyId=${bare.admin.companyId}&currency=JPY`, () => false);
  });

  it("filters by amount in each row's own currency", async () => {
    const field = name === 'credit-notes' ? 'total' : 'amount';
    const whole = expected[name] ?? [];
    for (const [min, max] of [
      ['0', '48'],
      ['9.60', '9.60'],
      ['48.01', '100'],
      ['4000', '5000'],
    ] as const) {
      const fitting = whole.filter((row) => Number(row[field]) >= Number(min) && Number(row[field]) <= Number(max));
      expect(await list(`${name}?min=${min}&max=${max}`)).toMatchObject({ total: fitting.length, data: fitting });
    }
  });

  it('refuses inverted bounds and unknown filters', async () => {
    const answers = await Promise.all(
      ['from=2026-10-02&to=2026-10-01', 'min=2&max=1', 'state=open'].map((query) =>
        operator(`/operator/${name}?${query}`),
      ),
    );
    const refusals = answers.map(({ status, body }) => [status, body.error.details[0].field]);
    expect(refusals).toEqual([
      [400, 'from'],
      [400, 'min'],
      [400, 'state'],
    ]);
  });

  // Security (Amounts, documents and card data): Only the operator can read the payments, refunds and credit notes of all companies
  it('is for the operator alone', async () => {
    const { token } = billed.admin;
    const asked = await service.call('GET', `/operator/${name}?companyId=${billed.admin.companyId}`, { token });
    expect([asked.status, asked.body.error.code]).toEqual([403, 'forbidden']);
  });
});

describe('what single lists are filtered by', () => {
  it('payments by status and method, in any case, and combined with other filters', async () => {
    const [declined] = (expected.payments ?? []).filter(({ status }) => status === 'Failed');
    expect(declined).toMatchObject({ companyId: declinedAdmin.companyId, declineCode: expect.any(String) });
    expect(await list('payments?status=failed')).toMatchObject({ total: 1, data: [declined] });
    expect(await list('payments?status=Succeeded&method=card')).toMatchObject({ total: 3 });
    expect(await list('payments?status=Succeeded')).toMatchObject({ total: 3, data: [{}, {}, {}] });
    for (const query of ['status=Processing', 'status=NeedsReview', 'method=paypal'])
      expect(await list(`payments?${query}`)).toMatchObject({ total: 0, data: [] });
    const { companyId } = declinedAdmin;
    expect(await list(`payments?status=Succeeded&companyId=${companyId}`)).toMatchObject({ total: 0, data: [] });
  });

  it('refunds by status and payment', async () => {
    const [, ofNamed] = expected.refunds ?? [];
    expect(await list(`refunds?paymentId=${named.paymentId}`)).toMatchObject({ total: 1, data: [ofNamed] });
    expect(await list(`refunds?paymentId=${randomUUID()}`)).toMatchObject({ total: 0 });
    expect(await list('refunds?status=succeeded')).toMatchObject({ total: 3, data: expected.refunds });
    expect(await list('refunds?status=Failed')).toMatchObject({ total: 0, data: [] });
  });

  it("credit notes by number, of the seller's series and of a company's old one", async () => {
    const [newest, other] = expected['credit-notes'] ?? [];
    const found = await list(`credit-notes?number=${String(newest?.number).toLowerCase()}`);
    expect(found).toMatchObject({ total: 1, data: [newest] });
    // Numbers from the time when companies numbered their own documents.
    const { owner } = service.database;
    const ids = [newest?.id ?? '', other?.id ?? ''];
    await owner`UPDATE credit_notes SET number = 'CN-7', number_series = NULL WHERE id IN ${owner(ids)}`;
    const both = await list('credit-notes?number=CN-7').finally(async () => {
      for (const one of [newest, other])
        await owner`UPDATE credit_notes SET number = ${String(one?.number)}, number_series = 'CN-' WHERE id = ${one?.id ?? ''}`;
    });
    expect([both.total, idsOf(both)]).toEqual([2, ids]);
  });
});

describe('a payment of any company', () => {
  it('has the same fields as in the list', async () => {
    for (const payment of expected.payments ?? [])
      expect((await operator(`/operator/payments/${payment.id}`)).body).toEqual(payment);
  });

  it('is 404 for an unknown id, and 403 for a company', async () => {
    expect((await operator(`/operator/payments/${randomUUID()}`)).status).toBe(404);
    const { admin, paymentId } = billed;
    const asked = await service.call('GET', `/operator/payments/${paymentId}`, { token: admin.token });
    expect(asked.status).toBe(403);
  });
});

describe('the totals', () => {
  it('are exact while many write at once, and do not count what was rolled back', async () => {
    const companies = await Promise.all(Array.from({ length: 6 }, () => signUpAdmin(service)));
    const before = (await list('payments')).total;
    const paid = companies.flatMap((admin) => [payWithCredit(admin), payWithCredit(admin)]);
    await Promise.all(paid);
    const { owner } = service.database;
    const undone = owner.begin(async (tx) => {
      const unique = { id: randomUUID(), debt_sequence: null, gateway_payment_id: null, collection_attempt: null };
      await tx`
        INSERT INTO payments SELECT (jsonb_populate_record(payments, ${JSON.stringify(unique)}::text::jsonb)).*
        FROM payments WHERE state = 'failed' LIMIT 1`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await list('payments')).total).toBe(before + 12);
    expect((await list('payments?perPage=1000')).data).toHaveLength(before + 12);
  });

  async function payWithCredit(admin: Actor): Promise<void> {
    await grantCredit(service, admin.companyId, { amount: '48.00' });
    const { id } = await issueInvoice(service, admin.companyId);
    expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token }), 200);
  }
});

describe('credit notes too long to hold in memory', () => {
  it('are sent in batches, in order', async () => {
    const { id } = await issueInvoice(service, billed.admin.companyId);
    const details = Array.from({ length: 1_000 }, () => ({
      title: randomBytes(90).toString('base64'),
      amount: '0.01',
    }));
    for (let issued = 0; issued < 2; issued += 1) expectStatus(await credit(service, id, { details }), 201);
    const headers = { authorization: `Bearer ${service.operatorKey}` };
    const response = await fetch(`${service.url}/operator/credit-notes`, { headers });
    expect(response.headers.get('content-length')).toBeNull();
    const { total, data } = (await response.json()) as List;
    expect([total, data.length]).toEqual([6, 6]);
    const ofInvoice = await list(`invoices/${id}/credit-notes`);
    const added = { companyExternalId: null, companyName: names.get(billed.admin.companyId) };
    expect(data.slice(0, 2)).toEqual(ofInvoice.data.map((note) => ({ ...note, ...added })));
    expect(data.slice(2)).toEqual(expected['credit-notes']);
  });
});
