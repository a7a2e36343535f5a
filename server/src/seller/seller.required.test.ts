import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, readRun, setPrice, startRun, use } from '../../test/billing/billing.ts';
import { changeSeller } from '../../test/billing/invoice-documents.ts';
import { pollUntil } from '../../test/customers/accounts.ts';
import { type Actor, expectStatus, invoiceBody, issueInvoice, signUpAdmin } from '../../test/customers/actors.ts';
import type { Answer } from '../../test/harness/request.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { type StripeChargeService, startStripeChargeService } from '../../test/payments/stripe-charge.ts';
import { processNextRun } from '../billing/runs/runs.worker.ts';

const outcome = ({ status, body }: Answer) => [status, body.error?.code ?? null];
const post = (service: TestService | StripeChargeService, path: string, body: object) =>
  service.call('POST', path, { token: service.operatorKey, body });

describe('with a real gateway, while no seller is set', () => {
  let service: StripeChargeService;
  let admin: Actor;
  beforeAll(async () => {
    service = await startStripeChargeService({ withoutSeller: true });
    admin = await signUpAdmin(service);
    await setPrice(service, { path: '/call', unitAmount: '1.00' });
    await use(service, admin, '/call', 5, '2025-01-10T00:00:00Z');
  });
  afterAll(async () => service?.stop());

  // Security (Amounts, documents and card data): With a real gateway, no invoice is issued without a seller
  it('neither the operator nor a run issues an invoice: 409 seller_required, and no number is taken', async () => {
    const refusals = [
      await post(service, '/operator/invoices', invoiceBody(admin.companyId)),
      await post(service, '/operator/billing-runs', { period: '2025-01' }),
    ];
    expect(refusals.map(outcome)).toEqual(Array(2).fill([409, 'seller_required']));
    expect(await invoicesOf(service, admin)).toEqual([]);
  });

  it('a run that was started before waits until a seller is set', async () => {
    await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
    await startRun(service, '2025-01');
    await changeSeller(service, { name: '' });
    const work = () => processNextRun(service.database.db, service.server.log, { needsSeller: true });
    await work();
    expect(await invoicesOf(service, admin)).toEqual([]);
    await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
    await work();
    expect(await invoicesOf(service, admin)).toHaveLength(1);
    expectStatus(await post(service, '/operator/invoices', invoiceBody(admin.companyId)), 201);
  });

  // Security (Amounts, documents and card data): A run stops issuing when the seller is cleared during it
  it('a run that bills a company while the seller is cleared issues nothing, and continues once it is set', async () => {
    const { db, owner } = service.database;
    await use(service, admin, '/call', 7, '2025-02-10T00:00:00Z');
    await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
    const { id } = await startRun(service, '2025-02');
    const before = await invoicesOf(service, admin);
    const waiting = () => db`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const work = () => processNextRun(db, service.server.log, { needsSeller: true });
    const [interrupted] = await owner.begin(async (tx) => {
      await tx`SELECT 1 FROM companies FOR NO KEY UPDATE`;
      const working = work();
      await pollUntil(waiting, ({ length }) => length > 0);
      await changeSeller(service, { name: '' });
      return [working] as const;
    });
    await expect(interrupted).rejects.toThrow('Set the seller first');
    expect(await invoicesOf(service, admin)).toEqual(before);
    expect(await readRun(service, id)).toMatchObject({ status: 'running', invoices: 0, failures: 0 });
    await changeSeller(service, { name: 'Southwind Interfaces Ltd' });
    await work();
    expect(await readRun(service, id)).toMatchObject({ status: 'done', invoices: 1, failures: 0 });
    const numbers = (await invoicesOf(service, admin)).map(({ number }: { number: string }) => number);
    expect(numbers.sort()).toEqual(['INV-000001', 'INV-000002', 'INV-000003']);
  });
});

it('with only the sandbox, invoices are issued without a seller', async () => {
  const service = await startTestService();
  const { companyId } = await signUpAdmin(service);
  expect((await issueInvoice(service, companyId)).number).toBe('INV-000001');
  await service.stop();
});
