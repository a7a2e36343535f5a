/** Cells of the fault matrix in which processes race, are suspended, or have a wrong clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { Cell } from '../chaos.ts';
import type { SourceAnswer } from '../gateways/stand-ins.ts';
import type { ApiProcess } from '../processes.ts';
import {
  api,
  type Charge,
  makeDue,
  otherApi,
  pay,
  paymentsOf,
  prepareCharge,
  raise,
  recover,
  until,
  type World,
} from '../world.ts';

const HOUR_MS = 3_600_000;

/**
 * Sends 50 pay requests for one invoice, half of them through each process. Expects one payment, whose result all
 * requests get.
 */
async function duplicates(world: World, source: SourceAnswer, expected: 200 | 402): Promise<void> {
  const charge = await prepareCharge(world, source);
  await world.gateway.control.armFault({ operation: 'confirm', kind: 'latency', delayMs: 300 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => pay(world, api(world, index % 2), charge)),
  );
  const payments = await paymentsOf(world, charge);
  if (expected === 200 && payments.length !== 1) raise(`${payments.length} payments`);
  const ids = new Set(payments.map(({ id }) => id));
  for (const { status, body } of answers) {
    const isResult = status === expected && (status === 402 || ids.has(body.paymentId));
    if (!isResult && status !== 409) raise(`answered with ${status} ${JSON.stringify(body)}`);
  }
  if (!answers.some(({ status }) => status === expected)) raise('nobody got the result');
}

/**
 * Suspends a request at a step while the other process finishes its payment. After it resumes, it must find the payment
 * finished.
 */
async function requestSleeps(world: World, operation: GatewayOperation): Promise<void> {
  const charge = await prepareCharge(world);
  const sleeper = otherApi(world);
  await world.gateway.control.armFault({ operation, kind: 'latency', delayMs: 700 });
  const calls = async () => (await world.gateway.control.readFaults()).calls[operation];
  const before = await calls();
  const paying = pay(world, sleeper, charge);
  await until(async () => (await calls()) > before, `the gateway was asked to ${operation}`);
  const after = await recoverWithout(world, sleeper, charge);
  const answer = await paying;
  if (answer.status !== 200) raise(`the sleeper answered with ${JSON.stringify(answer)}`);
  if ((await rowOf(world, charge)) !== after) raise('the sleeper changed a row that was final');
}

/**
 * Suspends a reconciler that has a payment until another one has taken over its lease. Its update must then change no
 * rows.
 */
async function reconcilerSleeps(world: World): Promise<void> {
  const charge = await prepareCharge(world);
  await world.gateway.control.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  const sleeper = otherApi(world);
  await pay(world, sleeper, charge);
  await world.gateway.control.armFault({ operation: 'find', kind: 'latency', delayMs: 700 });
  const finds = async () => (await world.gateway.control.readFaults()).calls.find;
  const before = await finds();
  const others = world.apis.filter((other) => other !== sleeper);
  for (const other of others) other.signal('SIGSTOP');
  await makeDue(world, charge);
  await until(async () => (await finds()) > before, 'the reconciler looks').finally(() => {
    for (const other of others) other.signal('SIGCONT');
  });
  const after = await recoverWithout(world, sleeper, charge);
  await until(async () => (await sleeper.send('GET', '/readyz')).status === 200, 'the sleeper is awake');
  await sleep(300);
  if ((await rowOf(world, charge)) !== after) raise('the sleeper changed a row that was final');
}

/** Lets the other processes finish the charge while this one is suspended. @returns the row that they leave */
async function recoverWithout(world: World, sleeper: ApiProcess, charge: Charge): Promise<string> {
  sleeper.signal('SIGSTOP');
  try {
    await recover(world, charge);
    return await rowOf(world, charge);
  } finally {
    sleeper.signal('SIGCONT');
  }
}

/** Reads the row, with the transaction that wrote it. */
async function rowOf({ owner }: World, { invoiceId }: Charge): Promise<string> {
  const rows = await owner<{ text: string }[]>`
    SELECT xmin::text || payments::text AS text FROM payments WHERE invoice_id = ${invoiceId}`;
  return rows.map(({ text }) => text).join();
}

/**
 * Charges and reconciles in a process with a wrong clock. It must not matter: times come from the database, and
 * deadlines use the monotonic clock.
 */
async function apiClock(world: World, clockOffsetMs: number): Promise<void> {
  const charge = await prepareCharge(world);
  const wrong = await world.startApi({ clockOffsetMs });
  await world.gateway.control.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  const lost = await pay(world, wrong, charge);
  if (lost.status !== 202) raise(`expected 202: ${JSON.stringify(lost)}`);
  const [payment] = await paymentsOf(world, charge);
  for (const other of world.apis) other.signal('SIGSTOP');
  await recover(world, charge).finally(() => {
    for (const other of world.apis) other.signal('SIGCONT');
  });
  const paid = await pay(world, wrong, charge);
  await wrong.stop();
  if (paid.body.paymentId !== payment?.id) raise(`the retry was answered with ${JSON.stringify(paid)}`);
}

/**
 * Moves the database's clock while a payment waits, so that the payment's times are in the past or the future. It must still be found at
 * once.
 */
async function databaseClock(world: World, jumpMs: number): Promise<void> {
  const charge = await prepareCharge(world);
  await world.gateway.control.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  await pay(world, api(world), charge);
  await world.owner`
    UPDATE payments SET created_at = created_at - ${jumpMs} * interval '1 millisecond',
                        updated_at = updated_at - ${jumpMs} * interval '1 millisecond',
                        reconcile_at = reconcile_at - ${jumpMs} * interval '1 millisecond'
    WHERE invoice_id = ${charge.invoiceId}`;
  const state = async () => (await paymentsOf(world, charge))[0]?.state;
  await until(async () => (await state()) === 'captured', 'the payment is captured, without help');
}

/** Every race, suspension and wrong clock. */
export function raceCells(): Cell[] {
  const clocks = [-24, -1, 1, 24].map((hours) => ({ hours, name: `${hours > 0 ? '+' : ''}${hours} h` }));
  return [
    { fault: '50 duplicate pays on two processes', step: 'T3', run: (world) => duplicates(world, 'pays', 200) },
    { fault: '50 duplicate pays on two processes', step: 'G3', run: (world) => duplicates(world, 'refuses', 402) },
    { fault: 'SIGSTOP of the API, during', step: 'G1', run: (world) => requestSleeps(world, 'create') },
    { fault: 'SIGSTOP of the API, during', step: 'G2', run: (world) => requestSleeps(world, 'confirm') },
    { fault: 'SIGSTOP of the API, during', step: 'check', run: reconcilerSleeps },
    ...clocks.flatMap(({ hours, name }) => [
      { fault: `API's clock ${name}`, step: 'G2', run: (world: World) => apiClock(world, hours * HOUR_MS) },
      {
        fault: `database's clock ${name}`,
        step: 'check',
        run: (world: World) => databaseClock(world, hours * HOUR_MS),
      },
    ]),
  ];
}
