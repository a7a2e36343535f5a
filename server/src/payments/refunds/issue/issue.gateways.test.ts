/** Refunds at two gateways, of which one hangs: what waits for it is held up, and nothing else. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pollUntil } from '../../../../test/customers/accounts.ts';
import { expectStatus } from '../../../../test/customers/actors.ts';
import { expectSoundBooks, paymentOf } from '../../../../test/payments/charge.ts';
import { givenBack, type Paid, postRefund, refundsOf } from '../../../../test/payments/refunds.ts';
import { type GatewayName, startTwoGateways, type TwoGateways } from '../../../../test/payments/two-gateways.ts';
import { startReconciler } from '../../outcomes/reconciler.ts';
import { REFUNDS } from '../reconcile/reconcile-refunds.ts';

/** What hangs at the other gateway does so until its server is gone. */
let service: TwoGateways;
beforeAll(async () => {
  service = await startTwoGateways({ otherTimeoutMs: 100_000 });
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const owner = () => service.database.owner;
const startWorker = () => startReconciler(REFUNDS, service.dependencies, service.server.log);
const endHanging = () => service.whileOtherIsAway(async () => undefined);

/** A refund of 48.00 USD that the gateway made, and whose answer was lost. */
async function prepareUnknown(gateway: GatewayName): Promise<Paid> {
  const payable = await service.preparePayableAt(gateway);
  expectStatus(await payable.pay(), 200);
  const paid = { ...payable, paymentId: (await paymentOf(service, payable)).id };
  await service.armFaultAt(gateway, { operation: 'refund', kind: 'answer_lost_after_effect' });
  expectStatus(await postRefund(service, paid), 202);
  return paid;
}

type Plan = { state: string; count: number; nextCheckAt: Date | null; waitSeconds: number };

/** When the reconciler looks next, also in seconds after the refund changed last, and how often it has. */
async function planOf({ paymentId }: Paid): Promise<Plan> {
  const [plan] = await owner()<[Plan]>`
    SELECT state, reconcile_count AS count, reconcile_at AS "nextCheckAt",
           round(extract(epoch FROM reconcile_at - updated_at))::int AS "waitSeconds"
    FROM refunds WHERE payment_id = ${paymentId}`;
  return plan;
}

const makeDue = ({ paymentId }: Paid) =>
  owner()`UPDATE refunds SET reconcile_at = now() - interval '1 second' WHERE payment_id = ${paymentId}`;

/** Lets a check of the refund hang at the gateway. @returns the plan for as long as that is so */
async function makeHang(paid: Paid): Promise<Plan> {
  await service.armFaultAt('other', { operation: 'find', kind: 'hang_before_effect' });
  await makeDue(paid);
  return pollUntil(
    () => planOf(paid),
    ({ count }) => count === 1,
  );
}

it('while one hangs, refunds at the other are found out; what waits for itself goes on waiting', async () => {
  const [hanging, behind] = [await prepareUnknown('other'), await prepareUnknown('other')];
  const worker = startWorker();
  try {
    const plan = await makeHang(hanging);
    await makeDue(behind);
    for (const paid of [await prepareUnknown('sandbox'), await prepareUnknown('sandbox')]) {
      await makeDue(paid);
      await pollUntil(
        () => refundsOf(service, paid),
        ([refund]) => refund.status === 'Succeeded',
      );
      expect(await givenBack(service, paid)).toEqual([4_800n]);
    }
    expect(await planOf(hanging)).toEqual(plan);
    expect(await planOf(behind)).toMatchObject({ state: 'unknown', count: 0 });
  } finally {
    await endHanging();
    await worker.stop();
  }
});

it('a reconciler that is stopped begins nothing, and ends the look that hangs', async () => {
  const hanging = await prepareUnknown('other');
  const worker = startWorker();
  const plan = await makeHang(hanging);
  let hasStopped = false;
  const stopping = worker.stop().then(() => {
    hasStopped = true;
  });
  const late = await prepareUnknown('sandbox');
  await makeDue(late);
  expect([hasStopped, await planOf(hanging)]).toEqual([false, plan]);
  await endHanging();
  await stopping;
  expect(await planOf(hanging)).toMatchObject({ state: 'unknown', count: 1, waitSeconds: 15 });
  expect(await planOf(late)).toMatchObject({ state: 'unknown', count: 0 });
});
