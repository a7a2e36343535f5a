import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  invoicesOf,
  readRun,
  runMonth,
  setBilling,
  setPrice,
  startRun,
  use,
  work,
} from '../../../../test/billing/billing.ts';
import { readLedger } from '../../../../test/billing/credits.ts';
import { createPrice } from '../../../../test/billing/prices.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { findNumberViolations } from '../../../../test/invariants/invariants.numbers.ts';
import { closeUsageCutoff } from '../../../metering/usage/usage.service.ts';
import { billCompanies } from './batch.ts';

let now = new Date('2025-03-20T00:00:00Z');
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  for (const currency of ['USD', 'JPY']) await setPrice(service, { path: '/batch', unitAmount: '1.50', currency });
  await setPrice(service, { path: '/batch/new', unitAmount: '0.10' });
  await setPrice(service, { path: '/batch/new', unitAmount: '0.20', effectiveFrom: '2025-01-10T00:00:00Z' });
  // A hundred cost 100.00, a hundred and one 10.10.
  const tiers = [
    { upTo: 100, unitAmount: '1.00' },
    { upTo: null, unitAmount: '0.10' },
  ];
  const volume = { model: 'volume', tiers, title: 'By volume', effectiveFrom: '2024-01-01T00:00:00Z' };
  await createPrice(service, { ...volume, path: '/volume' });
});
afterAll(async () => service?.stop());

const signUpMany = (count: number) => Promise.all(Array.from({ length: count }, () => signUpAdmin(service)));
const owner = () => service.database.owner;

async function draftOf({ token }: Actor) {
  return expectStatus(await service.call('GET', '/payments/upcoming-invoice', { token }), 200).body;
}

/** Lets the database refuse the invoices of one company. */
async function refuseInvoicesOf({ companyId }: Actor): Promise<void> {
  await owner().unsafe(`ALTER TABLE invoices ADD CONSTRAINT refused CHECK (company_id <> '${companyId}') NOT VALID`);
}

describe('companies that are billed together', () => {
  it('get the same bills as alone, whatever their currency, zone, prices and tax are', async () => {
    const admins = await signUpMany(6);
    const [plain, yen, override, tokyo, taxed, idle] = admins as [Actor, Actor, Actor, Actor, Actor, Actor];
    await setBilling(service, yen, { currency: 'JPY', taxRate: '10' });
    await setPrice(service, { path: '/batch*', companyId: override.companyId, unitAmount: '7', pooled: true });
    await setBilling(service, tokyo, { timezone: 'Asia/Tokyo' });
    await setBilling(service, taxed, { taxRate: '19' });
    for (const admin of [plain, yen, override, tokyo, taxed]) {
      await use(service, admin, '/batch', 3, '2024-12-31T15:00:00Z');
      await use(service, admin, '/batch', 5, '2025-01-09T23:00:00Z');
      await use(service, admin, '/batch/new', 11, '2025-01-09T23:59:59Z');
      await use(service, admin, '/batch/new', 11, '2025-01-10T00:00:00Z');
      await use(service, admin, '/unpriced', 2, '2025-01-19T00:00:00Z');
    }
    now = new Date('2025-01-20T00:00:00Z');
    const drafts = await Promise.all(admins.map(draftOf));
    now = new Date('2025-03-20T00:00:00Z');
    expect(await runMonth(service, '2025-01')).toMatchObject({ status: 'done', invoices: 5, failures: 0 });
    for (const [index, admin] of admins.entries()) {
      const { startAt, endAt, currency, details, subTotal, tax, total } = drafts[index];
      const invoice = { startAt, endAt, currency, details, subTotal, tax, total };
      expect(await invoicesOf(service, admin)).toMatchObject(admin === idle ? [] : [invoice]);
    }
    const totals = await Promise.all([plain, yen, override, tokyo, taxed].map((admin) => invoicesOf(service, admin)));
    expect(totals.map(([{ total }]) => total)).toEqual(['10.80', '9.00', '189.00', '15.30', '12.85']);
  });

  it('do not prevent each other’s bills: what the database refuses is refused for one company only', async () => {
    const admins = await signUpMany(4);
    const [good, bad] = admins as [Actor, Actor];
    for (const admin of admins) await use(service, admin, '/batch', 2, '2024-02-10T00:00:00Z');
    await refuseInvoicesOf(bad);
    expect(await runMonth(service, '2024-02')).toMatchObject({ status: 'failed', invoices: 3, failures: 1 });
    expect(service.logs()).toContain('billed one by one');
    expect(await invoicesOf(service, bad)).toEqual([]);
    await owner().unsafe('ALTER TABLE invoices DROP CONSTRAINT refused');
    expect(await runMonth(service, '2024-02')).toMatchObject({ status: 'done', invoices: 4, failures: 0 });
    for (const admin of [good, bad]) {
      expect(await invoicesOf(service, admin)).toMatchObject([{ total: '3.00' }]);
    }
    expect(await findNumberViolations(owner())).toEqual([]);
  });

  it('are billed once if two workers bill them at the same time and in another order', async () => {
    const admins = await signUpMany(5);
    for (const admin of admins) await use(service, admin, '/batch', 2, '2024-03-10T00:00:00Z');
    const { id } = await startRun(service, '2024-03');
    const { number: cutoff } = await closeUsageCutoff(service.database.db);
    const companyIds = admins.map(({ companyId }) => companyId);
    const logged = service.logs().length;
    const bill = (ids: string[]) =>
      billCompanies(service.database.db, service.server.log, ids, {
        id,
        period: '2024-03',
        cutoff,
        asOf: new Date(),
        needsSeller: false,
      });
    expect(await Promise.all([bill(companyIds), bill(companyIds.toReversed()), bill(companyIds)])).toEqual(
      Array.from({ length: 3 }, () => ({ failures: 0 })),
    );
    expect(service.logs().slice(logged)).not.toContain('billed one by one');
    for (const admin of admins) {
      expect(await invoicesOf(service, admin)).toMatchObject([{ total: '3.00' }]);
    }
    expect(await findNumberViolations(owner())).toEqual([]);
    await work(service);
    expect(await readRun(service, id)).toMatchObject({ status: 'done', invoices: 5 });
  });

  it('have numbers without a gap beside the invoices that the operator issues meanwhile', async () => {
    const admin = await signUpAdmin(service);
    await use(service, admin, '/batch', 2, '2024-04-10T00:00:00Z');
    const line = { title: 'By hand', path: '/hand', totalRequest: 1, currency: 'USD', amount: '1.00' };
    const period = { startAt: '2024-04-01T00:00:00Z', endAt: '2024-05-01T00:00:00Z' };
    const body = { companyId: admin.companyId, ...period, details: [line] };
    const write = async () =>
      expectStatus(await service.call('POST', '/operator/invoices', { token: service.operatorKey, body }), 201);
    await Promise.all([write(), runMonth(service, '2024-04'), write(), write()]);
    expect(await invoicesOf(service, admin)).toHaveLength(4);
    expect(await findNumberViolations(owner())).toEqual([]);
  });
});

describe('late usage that makes a month cheaper', () => {
  async function useLate(admin: Actor, month: string): Promise<void> {
    await use(service, admin, '/volume', 100, `${month}-10T00:00:00Z`);
    await runMonth(service, month);
    await use(service, admin, '/volume', 100, `${month}-20T00:00:00Z`);
  }

  it('reduces the next invoice', async () => {
    const admin = await signUpAdmin(service);
    await useLate(admin, '2024-05');
    await use(service, admin, '/batch', 100, '2024-06-10T00:00:00Z');
    await runMonth(service, '2024-06');
    const [before, after] = await invoicesOf(service, admin);
    expect([before.total, after.total]).toEqual(['100.00', '70.00']);
    expect(after.details).toMatchObject([
      { title: 'By volume (late usage of 2024-05)', totalRequest: '100', amount: -80 },
      { amount: 150 },
    ]);
    expect((await readLedger(service, admin.companyId)).data).toEqual([]);
  });

  it('becomes credit with its tax, once, where it exceeds the usage, and the invoice of zero says so', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { taxRate: '20' });
    await useLate(admin, '2024-07');
    await use(service, admin, '/batch', 20, '2024-08-10T00:00:00Z');
    await runMonth(service, '2024-08');
    await runMonth(service, '2024-09');
    const [, invoice, ...others] = await invoicesOf(service, admin);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ subTotal: '0.00', tax: '0.00', total: '0.00' });
    expect(invoice.details).toMatchObject([
      { title: 'By volume (late usage of 2024-07)', totalRequest: '100', amount: -80 },
      { path: '/batch', totalRequest: '20', amount: 30 },
      { title: 'Carried over to your credit', totalRequest: '0', amount: 50 },
    ]);
    const { balance, data } = await readLedger(service, admin.companyId);
    expect(balance).toBe('60.00');
    expect(data).toMatchObject([
      {
        kind: 'grant',
        amount: '60.00',
        reason: expect.stringContaining(`${invoice.number} of 2024-08`),
        paymentId: null,
      },
    ]);
  });

  it('is credited together with its invoice or not at all', async () => {
    const admin = await signUpAdmin(service);
    await useLate(admin, '2024-10');
    await refuseInvoicesOf(admin);
    expect(await runMonth(service, '2024-11')).toMatchObject({ status: 'failed', failures: 1 });
    expect((await readLedger(service, admin.companyId)).data).toEqual([]);
    await owner().unsafe('ALTER TABLE invoices DROP CONSTRAINT refused');
    for (let time = 0; time < 2; time += 1) await runMonth(service, '2024-11');
    expect(await readLedger(service, admin.companyId)).toMatchObject({ total: 1, balance: '80.00' });
    expect(await invoicesOf(service, admin)).toMatchObject([{ total: '100.00' }, { total: '0.00' }]);
  });

  it('is in the preview, which grants nothing', async () => {
    const admin = await signUpAdmin(service);
    await useLate(admin, '2025-02');
    const draft = await draftOf(admin);
    expect(draft).toMatchObject({ period: '2025-03', subTotal: '0.00', total: '0.00' });
    const carried = { title: 'Carried over to your credit', kind: 'carry_over', priceId: null, amount: 80 };
    expect(draft.details.at(-1)).toMatchObject(carried);
    expect((await readLedger(service, admin.companyId)).data).toEqual([]);
  });
});
