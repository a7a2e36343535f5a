import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CARDS } from '../../../test/customers/actors.ts';
import { expectMetric } from '../../../test/harness/metrics.ts';
import { reconcileDue } from '../../../test/harness/reconcilers.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { delayNext } from '../../../test/payments/delays.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

/** One round of a reconciler, at payments whose turn it is and no others. */
const reconcile = () => reconcileDue(service.dependencies, service.server.log);
const owner = () => service.database.owner;

/** A payment whose confirmation reached the gateway, or not, and whose answer was lost. */
async function prepareUnknown(kind: 'answer_lost_before_effect' | 'answer_lost_after_effect'): Promise<Payable> {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind });
  expect((await payable.pay()).status).toBe(202);
  return payable;
}

type Plan = { state: string; count: number; waitSeconds: number | null };

/** When the reconciler looks next, in seconds after the payment changed last, and how often it has. */
async function planOf({ invoice }: Payable): Promise<Plan> {
  const [row] = await owner()<[Plan]>`
    SELECT state, reconcile_count AS count, round(extract(epoch FROM reconcile_at - updated_at))::int AS "waitSeconds"
    FROM payments WHERE invoice_id = ${invoice.id}`;
  return row;
}

/** Turns the clock forward to the payment's turn. */
async function makeDue({ invoice }: Payable): Promise<void> {
  await owner()`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE invoice_id = ${invoice.id}`;
}

/** The payment waits for a turn in an hour, and was looked at half a minute ago. */
async function makeWait({ invoice }: Payable): Promise<void> {
  await owner()`
    UPDATE payments SET reconcile_at = now() + interval '1 hour', last_reconciled_at = now() - interval '31 seconds'
    WHERE invoice_id = ${invoice.id}`;
}

describe('the schedule', () => {
  it('checks after 5 s, 15 s, 1 min, 5 min, 15 min, 1 h, 3 h and 6 h; then the payment is under review', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
    expect((await payable.pay()).status).toBe(202);
    expect(await planOf(payable)).toEqual({ state: 'unknown', count: 0, waitSeconds: 5 });
    for (const [index, waitSeconds] of [15, 60, 300, 900, 3_600, 10_800, 21_600].entries()) {
      await makeDue(payable);
      await reconcile();
      expect(await planOf(payable)).toEqual({ state: 'unknown', count: index + 1, waitSeconds });
    }
    const reviewed = await expectMetric(service, 'paydesk_payments_needs_review');
    await makeDue(payable);
    await reconcile();
    expect(await planOf(payable)).toEqual({ state: 'needs_review', count: 8, waitSeconds: null });
    expect(await expectMetric(service, 'paydesk_payments_needs_review')).toBe(reviewed + 1);
    const alerts = await owner()`
      SELECT kind FROM alerts JOIN payments ON payments.id = payment_id WHERE invoice_id = ${payable.invoice.id}`;
    expect(alerts).toMatchObject([{ kind: 'payment_unresolved' }]);
    expect((await payable.pay()).body.error.code).toBe('payment_under_review');
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', paymentId: null });
  });

  it('begins 15 s after the intent, and again after the creation, for a request that may have died', async () => {
    const payable = await preparePayable(service);
    const [creation, confirmation] = [await delayNext(service, 'create'), await delayNext(service, 'confirm')];
    const paying = payable.pay();
    await creation.arrived();
    expect(await planOf(payable)).toMatchObject({ state: 'created', waitSeconds: 15 });
    await creation.end();
    await confirmation.arrived();
    expect(await planOf(payable)).toMatchObject({ state: 'sending', waitSeconds: 15 });
    await confirmation.end();
    expect((await paying).status).toBe(200);
  });

  it('goes on when a look fails for a reason of ours, which is logged', async () => {
    const payable = await prepareUnknown('answer_lost_before_effect');
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount' });
    await owner()`REVOKE INSERT ON alerts FROM paydesk_application`;
    await makeDue(payable);
    await reconcile();
    await owner()`GRANT INSERT ON alerts TO paydesk_application`;
    expect(await planOf(payable)).toEqual({ state: 'unknown', count: 1, waitSeconds: 15 });
    expect(service.logs()).toContain('a payment could not be reconciled');
    await makeDue(payable);
    await reconcile();
    expect((await planOf(payable)).state).toBe('needs_review');
  });

  it('does not stand still when the clock of the database is set back by a day', async () => {
    const payable = await prepareUnknown('answer_lost_after_effect');
    await owner()`
      UPDATE payments SET created_at = created_at + interval '1 day', updated_at = updated_at + interval '1 day',
                          reconcile_at = reconcile_at + interval '1 day'
      WHERE invoice_id = ${payable.invoice.id}`;
    expect(await expectMetric(service, 'paydesk_payments_oldest_waiting_seconds')).toBe(0);
    await reconcile();
    expect((await planOf(payable)).state).toBe('captured');
  });

  it('shows in the metrics: how many wait, and how old the oldest is', async () => {
    const payable = await prepareUnknown('answer_lost_after_effect');
    await owner()`UPDATE payments SET created_at = now() - interval '1 hour' WHERE invoice_id = ${payable.invoice.id}`;
    expect(await expectMetric(service, 'paydesk_payments_waiting')).toBe(1);
    expect(await expectMetric(service, 'paydesk_payments_oldest_waiting_seconds')).toBeGreaterThanOrEqual(3_600);
    await settleAll(service);
    expect(await expectMetric(service, 'paydesk_payments_waiting')).toBe(0);
    expect(await expectMetric(service, 'paydesk_payments_oldest_waiting_seconds')).toBe(0);
  });
});

describe('while the gateway is away', () => {
  const calls = async () => {
    const { find, create, confirm } = (await service.sandbox.readFaults()).calls;
    return find + create + confirm;
  };

  it('one of the waiting payments probes it every half a minute, out of turn', async () => {
    const payables = [
      await prepareUnknown('answer_lost_after_effect'),
      await prepareUnknown('answer_lost_after_effect'),
    ];
    for (const payable of payables) await makeWait(payable);
    const plans = await Promise.all(payables.map(planOf));
    await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
    const before = await calls();
    for (let round = 0; round < 5; round += 1) expect(await reconcile()).toBe(0);
    expect(await calls()).toBe(before + 1);
    expect(await Promise.all(payables.map(planOf))).toEqual(plans);
  });

  it('all that wait are looked at as soon as it answers again, whatever their turn', async () => {
    const { admin } = await preparePayable(service);
    const payables = await Promise.all(Array.from({ length: 25 }, () => prepareInvoice(service, admin)));
    await service.sandbox.armFault({ operation: 'any', kind: 'outage' });
    await Promise.all(payables.map(async ({ pay }) => expect((await pay()).status).toBe(202)));
    for (const payable of payables) await makeWait(payable);
    await reconcile();
    await service.sandbox.clearFaults();
    for (const payable of payables) await makeWait(payable);
    await reconcile();
    for (const payable of payables) expect((await planOf(payable)).state).toBe('captured');
  });

  it('a payment that stays undecided keeps its schedule, however often others are answered', async () => {
    const payable = await prepareUnknown('answer_lost_before_effect');
    const { gatewayPaymentId } = await paymentOf(service, payable);
    const show = service.hideAtGateway(gatewayPaymentId ?? '');
    await makeWait(payable);
    const plan = await planOf(payable);
    for (let round = 0; round < 10; round += 1) {
      const other = await prepareUnknown('answer_lost_after_effect');
      await makeDue(other);
      await reconcile();
      expect((await planOf(other)).state).toBe('captured');
      await owner()`
        UPDATE payments SET last_reconciled_at = now() - interval '31 seconds' WHERE invoice_id = ${payable.invoice.id}`;
    }
    show();
    expect(await planOf(payable)).toEqual(plan);
  });
});

describe('what a gateway forgets', () => {
  it('the keys, after a capture whose answer was lost: the payment is read by its id, and captured once', async () => {
    const payable = await prepareUnknown('answer_lost_after_effect');
    await service.sandbox.forgetIdempotencyKeys();
    await settleAll(service);
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('the keys, after a creation whose answer was lost: the object is canceled, and another one is confirmed', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_after_effect' });
    expect((await payable.pay()).status).toBe(202);
    await service.sandbox.forgetIdempotencyKeys();
    await settleAll(service);
    const { id } = await paymentOf(service, payable);
    const { payments } = await service.sandbox.readLedger();
    const objects = payments.filter(({ reference }) => reference === id).map(({ status }) => status);
    expect(objects).toEqual(['canceled', 'captured']);
  });
});

describe('a request that is overtaken', () => {
  const countConfirms = async () => (await service.sandbox.readFaults()).calls.confirm;

  it('by the reconciler, which finishes the charge: it answers with that, and one capture', async () => {
    const payable = await preparePayable(service);
    const creation = await delayNext(service, 'create');
    const paying = payable.pay();
    await creation.arrived();
    await makeDue(payable);
    await reconcile();
    const { id, state } = await paymentOf(service, payable);
    expect(state).toBe('captured');
    await creation.end();
    expect(await paying).toMatchObject({ status: 200, body: { paymentId: id } });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('by the reconciler, which finds it declined: it answers with that, and the card is not tried again', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.insufficientFunds });
    const creation = await delayNext(service, 'create');
    const paying = payable.pay();
    await creation.arrived();
    await makeDue(payable);
    await reconcile();
    const confirms = await countConfirms();
    await creation.end();
    expect(await paying).toMatchObject({ status: 402, body: { error: { declineCode: 'insufficient_funds' } } });
    expect(await countConfirms()).toBe(confirms);
  });

  it('by nothing: a reconciler that comes second leaves the payment to the request', async () => {
    const payable = await preparePayable(service);
    const [creation, confirmation] = [await delayNext(service, 'create'), await delayNext(service, 'confirm')];
    const paying = payable.pay();
    await creation.arrived();
    await makeDue(payable);
    const { createPayment } = service.gateway;
    const [created, overtaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const create = vi.spyOn(service.gateway, 'createPayment').mockImplementationOnce(async (request) => {
      const object = await createPayment(request);
      created.resolve();
      await overtaken.promise;
      return object;
    });
    onTestFinished(() => create.mockRestore());
    const looking = reconcile();
    await created.promise;
    await creation.end();
    await confirmation.arrived();
    overtaken.resolve();
    await looking;
    expect((await planOf(payable)).state).toBe('sending');
    await confirmation.end();
    expect(await paying).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
  });

  it('because it stalled until the last look was over: it confirms nothing any more', async () => {
    const payable = await preparePayable(service);
    const creation = await delayNext(service, 'create');
    const paying = payable.pay();
    await creation.arrived();
    await service.sandbox.armFault({ operation: 'create', kind: 'outage' });
    await owner()`UPDATE payments SET reconcile_count = 7 WHERE invoice_id = ${payable.invoice.id}`;
    await makeDue(payable);
    await reconcile();
    const { state } = await paymentOf(service, payable);
    const confirms = await countConfirms();
    await creation.end();
    const answer = await paying;
    expect(await countConfirms()).toBe(confirms);
    expect(await capturesOf(service, payable)).toEqual([]);
    expect([state, answer.body.error.code]).toEqual(['needs_review', 'payment_under_review']);
  });
});

describe('in the background', () => {
  it('a service checks due payments by itself, and stops on request', async () => {
    const running = await startChargeService({ withReconciler: true });
    try {
      const payable = await preparePayable(running);
      await running.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
      expect((await payable.pay()).status).toBe(202);
      await running.database.owner`UPDATE payments SET reconcile_at = now() - interval '1 second'`;
      const status = async () => (await readInvoice(running, payable)).status;
      await expect.poll(status, { interval: 100 }).toBe('Succeeded');
      expect(await capturesOf(running, payable)).toHaveLength(1);
    } finally {
      await running.stop();
    }
  });
});
