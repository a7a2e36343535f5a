/** Cells in which the gateway fails while a payment waits for its customer or its bank. */
import type { FaultKind, GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { Cell } from '../chaos.ts';
import { LATE_MS, SILENCES } from '../payments/gateway.ts';
import { objectsOf } from '../payments/kills.ts';
import { api, makeDue, otherApi, pay, paymentsOf, prepareCharge, raise, recover, until, type World } from '../world.ts';
import { settleDebit } from './kills.ts';
import {
  act,
  answerBank,
  becomeWaiting,
  expectCode,
  expectConfirmable,
  expectDone,
  expectPaid,
  expectState,
  prepareDebit,
  prepareWaiting,
} from './waiting.world.ts';

async function arm(world: World, operation: GatewayOperation, kind: FaultKind): Promise<void> {
  const late = kind === 'executes_late' ? { delayMs: LATE_MS } : {};
  await world.gateway.control.armFault({ operation, kind, times: 1, ...late });
}

async function expectStruck(world: World): Promise<void> {
  await until(async () => (await world.gateway.control.readFaults()).pendingEffects === 0, 'all requests arrived');
  const { faults } = await world.gateway.control.readFaults();
  if (!faults.every(({ hits }) => hits === 1)) raise(`the fault never struck: ${JSON.stringify(faults)}`);
}

/** The answer to the confirmation is lost: the bank asks, or the debit is on its way, and a check finds that. */
async function loseBegin(world: World, kind: FaultKind, of: 'confirmation' | 'debit'): Promise<void> {
  const charge = await prepareCharge(world, of === 'confirmation' ? 'asks' : 'a debit that settles');
  await arm(world, 'confirm', kind);
  const lost = await pay(world, api(world), charge);
  if (lost.status !== 202) raise(`expected 202: ${JSON.stringify(lost)}`);
  await recover(world, charge);
  await expectStruck(world);
  const objects = (await objectsOf(world, charge)).length;
  if (objects !== 1) raise(`${objects} objects`);
  if (of === 'debit') return settleDebit(world, charge);
  const waiting = await becomeWaiting(world, charge, await pay(world, otherApi(world), charge));
  if ((await paymentsOf(world, charge)).length !== 1) raise('the retry began another payment');
  await expectConfirmable(world, otherApi(world), waiting);
}

/** The gateway does not answer the look of a pay, which changes nothing. A later one finds that it was confirmed. */
async function loseLook(world: World, fail: () => Promise<void>, mend: () => Promise<void>): Promise<void> {
  const waiting = await prepareWaiting(world);
  await answerBank(world, waiting);
  await fail();
  const again = await becomeWaiting(world, waiting, await pay(world, api(world), waiting));
  if (again.paymentId !== waiting.paymentId || again.clientSecret !== waiting.clientSecret)
    raise(`something else waits: ${JSON.stringify(again)}`);
  await expectState(world, waiting, 'requires_action');
  await mend();
  await expectPaid(world, otherApi(world), waiting, waiting.paymentId);
}

const silentLook = (world: World, kind: FaultKind) =>
  loseLook(
    world,
    () => arm(world, 'find', kind),
    () => expectStruck(world),
  );

const refusedLook = (world: World) =>
  loseLook(
    world,
    async () => void (await world.gateway.stop('SIGKILL')),
    () => world.restartGateway(),
  );

/** The gateway does not answer the cancellation of a void: 503, and nothing is changed. A repeated void takes effect. */
async function silentCancel(world: World, kind: FaultKind): Promise<void> {
  const waiting = await prepareWaiting(world);
  await arm(world, 'cancel', kind);
  expectCode(await act(world, api(world), 'void', waiting), 503, 'service_unavailable');
  await expectState(world, waiting, 'requires_action');
  await expectStruck(world);
  await expectDone(world, 'void', waiting, await act(world, otherApi(world), 'void', waiting));
  if (await answerBank(world, waiting)) raise('it was confirmed after it was canceled');
}

async function refusedCancel(world: World): Promise<void> {
  const waiting = await prepareWaiting(world);
  await world.gateway.stop('SIGKILL');
  expectCode(await act(world, api(world), 'void', waiting), 503, 'service_unavailable');
  await world.restartGateway();
  await expectState(world, waiting, 'requires_action');
  await expectConfirmable(world, otherApi(world), waiting);
}

/** The gateway does not answer a look at a debit, which waits on. */
async function silentDebit(world: World, kind: FaultKind): Promise<void> {
  const charge = await prepareDebit(world);
  await arm(world, 'find', kind);
  await makeDue(world, charge);
  await until(async () => (await hitsOf(world)) === 1, 'the reconciler looked');
  await expectStruck(world);
  await expectState(world, charge, 'processing');
  await settleDebit(world, charge);
}

async function hitsOf(world: World): Promise<number> {
  const { faults } = await world.gateway.control.readFaults();
  return faults.reduce((sum, { hits }) => sum + hits, 0);
}

/** Every fault of the gateway at every step of a payment that waits. */
export function waitingGatewayCells(): Cell[] {
  const refusals: FaultKind[] = ['unauthorized', 'forbidden'];
  const at = (step: string, kinds: FaultKind[], run: (world: World, kind: FaultKind) => Promise<void>): Cell[] =>
    kinds.map((fault) => ({ fault, step, run: (world) => run(world, fault) }));
  const begun: FaultKind[] = [...SILENCES, ...refusals, 'cached_server_error'];
  return [
    ...at('confirmation G2', begun, (world, kind) => loseBegin(world, kind, 'confirmation')),
    ...at('confirmation look', [...SILENCES, ...refusals], silentLook),
    ...at('confirmation cancel', [...SILENCES, ...refusals], silentCancel),
    ...at('debit G2', begun, (world, kind) => loseBegin(world, kind, 'debit')),
    ...at('debit look', [...SILENCES, ...refusals], silentDebit),
    { fault: 'connection refused', step: 'confirmation look', run: refusedLook },
    { fault: 'connection refused', step: 'confirmation cancel', run: refusedCancel },
  ];
}
