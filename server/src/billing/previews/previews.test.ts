import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, use } from '../../../test/billing/billing.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { saveAccount } from '../../../test/payments/paypal-accounts.ts';
import { computeNextPreview } from './previews.worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  for (const currency of ['USD', 'JPY']) await setPrice(service, { path: '/v1/*', currency, unitAmount: '1' });
});
afterAll(async () => service?.stop());

const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
  service.call(method, `/operator/billing-previews${path}`, { token: service.operatorKey, ...(body ? { body } : {}) });

/** Creates a preview of a month and computes it. */
async function previewMonth(period: string) {
  const { id, status } = expectStatus(await ask('POST', '', { period }), 202).body;
  expect(status).toBe('running');
  await computeNextPreview(service.database.db, service.server.log);
  return expectStatus(await ask('GET', `/${id}`), 200).body;
}

const rowsOf = async (id: string, query = '') =>
  expectStatus(await ask('GET', `/${id}/invoices?perPage=100${query}`), 200).body;

async function signUpUsing(january: number, february: number, settings: object = {}): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, settings);
  if (january > 0) await use(service, admin, '/v1/a', january, '2025-01-10T00:00:00Z');
  if (february > 0) await use(service, admin, '/v1/a', february, '2025-02-10T00:00:00Z');
  return admin;
}

describe('a preview of a run', () => {
  it('shows what would be issued, what differs much and what has no price, and equals what is then issued', async () => {
    const like = await signUpUsing(10, 12, { taxRate: '20' });
    const higher = await signUpUsing(10, 20);
    await saveAccount(service, higher);
    const lower = await signUpUsing(10, 5);
    const gone = await signUpUsing(10, 0);
    const fresh = await signUpUsing(0, 100, { currency: 'JPY' });
    await runMonth(service, '2025-01');
    await use(service, fresh, '/unpriced', 3, '2025-02-11T00:00:00Z');

    const preview = await previewMonth('2025-02');
    expect(preview).toMatchObject({ period: '2025-02', status: 'done', failures: 0 });
    expect(preview.done).toBe(preview.companies);
    expect(preview.totals).toEqual([
      { currency: 'JPY', invoices: 1, subTotal: '100.00', tax: '0.00', total: '100.00', subTotalBefore: '0.00' },
      { currency: 'USD', invoices: 3, subTotal: '37.00', tax: '2.40', total: '39.40', subTotalBefore: '40.00' },
    ]);
    expect(preview.outliers).toEqual({ higher: 1, lower: 1, gone: 1 });
    expect(preview.unpricedPaths).toEqual([{ path: '/unpriced', companies: 1 }]);

    const { total, data } = await rowsOf(preview.id);
    expect(total).toBe(5);
    const found = new Map(
      data.map((row: { companyId: string; outlier: string | null }) => [row.companyId, row.outlier]),
    );
    const outliers = [like, higher, lower, gone, fresh].map(({ companyId }) => found.get(companyId));
    expect(outliers).toEqual([null, 'higher', 'lower', 'gone', null]);
    expect((await rowsOf(preview.id, '&outlier=any')).total).toBe(3);
    expect((await rowsOf(preview.id, '&outlier=higher')).data).toMatchObject([{ method: 'paypal' }]);
    expect((await rowsOf(preview.id, '&outlier=gone')).data).toMatchObject([
      { companyId: gone.companyId, total: '0.00', subTotalBefore: '10.00' },
    ]);
    expect((await rowsOf(preview.id, '&currency=JPY')).data).toMatchObject([
      { companyId: fresh.companyId, total: '100.00', subTotalBefore: null, unpricedPaths: ['/unpriced'] },
    ]);
    const paged = expectStatus(await ask('GET', `/${preview.id}/invoices?perPage=2&page=3`), 200).body;
    expect([paged.total, paged.data]).toEqual([5, [data[4]]]);

    expect(await invoicesOf(service, fresh)).toEqual([]);
    await runMonth(service, '2025-02');
    for (const admin of [like, higher, lower, fresh]) {
      const issued = (await invoicesOf(service, admin)).at(-1);
      const row = data.find(({ companyId }: { companyId: string }) => companyId === admin.companyId);
      for (const field of ['startAt', 'endAt', 'method', 'currency', 'subTotal', 'tax', 'total']) {
        expect(row[field]).toBe(issued[field]);
      }
    }
    // Companies that are billed already are not in the next preview.
    expect((await previewMonth('2025-02')).totals).toEqual([]);
  });

  it('is refused for a month that is not over anywhere', async () => {
    const answer = await ask('POST', '', { period: new Date().toISOString().slice(0, 7) });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'period_not_over']);
  });

  it('leaves out and reports a company that cannot be billed', async () => {
    const broken = await signUpUsing(0, 0);
    await use(service, broken, '/broken', 1, '2025-03-10T00:00:00Z');
    const { id } = await setPrice(service, { companyId: broken.companyId, path: '/broken', unitAmount: '1.00' });
    await service.database.owner`UPDATE prices SET rates = '{"unitAmount": "x"}' WHERE id = ${id}`;
    const other = await signUpUsing(0, 0);
    await use(service, other, '/v1/a', 4, '2025-03-10T00:00:00Z');
    const preview = await previewMonth('2025-03');
    expect(preview).toMatchObject({ status: 'done', failures: 1 });
    const { data } = await rowsOf(preview.id);
    expect(data).toContainEqual(expect.objectContaining({ companyId: other.companyId, total: '4.00' }));
    await service.database.owner`DELETE FROM prices WHERE id = ${id}`;
  });

  it('is continued after its worker died, and is deleted after a week', async () => {
    const { id } = expectStatus(await ask('POST', '', { period: '2025-04' }), 202).body;
    const [last] = await service.database.owner`SELECT max(id::text) AS id FROM companies`;
    await service.database.owner`
      UPDATE billing_previews SET last_company_id = ${last?.id}, lease = gen_random_uuid(), leased_until = now() + interval '20 seconds'
      WHERE id = ${id}`;
    await computeNextPreview(service.database.db, service.server.log);
    expect((await ask('GET', `/${id}`)).body.status).toBe('running');
    await service.database
      .owner`UPDATE billing_previews SET leased_until = now() - interval '1 second' WHERE id = ${id}`;
    await computeNextPreview(service.database.db, service.server.log);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ status: 'done', done: 0 });
    const { runHousekeeping } = await import('../../housekeeping.ts');
    await service.database.owner`UPDATE billing_previews SET created_at = created_at - interval '8 days'`;
    await runHousekeeping({ db: service.database.db, usageRetentionYears: 10 });
    expectStatus(await ask('GET', `/${id}`), 404);
    const [left] = await service.database.owner`SELECT count(*)::int AS rows FROM billing_preview_invoices`;
    expect(left?.rows).toBe(0);
  });
});
