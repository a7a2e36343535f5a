/** The reconciler with two gateways: the payments at one of them have nothing to do with what the other does, or leaves undone. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { reconcileDue } from '../../../test/harness/reconcilers.ts';
import { expectSoundBooks, type Payable, readInvoice } from '../../../test/payments/charge.ts';
import { type GatewayName, startTwoGateways, type TwoGateways } from '../../../test/payments/two-gateways.ts';
import { startReconciler } from '../outcomes/reconciler.ts';
import { PAYMENTS } from './reconcile-payments.ts';

/** What hangs at the other gateway does so until its server is gone. */
let service: TwoGateways;
beforeAll(async () => {
  service = await startTwoGateways({ otherTimeoutMs: 100_000 });
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const owner = () => service.database.owner;
const startWorker = () => startReconciler(PAYMENTS, service.dependencies, service.server.log);
const lookOnce = () => reconcileDue(service.dependencies, service.server.log);
const endHanging = () => service.whileOtherIsAway(async () => undefined);

/** A payment that was captured there, and whose answer was lost. */
async function prepareUnknown(gateway: GatewayName): Promise<Payable> {
  const payable = await service.preparePayableAt(gateway);
  await service.armFaultAt(gateway, { operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  return payable;
}

type Plan = { state: string; count: number; checkedAt: Date | null; nextCheckAt: Date | null; waitSeconds: number };

/** When the reconciler looks next, also in seconds after the payment changed last, and how often it has. */
async function planOf({ invoice }: Payable): Promise<Plan> {
  const [plan] = await owner()<[Plan]>`
    SELECT state, reconcile_count AS count, last_reconciled_at AS "checkedAt", reconcile_at AS "nextCheckAt",
           round(extract(epoch FROM reconcile_at - updated_at))::int AS "waitSeconds"
    FROM payments WHERE invoice_id = ${invoice.id}`;
  return plan;
}

const makeDue = ({ invoice }: Payable) =>
  owner()`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE invoice_id = ${invoice.id}`;

/** The payment waits for a turn in an hour, and was looked at so long ago. */
const makeWait = ({ invoice }: Payable, secondsAgo = 31) => owner()`
  UPDATE payments
  SET reconcile_at = now() + interval '1 hour', last_reconciled_at = now() - make_interval(secs => ${secondsAgo})
  WHERE invoice_id = ${invoice.id}`;

/** Lets a check of the payment hang at the gateway. @returns the plan for as long as that is so */
async function makeHang(payable: Payable): Promise<Plan> {
  await service.armFaultAt('other', { operation: 'find', kind: 'hang_before_effect' });
  await makeDue(payable);
  return pollUntil(
    () => planOf(payable),
    ({ count }) => count === 1,
  );
}

async function countFinds(gateway: GatewayName): Promise<number> {
  return (await (gateway === 'other' ? service.other : service.sandbox).readFaults()).calls.find;
}

it('while one hangs, what waits for the other is found out; what waits for itself goes on waiting', async () => {
  const [hanging, behind] = [await prepareUnknown('other'), await prepareUnknown('other')];
  const worker = startWorker();
  try {
    const plan = await makeHang(hanging);
    await makeDue(behind);
    for (const payable of [await prepareUnknown('sandbox'), await prepareUnknown('sandbox')]) {
      await makeDue(payable);
      await pollUntil(
        () => readInvoice(service, payable),
        ({ status }) => status === 'Succeeded',
      );
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

it('an answer of one brings forward what waits for it, and nothing that waits for the other', async () => {
  const [quiet, waiting] = [await prepareUnknown('other'), await prepareUnknown('other')];
  const [answered, brought] = [await prepareUnknown('sandbox'), await prepareUnknown('sandbox')];
  await service.armFaultAt('other', { operation: 'any', kind: 'outage' });
  // The other was tried just now, so that nothing is to be looked at there.
  await makeWait(quiet, 0);
  await makeWait(waiting);
  await makeWait(brought);
  await makeDue(answered);
  const before = [await planOf(quiet), await planOf(waiting), await countFinds('other')];
  expect(await lookOnce()).toBe(1);
  for (const payable of [answered, brought]) expect((await planOf(payable)).state).toBe('captured');
  expect([await planOf(quiet), await planOf(waiting), await countFinds('other')]).toEqual(before);
});

it('each that is away is tried every half a minute, however often the other was', async () => {
  const names = ['sandbox', 'other'] as const;
  const waiting = [...names, ...names];
  for (const name of waiting) await makeWait(await prepareUnknown(name));
  for (const name of names) await service.armFaultAt(name, { operation: 'any', kind: 'outage' });
  const before = await Promise.all(names.map(countFinds));
  for (let round = 0; round < 3; round += 1) expect(await lookOnce()).toBe(0);
  expect(await Promise.all(names.map(countFinds))).toEqual(before.map((count) => count + 1));
});
