import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { invoicesOf, readRun, runMonth, setPrice, startRun, use, work } from '../../../test/billing/billing.ts';
import { addItem, listItems } from '../../../test/billing/items.ts';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { findNumberViolations } from '../../../test/invariants/invariants.numbers.ts';

const COMPANIES = 8;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await setPrice(service, { path: '/crash', unitAmount: '1.00' });
});
afterAll(async () => service?.stop());

let admins: Actor[] = [];
beforeEach(async () => {
  admins = await Promise.all(Array.from({ length: COMPANIES }, () => signUpAdmin(service)));
});

async function expectOneInvoiceEach(total: string): Promise<void> {
  for (const admin of admins) {
    expect(await invoicesOf(service, admin)).toMatchObject([{ total }]);
  }
  expect(await findNumberViolations(owner())).toEqual([]);
}

const owner = () => service.database.owner;

/** Lets another worker claim the run at once, as if the current one were dead. */
async function expireLease(): Promise<void> {
  await service.database
    .db`UPDATE billing_runs SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL`;
}

it('simultaneous workers at one run issue one invoice for each company', async () => {
  for (const admin of admins) await use(service, admin, '/crash', 5, '2025-01-10T00:00:00Z');
  const { id } = await startRun(service, '2025-01');
  const holderOf = async () => {
    const [run] = await service.database.db<[{ lease: string | null; waits: boolean }]>`
      SELECT lease, EXISTS (
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      ) AS waits
      FROM billing_runs WHERE id = ${id}`;
    return run;
  };
  // Each worker is about to bill the first company when the next one takes the run over.
  const workers: Promise<void>[] = [];
  await owner().begin(async (tx) => {
    await tx`SELECT 1 FROM companies FOR NO KEY UPDATE`;
    let before: string | null = null;
    for (let worker = 0; worker < 3; worker += 1) {
      await expireLease();
      workers.push(work(service));
      const holder = await pollUntil(holderOf, ({ lease, waits }) => waits && lease !== null && lease !== before);
      before = holder.lease;
    }
  });
  // A worker that waited for too long leaves the rest to the next one.
  await Promise.allSettled(workers);
  await expireLease();
  await work(service);
  expect(await readRun(service, id)).toMatchObject({ status: 'done', invoices: COMPANIES, failures: 0 });
  await expectOneInvoiceEach('5.00');
});

it('a run is left to the worker that has it, until its lease expires', async () => {
  for (const admin of admins) await use(service, admin, '/crash', 5, '2025-02-10T00:00:00Z');
  const { id } = await startRun(service, '2025-02');
  await owner()`
    UPDATE billing_runs SET lease = gen_random_uuid(), leased_until = now() + interval '30 seconds' WHERE id = ${id}`;
  await work(service);
  expect(await readRun(service, id)).toMatchObject({ status: 'running', done: 0 });
  await expireLease();
  await work(service);
  expect(await readRun(service, id)).toMatchObject({ status: 'done' });
  await expectOneInvoiceEach('5.00');
});

it('a lease from before the database’s clock was set back delays nobody', async () => {
  for (const admin of admins) await use(service, admin, '/crash', 5, '2024-12-10T00:00:00Z');
  const { id } = await startRun(service, '2024-12');
  await owner()`
    UPDATE billing_runs SET lease = gen_random_uuid(), leased_until = now() + interval '1 day' WHERE id = ${id}`;
  await work(service);
  expect(await readRun(service, id)).toMatchObject({ status: 'done' });
});

it('a run whose connection is killed between an invoice and its commit continues, and bills what was known when it began', async () => {
  for (const admin of admins) {
    await use(service, admin, '/crash', 5, '2025-03-10T00:00:00Z');
    await addItem(service, admin.companyId, { amount: '3.00' });
  }
  await owner().unsafe(`
    CREATE SEQUENCE crash_turns;
    GRANT USAGE ON SEQUENCE crash_turns TO paydesk_application;
    CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF new.invoice_id IS NOT NULL AND nextval('crash_turns') % 3 = 0 THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
        PERFORM pg_sleep(1);
      END IF;
      RETURN new;
    END $$;
    CREATE TRIGGER crash AFTER INSERT ON billed_periods FOR EACH ROW EXECUTE FUNCTION crash();`);
  const { id } = await startRun(service, '2025-03');
  let crashes = 0;
  for (let round = 0; round < 50 && (await readRun(service, id)).status === 'running'; round += 1) {
    await expireLease();
    await work(service).catch(() => {
      crashes += 1;
    });
    if (round === 0) for (const admin of admins) await use(service, admin, '/crash', 2, '2025-03-11T00:00:00Z');
  }
  await owner().unsafe('DROP TRIGGER crash ON billed_periods');
  expect(crashes).toBeGreaterThan(1);
  expect(await readRun(service, id)).toMatchObject({ status: 'done', invoices: COMPANIES, failures: 0 });
  await expectOneInvoiceEach('8.00');
  for (const { companyId } of admins) {
    expect(await listItems(service, companyId)).toMatchObject({ total: 1, data: [{ state: 'invoiced' }] });
  }

  await runMonth(service, '2025-04');
  for (const admin of admins) {
    const invoices = await invoicesOf(service, admin);
    expect(invoices).toMatchObject([{ total: '8.00' }, { total: '2.00' }]);
  }
  expect(await findNumberViolations(owner())).toEqual([]);
});
