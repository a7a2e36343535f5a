import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChargeService,
  expectSoundBooks,
  settleRefunds,
  startChargeService,
} from '../../../../test/payments/charge.ts';
import { HANGING, LATE_MS, QUICK } from '../../../../test/payments/charge-faults.ts';
import {
  givenBack,
  type Paid,
  postRefund,
  preparePaid,
  reconcileRefundsNow,
  refundsOf,
} from '../../../../test/payments/refunds.ts';
import { selectRefund } from './refunds.queries.ts';
import { sendRefund } from './send-refund.ts';

/** Waits for the gateway as long as it takes. */
let defaultService: ChargeService;
/** Gives a gateway that hangs up after a second. */
let shortTimeoutService: ChargeService;
beforeAll(async () => {
  [defaultService, shortTimeoutService] = await Promise.all([
    startChargeService(),
    startChargeService({ gatewayTimeoutMs: 1_000 }),
  ]);
});
afterEach(async () => {
  await expectSoundBooks(defaultService);
  await expectSoundBooks(shortTimeoutService);
});
afterAll(() => Promise.all([defaultService?.stop(), shortTimeoutService?.stop()]));

async function expectUnknown(service: ChargeService, paid: Paid, key: string): Promise<void> {
  const answer = await postRefund(service, paid, { amount: '20.00' }, key);
  expect(answer.status).toBe(202);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(answer.body).toMatchObject({ status: 'Processing', amount: '20.00' });
}

/** It was found out: the same key hears of the one refund, and the gateway refunded once. */
async function expectRefundedOnce(service: ChargeService, paid: Paid, key: string): Promise<void> {
  await settleRefunds(service);
  await expect.poll(async () => (await service.sandbox.readFaults()).pendingEffects).toBe(0);
  const { calls } = await service.sandbox.readFaults();
  const repeated = await postRefund(service, paid, { amount: '20.00' }, key);
  expect(repeated).toMatchObject({ status: 201, body: { status: 'Succeeded', amount: '20.00' } });
  expect((await service.sandbox.readFaults()).calls).toEqual(calls);
  expect(await givenBack(service, paid)).toEqual([2_000n]);
  expect(await refundsOf(service, paid)).toHaveLength(1);
}

describe('an answer that is lost or makes no sense is 202; then the outcome is found, and one refund', () => {
  it.each([...QUICK, 'unauthorized'] as const)('%s of the refund', async (kind) => {
    const [paid, key] = [await preparePaid(defaultService), randomUUID()];
    await defaultService.sandbox.armFault({ operation: 'refund', kind, times: 1 });
    await expectUnknown(defaultService, paid, key);
    await expectRefundedOnce(defaultService, paid, key);
  });

  it.each(HANGING)('%s of the refund', async (kind) => {
    const [paid, key] = [await preparePaid(shortTimeoutService), randomUUID()];
    await shortTimeoutService.sandbox.armFault({
      operation: 'refund',
      kind,
      ...(kind === 'executes_late' ? { delayMs: LATE_MS } : {}),
    });
    await expectUnknown(shortTimeoutService, paid, key);
    await expectRefundedOnce(shortTimeoutService, paid, key);
  });

  it.each(['answer_lost_before_effect', 'outage', 'unparsable_answer'] as const)('%s of the look', async (kind) => {
    const [paid, key] = [await preparePaid(defaultService), randomUUID()];
    await defaultService.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
    await defaultService.sandbox.armFault({ operation: 'find', kind, times: 1 });
    await expectUnknown(defaultService, paid, key);
    await reconcileRefundsNow(defaultService);
    expect((await refundsOf(defaultService, paid))[0].status).toBe('Processing');
    await expectRefundedOnce(defaultService, paid, key);
  });

  it('a gateway that has forgotten the key is asked first, and refunds once', async () => {
    const [paid, key] = [await preparePaid(defaultService), randomUUID()];
    await defaultService.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
    // Half of it: a second one would have room.
    const answer = await postRefund(defaultService, paid, { amount: '20.00' }, key);
    expect(answer.status).toBe(202);
    await defaultService.sandbox.forgetIdempotencyKeys();
    await settleRefunds(defaultService);
    expect(await givenBack(defaultService, paid)).toEqual([2_000n]);
    expect((await refundsOf(defaultService, paid))[0].status).toBe('Succeeded');
  });

  it('if the gateway is away: 202, and the refund is sent when the gateway is back', async () => {
    const [paid, key] = [await preparePaid(defaultService), randomUUID()];
    await defaultService.takeGatewayAway();
    await expectUnknown(defaultService, paid, key).finally(() => defaultService.bringGatewayBack());
    await expectRefundedOnce(defaultService, paid, key);
  });

  it('a process that was stopped for longer than a minute sends nothing any more', async () => {
    const paid = await preparePaid(defaultService);
    await defaultService.sandbox.armFault({ operation: 'refund', kind: 'answer_lost_before_effect' });
    expect((await postRefund(defaultService, paid, { amount: '20.00' })).status).toBe(202);
    const [{ id }] = await refundsOf(defaultService, paid);
    const refund = await selectRefund(defaultService.database.db, paid.admin.companyId, id);
    const { calls } = await defaultService.sandbox.readFaults();
    const late = sendRefund(defaultService.database.db, defaultService.gateway, refund, performance.now() - 60_001);
    await expect(late).rejects.toMatchObject({ name: 'GatewayError', kind: 'not_sent' });
    expect((await defaultService.sandbox.readFaults()).calls.refund).toBe(calls.refund);
  });

  it('is checked again after seconds, minutes and hours, for ten hours in all', async () => {
    const paid = await preparePaid(defaultService);
    await defaultService.sandbox.armFault({ operation: 'any', kind: 'outage' });
    await expectUnknown(defaultService, paid, randomUUID());
    const waits = [await waitOf(paid)];
    for (let checks = 1; checks <= 14; checks += 1) {
      await reconcileRefundsNow(defaultService);
      waits.push(await waitOf(paid));
    }
    expect(waits).toEqual([5, 15, 60, 300, 900, 1_800, ...Array<number>(9).fill(3_600)]);
    await defaultService.sandbox.clearFaults();
    await settleRefunds(defaultService);
  });

  it('is under review if it is unknown after ten hours: 409, and an alert', async () => {
    const [paid, key] = [await preparePaid(defaultService), randomUUID()];
    await defaultService.sandbox.armFault({ operation: 'any', kind: 'outage' });
    await expectUnknown(defaultService, paid, key);
    await defaultService.database.owner`UPDATE refunds SET reconcile_count = 14 WHERE payment_id = ${paid.paymentId}`;
    await reconcileRefundsNow(defaultService);
    await defaultService.sandbox.clearFaults();
    const answer = await postRefund(defaultService, paid, { amount: '20.00' }, key);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'refund_under_review']);
    expect(await alertsOf(paid)).toMatchObject([{ kind: 'refund_unresolved' }]);
  });
});

/** How many seconds after its last change the refund is looked at next. */
async function waitOf({ paymentId }: Paid): Promise<number | undefined> {
  const [refund] = await defaultService.database.owner<{ seconds: number }[]>`
    SELECT round(extract(epoch FROM reconcile_at - updated_at))::int AS seconds FROM refunds WHERE payment_id = ${paymentId}`;
  return refund?.seconds;
}

async function alertsOf({ paymentId }: Paid) {
  return defaultService.database.owner<{ kind: string }[]>`SELECT kind FROM alerts WHERE payment_id = ${paymentId}`;
}

describe('a gateway that refuses', () => {
  it('is 409 refund_refused; what is credited stays due, and the next refund needs no second credit note', async () => {
    const paid = await preparePaid(defaultService);
    const { gatewayPaymentId } = (
      await defaultService.database.owner<{ gatewayPaymentId: string }[]>`
        SELECT gateway_payment_id AS "gatewayPaymentId" FROM payments WHERE id = ${paid.paymentId}`
    )[0] ?? { gatewayPaymentId: '' };
    const show = defaultService.hideAtGateway(gatewayPaymentId);
    const key = randomUUID();
    const refused = await postRefund(defaultService, paid, { amount: '20.00' }, key);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'refund_refused']);
    expect((await postRefund(defaultService, paid, { amount: '20.00' }, key)).body.error.code).toBe('refund_refused');
    show();
    const [failed] = await refundsOf(defaultService, paid);
    expect(failed).toMatchObject({ status: 'Failed', creditNoteId: expect.any(String) });
    expect(await alertsOf(paid)).toMatchObject([{ kind: 'refund_refused' }]);
    expect((await postRefund(defaultService, paid, { amount: '20.00' })).body).toMatchObject({
      status: 'Succeeded',
      creditNoteId: null,
    });
    expect(await givenBack(defaultService, paid)).toEqual([2_000n]);
  });
});
