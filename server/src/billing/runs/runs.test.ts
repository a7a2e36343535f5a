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
} from '../../../test/billing/billing.ts';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { startBillingWorker } from './runs.worker.ts';

/** The month does not end while the tests run. */
const NOW = new Date();

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => NOW });
});
afterAll(async () => service?.stop());

describe('a month becomes an invoice', () => {
  it('from usage and prices, to the cent, with a number and a PDF; once, however often the run is started', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { taxRate: '20' });
    await setPrice(service, {
      companyId: admin.companyId,
      path: '/story/speech',
      title: 'Speech to text',
      unitAmount: '0.0045',
    });
    await use(service, admin, '/story/speech', 1_000, '2025-01-01T00:00:00Z');
    await use(service, admin, '/story/speech', 1, '2025-01-31T23:59:59.999Z');
    await use(service, admin, '/story/speech', 200, '2025-02-01T00:00:00Z');
    await use(service, admin, '/story/unpriced', 7, '2025-01-10T00:00:00Z');

    const started = await startRun(service, '2025-01');
    expect(started).toMatchObject({ period: '2025-01', status: 'running', done: 0, finishedAt: null });
    await work(service);
    const run = await readRun(service, started.id);
    expect(run).toMatchObject({ status: 'done', invoices: 1, failures: 0, remainingSeconds: null });
    expect(run.unpricedPaths).toEqual([{ path: '/story/unpriced', companies: 1 }]);
    expect([run.done, run.skipped]).toEqual([run.companies, run.companies - 1]);

    const line = {
      path: '/story/speech',
      totalRequest: '1001',
      currency: 'USD',
      title: 'Speech to text',
      amount: 4.5,
      kind: 'usage',
    };
    const zero = {
      path: '/story/unpriced',
      totalRequest: '7',
      currency: 'USD',
      title: '/story/unpriced',
      amount: 0,
      priceId: null,
    };
    const [invoice, ...others] = await invoicesOf(service, admin);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      startAt: '2025-01-01T00:00:00.000Z',
      endAt: '2025-02-01T00:00:00.000Z',
      status: 'Processing',
      details: [line, zero],
      subTotal: '4.50',
      tax: '0.90',
      total: '5.40',
    });
    const pdf = await service.call('GET', `/payments/orders/${invoice.id}/pdf`, { token: admin.token });
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);

    const again = await runMonth(service, '2025-01');
    expect(again).toEqual(run);
    expect(await invoicesOf(service, admin)).toHaveLength(1);

    await runMonth(service, '2025-02');
    const [, next] = await invoicesOf(service, admin);
    expect(next).toMatchObject({ startAt: invoice.endAt, subTotal: '0.90', tax: '0.18' });
  });

  it('in the currency of the company, with its number of decimals', async () => {
    const [yen, dinar] = [await signUpAdmin(service), await signUpAdmin(service)];
    await setBilling(service, yen, { currency: 'JPY', taxRate: '10' });
    await setBilling(service, dinar, { currency: 'KWD', taxRate: '10' });
    await setPrice(service, { path: '/digits', currency: 'JPY', unitAmount: '0.5' });
    await setPrice(service, { path: '/digits', currency: 'KWD', unitAmount: '0.0015' });
    await setPrice(service, { path: '/digits', currency: 'USD', unitAmount: '100', companyId: yen.companyId });
    for (const admin of [yen, dinar]) await use(service, admin, '/digits', 13, '2025-04-05T00:00:00Z');
    await runMonth(service, '2025-04');
    expect(await invoicesOf(service, yen)).toMatchObject([
      { currency: 'JPY', subTotal: '7.00', tax: '1.00', total: '8.00' },
    ]);
    // 0.0195 is 0.020, and 0.0020 of tax is 0.002.
    expect(await invoicesOf(service, dinar)).toMatchObject([
      { currency: 'KWD', subTotal: '0.020', tax: '0.002', total: '0.022' },
    ]);
  });

  it('with a line for each price that was in force', async () => {
    const admin = await signUpAdmin(service);
    const price = { path: '/versions', companyId: admin.companyId };
    const old = await setPrice(service, { ...price, title: 'Old', unitAmount: '0.10' });
    const effectiveFrom = '2025-05-15T00:00:00Z';
    const next = await setPrice(service, { ...price, title: 'New', unitAmount: '0.20', effectiveFrom });
    await use(service, admin, '/versions', 10, '2025-05-14T23:59:59Z');
    await use(service, admin, '/versions', 10, effectiveFrom);
    await runMonth(service, '2025-05');
    const [invoice] = await invoicesOf(service, admin);
    expect(invoice.details).toMatchObject([
      { title: 'Old', amount: 1, priceId: old.id },
      { title: 'New', amount: 2, priceId: next.id },
    ]);
  });

  it('with the period in the company’s time zone, beginning at the end of the last one', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { timezone: 'Asia/Tokyo' });
    await setPrice(service, { companyId: admin.companyId, path: '/zones', unitAmount: '1' });
    await use(service, admin, '/zones', 1, '2025-06-30T14:59:59Z');
    await use(service, admin, '/zones', 10, '2025-06-30T15:00:00Z');
    await runMonth(service, '2025-06');
    // In Los Angeles it is still June. If the current zone determined the start, these would be in no period.
    await setBilling(service, admin, { timezone: 'America/Los_Angeles' });
    await use(service, admin, '/zones', 100, '2025-07-01T06:59:59Z');
    await runMonth(service, '2025-07');
    expect(await invoicesOf(service, admin)).toMatchObject([
      { startAt: '2025-05-31T15:00:00.000Z', endAt: '2025-06-30T15:00:00.000Z', total: '1.00' },
      { startAt: '2025-06-30T15:00:00.000Z', endAt: '2025-08-01T07:00:00.000Z', total: '110.00' },
    ]);
  });

  it('but not for a company without usage, and without a gap in the periods', async () => {
    const admin = await signUpAdmin(service);
    await runMonth(service, '2025-08');
    expect(await invoicesOf(service, admin)).toEqual([]);
    await setBilling(service, admin, { timezone: 'America/Los_Angeles' });
    await use(service, admin, '/zero', 3, '2025-09-01T03:00:00Z');
    await runMonth(service, '2025-09');
    expect(await invoicesOf(service, admin)).toMatchObject([
      { startAt: '2025-09-01T00:00:00.000Z', details: [{ path: '/zero', totalRequest: '3' }] },
    ]);
  });

  it('in the background, however long it takes', async () => {
    const admin = await signUpAdmin(service);
    await use(service, admin, '/background', 3, '2025-10-10T00:00:00Z');
    const { id } = await startRun(service, '2025-10');
    const worker = startBillingWorker(service.database.db, service.server.log);
    await pollUntil(
      () => readRun(service, id),
      ({ status }) => status === 'done',
    );
    await worker.stop();
    expect(await invoicesOf(service, admin)).toHaveLength(1);
  });
});

describe('late usage', () => {
  it('is on the next invoice, with what it adds to its month, once', async () => {
    const admin = await signUpAdmin(service);
    const price = await setPrice(service, {
      companyId: admin.companyId,
      path: '/late',
      title: 'Late',
      unitAmount: '1.00',
      freeRequests: 100,
    });
    await use(service, admin, '/late', 90, '2024-01-10T00:00:00Z');
    await runMonth(service, '2024-01');
    await use(service, admin, '/late', 30, '2024-01-31T23:00:00Z');
    await runMonth(service, '2024-02');
    await runMonth(service, '2024-03');
    const [january, february, ...others] = await invoicesOf(service, admin);
    expect([january.total, others]).toEqual(['0.00', []]);
    expect(february).toMatchObject({ startAt: '2024-02-01T00:00:00.000Z', total: '20.00' });
    const period = { startAt: '2024-01-01T00:00:00.000Z', endAt: '2024-02-01T00:00:00.000Z' };
    const adjustment = { kind: 'adjustment', priceId: price.id, period };
    expect(february.details).toMatchObject([
      { title: 'Late (late usage of 2024-01)', totalRequest: '30', amount: 20, ...adjustment },
    ]);
  });

  it('is left out if the company is billed that way', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { lateUsage: { kind: 'ignore' } });
    await setPrice(service, { companyId: admin.companyId, path: '/ignored', unitAmount: '1.00' });
    await use(service, admin, '/ignored', 1, '2024-04-10T00:00:00Z');
    await runMonth(service, '2024-04');
    await use(service, admin, '/ignored', 1, '2024-04-10T00:00:00Z');
    await runMonth(service, '2024-05');
    expect(await invoicesOf(service, admin)).toMatchObject([{ total: '1.00' }]);
  });
});

describe('the run', () => {
  const post = (body: object) => service.call('POST', '/operator/billing-runs', { token: service.operatorKey, body });

  it('is refused before the month is over, and for an invalid month', async () => {
    const early = await post({ period: '2999-01' });
    expect([early.status, early.body.error.code]).toEqual([409, 'period_not_over']);
    for (const period of ['2025-13', '2025-1', '2025-01-01', '']) {
      expect((await post({ period })).status).toBe(400);
    }
  });

  it('is listed, the newest month first', async () => {
    const made = [await runMonth(service, '2023-01'), await runMonth(service, '2023-02')];
    const answer = await service.call('GET', '/operator/billing-runs?perPage=1000', { token: service.operatorKey });
    const periods = answer.body.data.map(({ period }: { period: string }) => period);
    expect(periods).toEqual(periods.toSorted().toReversed());
    expect(answer.body.total).toBe(periods.length);
    expect(periods).toEqual(expect.arrayContaining(made.map(({ period }) => period)));
  });

  it('continues after a company that cannot be billed, reports it, and bills nothing twice when it is started again', async () => {
    const [good, bad] = [await signUpAdmin(service), await signUpAdmin(service)];
    // More than the largest amount of an invoice.
    const effectiveFrom = '2020-01-01T00:00:00Z';
    await setPrice(service, { path: '/failing', companyId: bad.companyId, unitAmount: '99999999999', effectiveFrom });
    for (const admin of [good, bad]) await use(service, admin, '/failing', 10_000, '2022-01-10T00:00:00Z');
    for (let time = 0; time < 2; time += 1) {
      expect(await runMonth(service, '2022-01')).toMatchObject({ status: 'failed', failures: 1, invoices: 1 });
      expect(await invoicesOf(service, good)).toHaveLength(1);
      expect(await invoicesOf(service, bad)).toEqual([]);
    }
    expect(service.logs()).toContain('a company could not be billed');
  });
});

describe('the upcoming invoice', () => {
  const draftOf = async (token: string) => (await service.call('GET', '/payments/upcoming-invoice', { token })).body;

  it('is what the company owes now, stores nothing, and shows only the company’s own usage', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await setBilling(service, admin, { taxRate: '10' });
    const price = { companyId: admin.companyId, path: '/upcoming', title: 'Soon', unitAmount: '0.50' };
    const { id: priceId } = await setPrice(service, price);
    await use(service, admin, '/upcoming', 3, NOW.toISOString());
    const draft = await draftOf(admin.token);
    expect(draft).toMatchObject({ companyId: admin.companyId, currency: 'USD', taxRate: '10', unpricedPaths: [] });
    expect(draft).toMatchObject({ subTotal: '1.50', tax: '0.15', total: '1.65' });
    expect(draft.details).toEqual([
      {
        title: 'Soon',
        path: '/upcoming',
        totalRequest: '3',
        currency: 'USD',
        amount: 1.5,
        kind: 'usage',
        priceId,
        taxRate: '10',
      },
    ]);
    expect(await draftOf(other.token)).toMatchObject({ companyId: other.companyId, details: [], total: '0.00' });
    const path = `/operator/companies/${admin.companyId}/upcoming-invoice`;
    expect((await service.call('GET', path, { token: service.operatorKey })).body).toEqual({
      ...draft,
      companyExternalId: null,
    });
    expect(await invoicesOf(service, admin)).toEqual([]);
  });
});
