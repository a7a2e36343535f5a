import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

type InvoiceService = typeof import('./invoices.service.ts');
type Listed = { id: string; status: string; voidedAt: string | null; payment: { id: string; status: string } | null };

let service: TestService;
let admin: Actor;
/** The service of the lists as another process on the same database runs it, with a cache of its own. */
let otherProcess: InvoiceService;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
  vi.resetModules();
  otherProcess = await import('./invoices.service.ts');
});
afterAll(() => service?.stop());

/** The page, after checking that both processes answer it alike, however often. */
async function list(query: { min?: string; status?: string } = {}, actor = admin): Promise<Listed[]> {
  const ask = async () =>
    expectStatus(
      await service.call('GET', `/payments/orders?${new URLSearchParams(query)}`, { token: actor.token }),
      200,
    ).body;
  const askOther = async () => {
    const whole = { page: 1, perPage: 10, ...query };
    const answer = await otherProcess.listInvoices(service.database.db, actor.companyId, whole, {
      now: new Date(),
      reader: 'company',
    });
    return JSON.parse(String(answer));
  };
  const pages = [await ask(), await askOther(), await ask(), await askOther(), await ask(), await askOther()];
  for (const page of pages) expect(page).toEqual(pages[0]);
  return pages[0].data;
}

describe('pages of invoices that are asked for again and again', () => {
  // Security (Tenants): A company's cached pages show nothing of another company
  it('are those of the company that asks', async () => {
    const other = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    expect((await list()).map((invoice) => invoice.id)).toEqual([id]);
    expect(await list({}, other)).toEqual([]);
    expect(await list({ min: '0' }, other)).toEqual([]);
    expect((await list({ min: '0' })).map((invoice) => invoice.id)).toEqual([id]);
  });

  it('show each new invoice, and each change of one, in every process', async () => {
    const { id } = await issueInvoice(service, admin.companyId);
    for (const query of [{}, { min: '0' }]) expect((await list(query)).map((invoice) => invoice.id)).toContain(id);
    await service.database.owner`UPDATE invoices SET voided_at = now() WHERE id = ${id}`;
    for (const query of [{}, { min: '0' }])
      expect((await list(query)).find((invoice) => invoice.id === id)?.voidedAt).not.toBe(null);
  });

  it('show each payment, and each change of one that changes no invoice, in every process', async () => {
    const { owner } = service.database;
    const invoice = await issueInvoice(service, admin.companyId);
    const queries = [{}, { min: '0' }, { status: 'processing' }];
    const statuses = async () =>
      Promise.all(
        queries.map(async (query) => (await list(query)).find(({ id }) => id === invoice.id)?.payment?.status),
      );
    expect(await statuses()).toEqual([undefined, undefined, undefined]);
    const id = randomUUID();
    await owner`
      INSERT INTO payments (company_id, id, invoice_id, method, gateway, amount_minor, currency, state)
      VALUES (${admin.companyId}, ${id}, ${invoice.id}, 'Card', 'sandbox', 100, 'USD', 'unknown')`;
    expect(await statuses()).toEqual(['Processing', 'Processing', 'Processing']);
    await owner`UPDATE payments SET state = 'needs_review' WHERE id = ${id}`;
    expect(await statuses()).toEqual(['NeedsReview', 'NeedsReview', 'NeedsReview']);
    await owner`UPDATE payments SET state = 'failed', failure_reason = 'canceled' WHERE id = ${id}`;
    expect(await statuses()).toEqual(['Failed', 'Failed', 'Failed']);
  });

  it('are read again where the database was set back and has counted up to the same values since', async () => {
    const company = await signUpAdmin(service);
    const lost = await issueInvoice(service, company.companyId);
    for (const query of [{}, { min: '0' }]) expect((await list(query, company)).map(({ id }) => id)).toEqual([lost.id]);
    await service.database.owner.begin(async (tx) => {
      await tx`SET LOCAL session_replication_role = replica`;
      await tx`DELETE FROM invoices WHERE company_id = ${company.companyId}`;
      await tx`DELETE FROM invoice_counts WHERE company_id = ${company.companyId}`;
    });
    const issued = await issueInvoice(service, company.companyId);
    for (const query of [{}, { min: '0' }])
      expect((await list(query, company)).map(({ id }) => id)).toEqual([issued.id]);
  });
});
