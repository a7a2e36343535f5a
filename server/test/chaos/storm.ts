/** A random schedule: several charges at once, while the processes around them are killed, suspended or made to fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind, GatewayOperation } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { pick, type Random } from './chaos.ts';
import { SILENCES } from './payments/gateway.ts';
import type { ApiProcess } from './processes.ts';
import { ask, recoverRefunds } from './refunds/refunds.world.ts';
import {
  actAsCustomer,
  CUSTOMER_ACTS,
  type CustomerAct,
  endWaiting,
  isWaitingEnd,
  prepareWaitingCharges,
} from './waiting/customers.ts';
import {
  type Charge,
  makeDue,
  pay,
  paymentsOf,
  prepareCharge,
  prepareInvoice,
  raise,
  recover,
  until,
  type World,
} from './world.ts';

const STEPS = 40;
const MAX_DELAY_MS = 120;
const LATE_MS = 2_000;
/** Each restart of an API process takes seconds, so a storm has few of them. */
const MOST_KILLS = 2;
const DIFFERENT_REFUNDS = 3;
const NOBODY = '00000000-0000-0000-0000-000000000000';

type Action =
  | CustomerAct
  | 'pay'
  | 'refund'
  | 'fault'
  | 'look'
  | 'kill the gateway'
  | 'kill an API'
  | 'sleep'
  | 'wake'
  | 'forget keys';
/** How often each action happens, relative to the others. */
const WEIGHTS: Record<Action, number> = {
  pay: 14,
  refund: 6,
  fault: 10,
  look: 6,
  'kill the gateway': 1,
  'kill an API': 1,
  sleep: 1,
  wake: 2,
  'forget keys': 1,
  'answer the bank': 6,
  'end the debits': 2,
  'let expire': 1,
  'another card': 1,
  void: 1,
};
const ACTIONS = Object.entries(WEIGHTS).flatMap(([action, weight]) => Array<Action>(weight).fill(action as Action));
const isOfCustomer = (action: Action): action is CustomerAct => CUSTOMER_ACTS.some((name) => name === action);

const OPERATIONS: (GatewayOperation | 'any')[] = ['create', 'confirm', 'cancel', 'find', 'refund', 'list', 'any'];
const KINDS: FaultKind[] = [...SILENCES, 'cached_server_error', 'declined', 'latency'];

/** Runs one storm, then ends all faults and takes every charge to its end. Reports each action to `act`. */
export async function storm(world: World, random: Random, act: (what: string) => void): Promise<void> {
  const charges = await prepareCharges(world);
  const answering: Promise<unknown>[] = [];
  const state = { kills: 0, secrets: new Set<string>() };
  const waits = world.adapter.answerBank !== undefined;
  const actions = ACTIONS.filter((action) => waits || !isOfCustomer(action));
  for (let step = 0; step < STEPS; step += 1) {
    const action = pick(random, actions);
    act(action);
    await perform(world, random, { action, charges, answering, state });
    await sleep(random() * MAX_DELAY_MS);
  }
  for (const { signal } of world.apis) signal('SIGCONT');
  await revive(world);
  await world.gateway.control.clearFaults();
  await Promise.all(answering);
  await until(async () => (await world.gateway.control.readFaults()).pendingEffects === 0, 'all requests arrived');
  // The gateway keeps an injected fault as the answer to its idempotency key for hours. This call skips those hours.
  await world.gateway.control.forgetIdempotencyKeys();
  for (const charge of charges) await recover(world, charge);
  for (const charge of charges) await endWaiting(world, random, charge);
  for (const charge of charges) await recoverRefunds(world, { paymentId: await findCaptured(world, charge) });
  for (const charge of charges) await expectEnd(world, random, charge);
}

/** Creates a company whose card and PayPal account pay, one whose card and account are declined, and those whose payments wait. */
async function prepareCharges(world: World): Promise<Charge[]> {
  const paying = await prepareCharge(world);
  const refused = await prepareCharge(world, 'refuses');
  const others = [await prepareInvoice(world, paying), await prepareInvoice(world, paying)];
  return [paying, ...others, refused, ...(await prepareWaitingCharges(world))];
}

type Scene = {
  action: Action;
  charges: Charge[];
  answering: Promise<unknown>[];
  state: { kills: number; secrets: Set<string> };
};

async function perform(world: World, random: Random, { action, charges, answering, state }: Scene): Promise<void> {
  const charge = pick(random, charges);
  const index = Math.floor(random() * world.apis.length);
  const chosen = world.apis[index] ?? raise('There is no API process.');
  const { control } = world.gateway;
  if (isOfCustomer(action)) {
    answering.push(actAsCustomer(world, random, action, { charge, secrets: state.secrets }));
    return;
  }
  switch (action) {
    case 'pay':
      answering.push(pay(world, chosen, charge));
      return;
    case 'refund':
      answering.push(
        refund(world, chosen, { charge, key: `${charge.invoiceId} ${Math.floor(random() * DIFFERENT_REFUNDS)}` }),
      );
      return;
    case 'fault':
      return control.armFault(drawFault(random));
    case 'look':
      return makeDue(world, charge);
    case 'forget keys':
      return control.forgetIdempotencyKeys();
    case 'kill the gateway':
      return world.restartGateway();
    case 'sleep':
      chosen.signal('SIGSTOP');
      return;
    case 'wake':
      for (const { signal } of world.apis) signal('SIGCONT');
      return;
    case 'kill an API':
      if (state.kills >= MOST_KILLS) return;
      state.kills += 1;
      chosen.signal('SIGKILL');
      await chosen.ended;
      world.apis[index] = await world.startApi();
  }
}

/** Refunds one dollar of the charge if it is paid, with one of a few keys. */
async function refund(world: World, by: ApiProcess, { charge, key }: { charge: Charge; key: string }): Promise<void> {
  const paymentId = await findCaptured(world, charge);
  if (paymentId !== NOBODY) await ask(world, by, { ...charge, paymentId, key, amount: '1.00', cardMinor: 100n });
}

/** Returns the charge's captured payment, or an id that does not exist. */
async function findCaptured(world: World, charge: Charge): Promise<string> {
  return (await paymentsOf(world, charge)).find(({ state }) => state === 'captured')?.id ?? NOBODY;
}

function drawFault(random: Random) {
  const kind = pick(random, KINDS);
  const wanted = pick(random, OPERATIONS);
  const isOfConfirmation = kind === 'declined' || kind === 'cached_server_error';
  const delayMs = Math.round(random() * LATE_MS);
  return {
    kind,
    operation: isOfConfirmation ? 'confirm' : wanted,
    times: 1 + Math.floor(random() * 3),
    ...(kind === 'latency' || kind === 'executes_late' ? { delayMs } : {}),
  } as const;
}

async function revive(world: World): Promise<void> {
  world.apis = await Promise.all(world.apis.map((process) => (process.isAlive() ? process : world.startApi())));
}

/**
 * Expects the end state: a paid invoice is reported as paid, and an unpaid one can be paid, is declined by its bank, is void, or waits
 * again.
 */
async function expectEnd(world: World, random: Random, charge: Charge): Promise<void> {
  const answer = await pay(world, world.apis[0] ?? raise('There is no API process.'), charge);
  await endWaiting(world, random, charge);
  const isEnd = answer.status === 200 || (answer.status === 402 && answer.body.error.code === 'card_declined');
  if (!isEnd && !isWaitingEnd(answer)) raise(`after the storm a pay was answered with ${JSON.stringify(answer)}`);
}
