/** Cells of the refund in which an API process is killed while it refunds or while its reconciler checks the refund. */

import type { FaultKind, GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { REFUND_FAILPOINTS } from '../../../src/platform/failpoints.ts';
import { NEVER_MS } from '../../payments/delays.ts';
import type { Cell } from '../chaos.ts';
import { type ApiProcess, PATIENT } from '../processes.ts';
import { raise, until, type World } from '../world.ts';
import {
  ask,
  askAgain,
  expectRefunded,
  givenBack,
  makeRefundsDue,
  prepareWish,
  refundsOf,
  type Wish,
} from './refunds.world.ts';

type RefundFailpoint = (typeof REFUND_FAILPOINTS)[number];
/**
 * What a kill leaves behind: the refund's state (null if there is no refund), and how many refunds the gateway has
 * made.
 */
type Remains = { state: string | null; given: number };
type Kill = { fault: string; step: string; failpoint: RefundFailpoint; remains: Remains };

const BEFORE = 'kill -9 of the API, before';
const DURING = 'kill -9 of the API, during';

/** Each failpoint of the request. */
const REQUEST_KILLS: Kill[] = [
  {
    ...{ fault: DURING, step: 'refund T1', failpoint: 'before_refund_intent_commit' },
    remains: { state: null, given: 0 },
  },
  { fault: BEFORE, step: 'refund G1', failpoint: 'after_refund_intent', remains: { state: 'created', given: 0 } },
  { fault: BEFORE, step: 'refund T2', failpoint: 'after_gateway_refund', remains: { state: 'created', given: 1 } },
  {
    ...{ fault: DURING, step: 'refund T2', failpoint: 'before_refund_settle_commit' },
    remains: { state: 'created', given: 1 },
  },
  { fault: BEFORE, step: 'refund answer', failpoint: 'after_refund_settle', remains: { state: 'succeeded', given: 1 } },
];

const RECONCILER_BEFORE = 'kill -9 of the reconciler, before';
const RECONCILER_DURING = 'kill -9 of the reconciler, during';

/** Each failpoint of the reconciler. `lost` decides whether there is something for it to find. */
const CHECK_KILLS: (Kill & { lost: FaultKind })[] = [
  {
    ...{ fault: RECONCILER_BEFORE, step: 'refund check', failpoint: 'before_refund_check' },
    ...{ lost: 'answer_lost_after_effect', remains: { state: 'unknown', given: 1 } },
  },
  {
    ...{ fault: RECONCILER_BEFORE, step: 'refund G1', failpoint: 'after_refund_check' },
    ...{ lost: 'answer_lost_before_effect', remains: { state: 'unknown', given: 0 } },
  },
  {
    ...{ fault: RECONCILER_BEFORE, step: 'refund T2', failpoint: 'after_gateway_refund' },
    ...{ lost: 'answer_lost_before_effect', remains: { state: 'unknown', given: 1 } },
  },
  {
    ...{ fault: RECONCILER_DURING, step: 'refund T2', failpoint: 'before_refund_settle_commit' },
    ...{ lost: 'answer_lost_after_effect', remains: { state: 'unknown', given: 1 } },
  },
];

/** The failpoints at which the cells kill. */
export const REFUND_KILLS: Kill[] = [...REQUEST_KILLS, ...CHECK_KILLS];

async function expectRemains(world: World, wish: Wish, remains: Remains): Promise<void> {
  const [refund, ...others] = await refundsOf(world, wish);
  const found = { state: refund?.state ?? null, given: (await givenBack(world, wish)).length };
  if (JSON.stringify(found) !== JSON.stringify(remains) || others.length > 0)
    raise(`the kill left ${JSON.stringify(found)}`);
}

/**
 * Kills the process that handles a refund request. The operator gets no answer, retries with the same key, and gets the
 * refund that the first request began.
 */
async function killRequest(world: World, { failpoint, remains }: Kill): Promise<void> {
  const wish = await prepareWish(world, failpoint.includes('commit') ? 'withCredit' : 'part');
  const victim = await world.startApi({ failpoint });
  const broken = await ask(world, victim, wish);
  if (broken.status !== 0) raise(`${failpoint} was not reached: ${JSON.stringify(broken)}`);
  await victim.ended;
  await expectRemains(world, wish, remains);
  const { calls } = await world.gateway.control.readFaults();
  const { status } = await askAgain(world, wish);
  const expected = remains.state === 'created' ? 202 : 201;
  if (status !== expected) raise(`the retry was answered with ${status}`);
  const callsAfter = JSON.stringify((await world.gateway.control.readFaults()).calls);
  if (remains.state === 'succeeded' && callsAfter !== JSON.stringify(calls))
    raise('a refund that has ended made calls to the gateway');
  await expectRefunded(world, wish);
}

/** Kills the process while the gateway still handles the request, which takes effect afterwards. */
async function killDuringCall(world: World, operation: GatewayOperation): Promise<void> {
  const wish = await prepareWish(world);
  const victim = await world.startApi(PATIENT);
  const asked = await watchCalls(world, operation);
  const asking = ask(world, victim, wish);
  await until(asked, `the gateway was asked to ${operation}`);
  victim.signal('SIGKILL');
  if ((await asking).status !== 0) raise('the kill came too late');
  await world.gateway.control.endDelays();
  await expectRefunded(world, wish);
}

/** Delays the next such call until the delays are ended. @returns a function that says whether the call has arrived */
async function watchCalls(
  { gateway: { control } }: World,
  operation: GatewayOperation,
): Promise<() => Promise<boolean>> {
  await control.armFault({ operation, kind: 'latency', delayMs: NEVER_MS });
  const calls = async () => (await control.readFaults()).calls[operation];
  const before = await calls();
  return async () => (await calls()) > before;
}

/**
 * Suspends all processes except one, so that its reconciler takes the refund. `arm` prepares the kill and returns a function that executes
 * it.
 */
async function runReconcilerAlone(
  world: World,
  victim: ApiProcess,
  wish: Wish,
  arm: () => Promise<() => Promise<void>>,
): Promise<void> {
  for (const other of world.apis) other.signal('SIGSTOP');
  try {
    const { status } = await ask(world, victim, wish);
    if (status !== 202) raise(`expected 202, got ${status}`);
    const kill = await arm();
    await makeRefundsDue(world, wish);
    await kill();
    await victim.ended;
  } finally {
    for (const other of world.apis) other.signal('SIGCONT');
  }
}

/** Kills a reconciler while it has a refund. The lease expires, and another reconciler takes the refund. */
async function killAtCheck(world: World, { failpoint, lost, remains }: Kill & { lost: FaultKind }): Promise<void> {
  const wish = await prepareWish(world);
  const victim = await world.startApi({ failpoint });
  await world.gateway.control.armFault({ operation: 'refund', kind: lost });
  await runReconcilerAlone(world, victim, wish, async () => async () => undefined);
  await expectRemains(world, wish, remains);
  await expectRefunded(world, wish);
}

async function killDuringCheck(world: World): Promise<void> {
  const wish = await prepareWish(world);
  const victim = await world.startApi(PATIENT);
  await world.gateway.control.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
  await runReconcilerAlone(world, victim, wish, async () => {
    const checked = await watchCalls(world, world.adapter.refundCheck);
    return async () => {
      await until(checked, 'the reconciler looks');
      victim.signal('SIGKILL');
      await victim.ended;
      await world.gateway.control.endDelays();
    };
  });
  await expectRefunded(world, wish);
}

/** Kills a process without making the refund due early. It must still be settled within a minute (I8). */
async function killWithoutHelp(world: World): Promise<void> {
  const wish = await prepareWish(world);
  const victim = await world.startApi({ failpoint: 'after_gateway_refund' });
  await ask(world, victim, wish);
  await victim.ended;
  await until(async () => (await refundsOf(world, wish))[0]?.state === 'succeeded', 'the refund is settled');
  await expectRefunded(world, wish);
}

/** Every kill of an API process during a refund. */
export function refundKillCells(): Cell[] {
  return [
    ...REQUEST_KILLS.map((kill) => ({ ...kill, run: (world: World) => killRequest(world, kill) })),
    ...CHECK_KILLS.map((kill) => ({ ...kill, run: (world: World) => killAtCheck(world, kill) })),
    { fault: DURING, step: 'refund G1', run: (world) => killDuringCall(world, 'refund') },
    { fault: RECONCILER_DURING, step: 'refund check', run: killDuringCheck },
    { fault: 'kill -9 of the API, without help', step: 'refund T2', run: killWithoutHelp },
  ];
}

/**
 * Kills while the gateway is asked about the payment before the refund. `operation` is the call with which that is
 * done.
 */
export function refundOrderKillCells(operation: GatewayOperation): Cell[] {
  return [{ fault: DURING, step: 'refund order', run: (world) => killDuringCall(world, operation) }];
}
