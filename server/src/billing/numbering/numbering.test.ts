import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { putSettings } from '../../../test/billing/credits.ts';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, invoiceBody, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { findNumberViolations } from '../../../test/invariants/invariants.numbers.ts';
import { allocateNumber } from './numbering.service.ts';

const PATH = '/operator/numbering';
const DEFAULTS = {
  series: 'seller',
  invoicePrefix: 'INV-',
  creditNotePrefix: 'CN-',
  yearlyRestart: false,
  timezone: 'UTC',
};

let service: TestService;
let one: Actor;
let other: Actor;
beforeAll(async () => {
  service = await startTestService();
  [one, other] = [await signUpAdmin(service), await signUpAdmin(service)];
});
afterAll(async () => service?.stop());
beforeEach(async () => {
  await change(DEFAULTS);
});

const read = async () => expectStatus(await service.call('GET', PATH, { token: service.operatorKey }), 200).body;
const put = (body: unknown) => service.call('PUT', PATH, { token: service.operatorKey, body });
const change = async (body: object) => expectStatus(await put(body), 200).body;
const issue = async ({ companyId }: Actor) => (await issueInvoice(service, companyId)).number as string;
const creditOne = async ({ companyId }: Actor) => {
  const { id } = await issueInvoice(service, companyId);
  return expectStatus(await credit(service, id, { amount: '1.00' }), 201).body.number as string;
};

describe('one series for all companies', () => {
  // Security (Amounts, documents and card data): Numbers of the seller's documents are unique and have no gap
  it('is the default: no two documents share a number, and none is skipped, whatever is refused in between', async () => {
    expect(await read()).toMatchObject({
      ...DEFAULTS,
      nextInvoiceNumber: 'INV-000001',
      nextCreditNoteNumber: 'CN-000001',
    });
    expect([await issue(one), await issue(other), await issue(one)]).toEqual([
      'INV-000001',
      'INV-000002',
      'INV-000003',
    ]);
    const unknown = invoiceBody('0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40');
    const refused = await service.call('POST', '/operator/invoices', { token: service.operatorKey, body: unknown });
    expect(refused.status).toBe(400);
    expect([await creditOne(other), await creditOne(one)]).toEqual(['CN-000001', 'CN-000002']);
    expect(await read()).toMatchObject({ nextInvoiceNumber: 'INV-000006', nextCreditNoteNumber: 'CN-000003' });
    expect(await findNumberViolations(service.database.owner)).toEqual([]);
  });

  it('numbers the invoices of a run and simultaneous ones of the operator', async () => {
    const admins = await Promise.all(Array.from({ length: 12 }, () => signUpAdmin(service)));
    await setPrice(service, { path: '/numbered', unitAmount: '1.00' });
    for (const admin of admins) await use(service, admin, '/numbered', 1, '2025-01-10T00:00:00Z');
    const [run] = await Promise.all([runMonth(service, '2025-01'), issue(one), issue(other), creditOne(one)]);
    expect(run).toMatchObject({ status: 'done', invoices: 12 });
    const numbers = await Promise.all(admins.map(async (admin) => (await invoicesOf(service, admin))[0].number));
    expect(new Set(numbers).size).toBe(12);
    expect(await findNumberViolations(service.database.owner)).toEqual([]);
  });

  it('is enforced by the database: no two companies share a number of the seller', async () => {
    const number = await issue(one);
    const copy = service.database.owner`
      INSERT INTO invoices (company_id, id, number, number_series, bill_to_id, start_at, end_at, method, currency, minor_unit_digits,
                            tax_rate, sub_total, tax, total, details, buyer, seller, due_at)
      SELECT ${other.companyId}, gen_random_uuid(), number, number_series, billing.id, start_at, end_at, method, invoices.currency,
             minor_unit_digits, tax_rate, sub_total, tax, total, details, buyer, seller, due_at
      FROM invoices, billing_information AS billing
      WHERE number = ${number} AND billing.company_id = ${other.companyId}`;
    await expect(copy).rejects.toThrow('invoices_number_of_seller_taken');
  });
});

describe('another prefix', () => {
  it('begins a series, and continues it when it is set again', async () => {
    await change({ invoicePrefix: 'RE-', creditNotePrefix: 'GS.' });
    expect([await issue(one), await creditOne(other), await issue(other)]).toEqual([
      'RE-000001',
      'GS.000001',
      'RE-000003',
    ]);
    const { nextInvoiceNumber } = await change({ invoicePrefix: 'INV-' });
    expect(await issue(one)).toBe(nextInvoiceNumber);
    await change({ invoicePrefix: 'RE-' });
    expect(await issue(one)).toBe('RE-000004');
    const { data } = (await service.call('GET', '/payments/orders?receipt=re-000004', { token: one.token })).body;
    expect(data).toMatchObject([{ number: 'RE-000004' }]);
    expect(await findNumberViolations(service.database.owner)).toEqual([]);
  });

  it.each([
    ['invoicePrefix', { invoicePrefix: 'INV1' }],
    ['invoicePrefix', { invoicePrefix: 'INV' }],
    ['invoicePrefix', { invoicePrefix: 'inv-' }],
    ['invoicePrefix', { invoicePrefix: '2026-' }],
    ['invoicePrefix', { invoicePrefix: 'A/B-' }],
    ['invoicePrefix', { invoicePrefix: 'TEST-' }],
    ['invoicePrefix', { invoicePrefix: `${'A'.repeat(20)}-` }],
    ['invoicePrefix', { invoicePrefix: 'CN-' }],
    ['creditNotePrefix', { creditNotePrefix: 'INV-' }],
    ['creditNotePrefix', { creditNotePrefix: '' }],
    ['timezone', { timezone: 'Europe/Nowhere' }],
    ['series', { series: 'country' }],
  ])('is rejected with 400 on %s: %j', async (field, body) => {
    const before = await read();
    expect(expectStatus(await put(body), 400).body.error.details[0].field).toBe(field);
    expect(await read()).toEqual(before);
  });
});

describe('yearly restart', () => {
  it('puts the year after the prefix, and begins each year with 1', async () => {
    const year = new Date().getUTCFullYear();
    // A document of last year.
    await service.database.owner`INSERT INTO number_series VALUES (${`YR-${year - 1}-`}, 57)`;
    await change({ invoicePrefix: 'YR-', yearlyRestart: true, timezone: 'UTC' });
    const { createdAt, number } = await issueInvoice(service, one.companyId);
    expect(number).toBe(`YR-${createdAt.slice(0, 4)}-000001`);
    expect(await issue(other)).toBe(`YR-${createdAt.slice(0, 4)}-000002`);
    expect(await creditOne(one)).toBe(`CN-${createdAt.slice(0, 4)}-000001`);
    await service.database.owner`DELETE FROM number_series WHERE prefix = ${`YR-${year - 1}-`}`;
  });

  it.each(['Pacific/Kiritimati', 'Etc/GMT+12'])('uses the year of the time zone: %s', async (timezone) => {
    const { nextInvoiceNumber } = await change({ yearlyRestart: true, timezone });
    const yearThere = new Intl.DateTimeFormat('en', { timeZone: timezone, year: 'numeric' }).format(new Date());
    expect(nextInvoiceNumber).toMatch(new RegExp(`^INV-${yearThere}-\\d{6}$`));
  });
});

describe('the turn of the year', () => {
  /** Returns the next number at an instant of the database's clock, without taking it. */
  async function numberAt(instant: string): Promise<string> {
    const numbers: string[] = [];
    const rolledBack = service.database.owner.begin(async (tx) => {
      await tx`CREATE SCHEMA another_time`;
      await tx.unsafe(
        `CREATE FUNCTION another_time.now() RETURNS timestamptz LANGUAGE sql STABLE RETURN timestamptz '${instant}'`,
      );
      await tx`SET LOCAL search_path = another_time, pg_catalog, public`;
      numbers.push((await allocateNumber(tx, one.companyId, 'invoice')).number);
      throw new Error('nothing is taken');
    });
    await expect(rolledBack).rejects.toThrow('nothing is taken');
    return numbers[0] ?? '';
  }

  it.each([
    ['2090-12-31T14:59:59Z', 'Asia/Tokyo', 'INV-2090-000001'],
    ['2090-12-31T15:00:00Z', 'Asia/Tokyo', 'INV-2091-000001'],
    ['2091-01-01T04:59:59Z', 'America/New_York', 'INV-2090-000001'],
    ['2091-01-01T00:00:00Z', 'UTC', 'INV-2091-000001'],
  ])('depends on the time zone: at %s in %s the number is %s', async (instant, timezone, number) => {
    await change({ yearlyRestart: true, timezone });
    expect(await numberAt(instant)).toBe(number);
  });
});

describe('a series for each company', () => {
  it('has the company’s prefix, or else the end of its id, and no gaps', async () => {
    const { nextInvoiceNumber } = await change({ series: 'company' });
    expect(nextInvoiceNumber).toBeNull();
    const [plain, acme] = [await signUpAdmin(service), await signUpAdmin(service)];
    expectStatus(await putSettings(service, acme.companyId, { numberPrefix: 'ACME-' }), 200);
    const end = plain.companyId.slice(-12).toUpperCase();
    expect([await issue(plain), await issue(acme)]).toEqual([`INV-${end}-000001`, 'INV-ACME-000001']);
    expect([await issue(plain), await creditOne(acme)]).toEqual([`INV-${end}-000002`, 'CN-ACME-000001']);
    expect(await findNumberViolations(service.database.owner)).toEqual([]);
  });

  it('has a prefix that no other company has, which can be removed', async () => {
    expectStatus(await putSettings(service, one.companyId, { numberPrefix: 'UNIQUE-' }), 200);
    const taken = expectStatus(await putSettings(service, other.companyId, { numberPrefix: 'UNIQUE-' }), 409);
    expect(taken.body.error).toMatchObject({ code: 'number_prefix_taken', details: [{ field: 'numberPrefix' }] });
    const { numberPrefix } = expectStatus(await putSettings(service, one.companyId, { numberPrefix: '' }), 200).body;
    expect(numberPrefix).toBe(`${one.companyId.slice(-12).toUpperCase()}-`);
    expectStatus(await putSettings(service, other.companyId, { numberPrefix: 'UNIQUE-' }), 200);
    for (const refused of ['unique-', 'X', 'X1', 'A B-', `${'A'.repeat(20)}-`]) {
      const answer = expectStatus(await putSettings(service, one.companyId, { numberPrefix: refused }), 400);
      expect(answer.body.error.details[0].field).toBe('numberPrefix');
    }
  });
});
