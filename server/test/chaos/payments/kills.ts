/** Cells of the fault matrix in which an API process is killed. */

import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { FAILPOINTS } from '../../../src/platform/failpoints.ts';
import { NEVER_MS } from '../../payments/delays.ts';
import type { Cell } from '../chaos.ts';
import { PATIENT } from '../processes.ts';
import {
  api,
  type Charge,
  makeDue,
  pay,
  paymentsOf,
  prepareCharge,
  raise,
  recover,
  until,
  type World,
} from '../world.ts';

/** What a kill leaves behind: the payment's state (null if there is no payment), and the gateway's objects. */
type Remains = { state: string | null; objects: string[] };
type Kill = {
  fault: string;
  step: string;
  failpoint: (typeof FAILPOINTS)[number];
  declines?: boolean;
  remains: Remains;
};

const BEFORE = 'kill -9 of the API, before';
const DURING = 'kill -9 of the API, during';
const AFTER = 'kill -9 of the API, after';

/** Each failpoint, with the state that the client's retry then finds. */
export const KILLS: Kill[] = [
  { fault: DURING, step: 'T1', failpoint: 'before_intent_commit', remains: { state: null, objects: [] } },
  { fault: BEFORE, step: 'G1', failpoint: 'after_intent', remains: { state: 'created', objects: [] } },
  { fault: AFTER, step: 'ask', failpoint: 'after_asking', remains: { state: 'created', objects: [] } },
  { fault: BEFORE, step: 'T2', failpoint: 'after_gateway_create', remains: { state: 'created', objects: ['created'] } },
  { fault: BEFORE, step: 'G2', failpoint: 'after_sending', remains: { state: 'sending', objects: ['created'] } },
  { fault: BEFORE, step: 'T3', failpoint: 'after_confirm', remains: { state: 'sending', objects: ['captured'] } },
  {
    fault: DURING,
    step: 'T3',
    failpoint: 'before_settle_commit',
    remains: { state: 'sending', objects: ['captured'] },
  },
  { fault: BEFORE, step: 'answer', failpoint: 'after_settle', remains: { state: 'captured', objects: ['captured'] } },
  ...([
    { fault: BEFORE, step: 'G3', failpoint: 'after_decline', remains: { state: 'sending', objects: ['declined'] } },
    { fault: AFTER, step: 'G3', failpoint: 'after_cancel', remains: { state: 'sending', objects: ['canceled'] } },
  ].map((kill) => ({ ...kill, declines: true })) as Kill[]),
];

/** A reconciler is killed after it canceled an object that another process created but did not record. */
export const CLOSING_KILL: Kill = {
  ...{ fault: 'kill -9 of the reconciler, during', step: 'ask', failpoint: 'after_closing' },
  remains: { state: 'created', objects: ['canceled'] },
};

/** Returns the gateway's objects for a charge, with their status. */
export async function objectsOf(world: World, charge: Charge): Promise<string[]> {
  const ids = new Set((await paymentsOf(world, charge)).map(({ id }) => id));
  const { payments } = await world.gateway.control.readLedger();
  return payments.filter(({ reference }) => ids.has(reference)).map(({ status }) => status);
}

async function killAfterClosing(world: World, { failpoint, remains }: Kill): Promise<void> {
  const charge = await prepareCharge(world);
  const maker = await world.startApi({ failpoint: 'after_gateway_create' });
  await pay(world, maker, charge);
  await maker.ended;
  for (const other of world.apis) other.signal('SIGSTOP');
  const victim = await world.startApi({ failpoint });
  await makeDue(world, charge);
  await victim.ended;
  const found = { state: (await paymentsOf(world, charge))[0]?.state, objects: await objectsOf(world, charge) };
  for (const other of world.apis) other.signal('SIGCONT');
  if (JSON.stringify(found) !== JSON.stringify(remains)) raise(`${failpoint} left ${JSON.stringify(found)}`);
  await expectOutcome(world, charge, false);
}

/**
 * Kills the process at a failpoint. The client gets no answer, retries at once, and gets the outcome of the payment
 * that the first request began.
 */
export async function killAt(world: World, { failpoint, declines = false, remains }: Kill): Promise<void> {
  const charge = await prepareCharge(world, declines ? 'refuses' : 'pays');
  const victim = await world.startApi({ failpoint });
  const broken = await pay(world, victim, charge);
  if (broken.status !== 0) raise(`${failpoint} was not reached: ${JSON.stringify(broken)}`);
  await victim.ended;

  const left = await paymentsOf(world, charge);
  const found = { state: left[0]?.state ?? null, objects: await objectsOf(world, charge) };
  if (JSON.stringify(found) !== JSON.stringify(remains)) raise(`${failpoint} left ${JSON.stringify(found)}`);
  await expectOutcome(world, charge, declines);
}

/** Retries while the payment recovers. Expects one payment, and its id or the bank's reason in the answer. */
async function expectOutcome(world: World, charge: Charge, declines: boolean): Promise<void> {
  const [left] = await paymentsOf(world, charge);
  const callsBefore = JSON.stringify((await world.gateway.control.readFaults()).calls);
  const retrying = pay(world, api(world), charge);
  await recover(world, charge);
  const first = await retrying;
  // A payment whose outcome is unknown answers 202 at once, and the client retries later.
  const retried = first.status === 202 ? await pay(world, api(world), charge) : first;
  const [payment, ...others] = await paymentsOf(world, charge);
  if (payment === undefined || others.length > 0) raise(`${others.length + 1} payments`);
  if (left !== undefined && left.id !== payment.id) raise('the retry began another payment');
  const isRight = declines
    ? retried.status === 402 && retried.body.error.declineCode === world.adapter.declineCode
    : retried.status === 200 && retried.body.paymentId === payment.id;
  if (!isRight) raise(`the retry was answered with ${JSON.stringify(retried)}`);
  const callsAfter = JSON.stringify((await world.gateway.control.readFaults()).calls);
  if (left?.state === 'captured' && callsAfter !== callsBefore) raise('a paid invoice made calls to the gateway');
}

/** Kills the process while the gateway still handles the request, which takes effect afterwards. */
async function killDuring(world: World, operation: GatewayOperation): Promise<void> {
  const declines = operation === 'cancel';
  const charge = await prepareCharge(world, declines ? 'refuses' : 'pays');
  const victim = await world.startApi(PATIENT);
  await world.gateway.control.armFault({ operation, kind: 'latency', delayMs: NEVER_MS });
  const calls = async () => (await world.gateway.control.readFaults()).calls[operation];
  const before = await calls();
  const paying = pay(world, victim, charge);
  await until(async () => (await calls()) > before, `the gateway was asked to ${operation}`);
  victim.signal('SIGKILL');
  if ((await paying).status !== 0) raise('the kill came too late');
  await world.gateway.control.endDelays();
  await expectOutcome(world, charge, declines);
}

/** Kills a reconciler while it has a payment. The lease expires, and another reconciler takes the payment. */
async function killDuringCheck(world: World): Promise<void> {
  const charge = await prepareCharge(world);
  await world.gateway.control.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  const victim = await world.startApi(PATIENT);
  await pay(world, victim, charge);
  await world.gateway.control.armFault({ operation: 'find', kind: 'latency', delayMs: NEVER_MS });
  const finds = async () => (await world.gateway.control.readFaults()).calls.find;
  const before = await finds();
  for (const other of world.apis) other.signal('SIGSTOP');
  await makeDue(world, charge);
  await until(async () => (await finds()) > before, 'the reconciler looks');
  victim.signal('SIGKILL');
  await victim.ended;
  await world.gateway.control.endDelays();
  for (const other of world.apis) other.signal('SIGCONT');
  await expectOutcome(world, charge, false);
}

/** Kills all processes. A new one finishes what it finds. */
async function killAll(world: World): Promise<void> {
  const charge = await prepareCharge(world);
  const victim = await world.startApi({ failpoint: 'after_confirm' });
  await pay(world, victim, charge);
  for (const other of world.apis) other.signal('SIGKILL');
  await Promise.all([victim.ended, ...world.apis.map(({ ended }) => ended)]);
  world.apis = await Promise.all(world.apis.map(() => world.startApi()));
  await expectOutcome(world, charge, false);
}

/** Kills a process without making the payment due early. It must still be settled within a minute (I8). */
async function killWithoutHelp(world: World): Promise<void> {
  const charge = await prepareCharge(world);
  const victim = await world.startApi({ failpoint: 'after_confirm' });
  await pay(world, victim, charge);
  await victim.ended;
  await until(async () => (await paymentsOf(world, charge))[0]?.state === 'captured', 'the payment is settled');
  await expectOutcome(world, charge, false);
}

/** Every kill of an API process. */
export function killCells(): Cell[] {
  return [
    ...KILLS.map((kill) => ({ fault: kill.fault, step: kill.step, run: (world: World) => killAt(world, kill) })),
    {
      fault: CLOSING_KILL.fault,
      step: CLOSING_KILL.step,
      run: (world: World) => killAfterClosing(world, CLOSING_KILL),
    },
    { fault: DURING, step: 'ask', run: (world) => killDuring(world, 'ask') },
    { fault: DURING, step: 'G1', run: (world) => killDuring(world, 'create') },
    { fault: DURING, step: 'G2', run: (world) => killDuring(world, 'confirm') },
    { fault: DURING, step: 'G3', run: (world) => killDuring(world, 'cancel') },
    { fault: DURING, step: 'check', run: killDuringCheck },
    { fault: 'kill -9 of every API, before', step: 'T3', run: killAll },
    { fault: 'kill -9 of the API, without help', step: 'T3', run: killWithoutHelp },
  ];
}
