import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRun, use } from '../../../../test/billing/billing.ts';
import { issueInvoice, signUpAdmin } from '../../../../test/customers/actors.ts';
import { expectMetric } from '../../../../test/harness/metrics.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { type Payable, paymentOf, preparePayable } from '../../../../test/payments/charge.ts';
import { postRefund, preparePaid } from '../../../../test/payments/refunds.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

/** What a scrape reports about a queue. */
async function readQueue(name: string) {
  const read = (gauge: string) => expectMetric(service, `paydesk_work_queue_${gauge}\\{queue="${name}"\\}`);
  const [depth, oldestSeconds, retries, dead] = await Promise.all([
    read('depth'),
    read('oldest_seconds'),
    read('retries'),
    read('dead'),
  ]);
  return { depth, oldestSeconds, retries, dead };
}

it('an empty queue is reported as such', async () => {
  for (const name of ['payments', 'usage', 'billing_runs']) {
    expect(await readQueue(name), name).toEqual({ depth: 0, oldestSeconds: 0, retries: 0, dead: 0 });
  }
});

it('usage that is not rolled up is counted, with its age', async () => {
  const admin = await signUpAdmin(service);
  await use(service, admin, '/v1/counted', 3, '2026-01-10T00:00:00Z');
  await service.database.owner`UPDATE usage_deltas SET stored_at = now() - interval '1 hour'`;
  const queue = await readQueue('usage');
  expect(queue).toMatchObject({ depth: 1, retries: 0, dead: 0 });
  expect(queue.oldestSeconds).toBeGreaterThanOrEqual(3_600);
  await service.database.owner`DELETE FROM usage_deltas`;
});

async function prepareUnknown(): Promise<Payable> {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
  expect((await payable.pay()).status).toBe(202);
  return payable;
}

/** Changes the payment's row directly. */
async function changePayment(payable: Payable, assignments: string): Promise<void> {
  const { id } = await paymentOf(service, payable);
  await service.database.owner.unsafe(`UPDATE payments SET ${assignments} WHERE id = '${id}'`);
}

it('payments count when they are due, and when they are under review', async () => {
  const payable = await prepareUnknown();
  const change = (assignments: string) => changePayment(payable, assignments);
  await change("reconcile_at = now() + interval '1 hour', reconcile_count = 0");
  expect(await readQueue('payments')).toMatchObject({ depth: 0, oldestSeconds: 0 });
  await change("reconcile_at = now() - interval '1 hour', reconcile_count = 2");
  const queue = await readQueue('payments');
  expect(queue).toMatchObject({ depth: 1, retries: 1, dead: 0 });
  expect(queue.oldestSeconds).toBeGreaterThanOrEqual(3_600);
  await change("state = 'needs_review', reconcile_at = NULL");
  expect(await readQueue('payments')).toMatchObject({ depth: 0, retries: 0, dead: 1 });
});

it('payments count whichever gateway they are due at, and so do refunds', async () => {
  const [first, second] = [await prepareUnknown(), await prepareUnknown()];
  await changePayment(first, "gateway = 'one', reconcile_at = now() - interval '1 minute'");
  await changePayment(second, "gateway = 'two', reconcile_at = now() - interval '1 hour', reconcile_count = 1");
  const payments = await readQueue('payments');
  expect(payments).toMatchObject({ depth: 2, retries: 1 });
  expect(payments.oldestSeconds).toBeGreaterThanOrEqual(3_600);
  const end = "state = 'failed', failure_reason = 'canceled', reconcile_at = NULL";
  for (const payable of [first, second]) await changePayment(payable, end);

  const { depth } = await readQueue('refunds');
  for (const gateway of ['one', 'two']) {
    const paid = await preparePaid(service);
    await service.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect' });
    expect((await postRefund(service, paid)).status).toBe(202);
    await service.database.owner`
      UPDATE refunds SET gateway = ${gateway}, reconcile_at = now() - interval '1 hour' WHERE payment_id = ${paid.paymentId}`;
  }
  const refunds = await readQueue('refunds');
  expect(refunds).toMatchObject({ depth: depth + 2, retries: 0, dead: 0 });
  expect(refunds.oldestSeconds).toBeGreaterThanOrEqual(3_600);
});

it('invoices to collect count when they are due, whichever gateway they are due at', async () => {
  const before = (await readQueue('collections')).depth;
  const { companyId } = await signUpAdmin(service);
  const change = (id: string, assignments: string) =>
    service.database.owner.unsafe(`UPDATE collections SET ${assignments} WHERE invoice_id = '${id}'`);
  const [first, second, third] = [
    (await issueInvoice(service, companyId)).id,
    (await issueInvoice(service, companyId)).id,
    (await issueInvoice(service, companyId)).id,
  ];
  await change(first, "gateway = 'one', next_attempt_at = now() - interval '1 minute'");
  await change(second, "gateway = 'two', next_attempt_at = now() - interval '1 hour', attempts = 1");
  await change(third, "gateway = 'two', next_attempt_at = now() + interval '1 hour'");
  const queue = await readQueue('collections');
  expect(queue).toMatchObject({ depth: before + 2, retries: 1, dead: 0 });
  expect(queue.oldestSeconds).toBeGreaterThanOrEqual(3_600);
});

it('billing runs count while they have a pass to do, and when they have failed', async () => {
  const run = await startRun(service, '2020-02');
  expect(await readQueue('billing_runs')).toMatchObject({ depth: 1, retries: 0, dead: 0 });
  const change = (assignments: string) =>
    service.database.owner.unsafe(`UPDATE billing_runs SET ${assignments} WHERE id = '${run.id}'`);
  await change("started_at = now() - interval '1 hour', leased_until = now() - interval '1 minute'");
  const left = await readQueue('billing_runs');
  expect(left).toMatchObject({ depth: 1, retries: 1, dead: 0 });
  expect(left.oldestSeconds).toBeGreaterThanOrEqual(3_600);
  await change("status = 'failed', finished_at = now()");
  expect(await readQueue('billing_runs')).toMatchObject({ depth: 0, oldestSeconds: 0, retries: 0, dead: 1 });
});

it('a queue that can’t be read does not affect the others in the scrape', async () => {
  await service.database.owner`ALTER TABLE usage_deltas RENAME COLUMN stored_at TO moved`;
  const { text } = await service.call('GET', '/metrics', { token: service.operatorKey });
  await service.database.owner`ALTER TABLE usage_deltas RENAME COLUMN moved TO stored_at`;
  expect(text).toContain('paydesk_work_queue_depth{queue="payments"}');
  expect(text).not.toContain('{queue="usage"}');
  expect(await readQueue('usage')).toMatchObject({ depth: 0 });
});
