/**
 * Cells of the refund in which the gateway fails, gives wrong answers or goes away, and in which processes race, are suspended or have a
 * wrong clock.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind, GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { Cell } from '../chaos.ts';
import { LATE_MS, SILENCES } from '../payments/gateway.ts';
import { api, raise, until, type World } from '../world.ts';
import {
  ask,
  expectRefunded,
  givenBack,
  makeRefundsDue,
  prepareWish,
  recoverRefunds,
  refundsOf,
  type Wish,
} from './refunds.world.ts';

const HOUR_MS = 3_600_000;
const CALL = 'refund G1';
const CHECK = 'refund check';
/** With some gateways, the payment is read before it is refunded. */
const ORDER = 'refund order';

function operationOf(world: World, step: string): GatewayOperation {
  if (step === CALL) return 'refund';
  const { refundCheck, refundOrder = refundCheck } = world.adapter;
  return step === ORDER ? refundOrder : refundCheck;
}

/**
 * For a fault during the reconciler's check, the answer to the refund is lost first, so that there is something to check. The refund is
 * requested before the fault is armed, because with some gateways it uses the same call as the reconciler.
 */
async function prepareFor(world: World, step: string, by = api(world)): Promise<Wish> {
  const wish = await prepareWish(world);
  if (step === CHECK) {
    await world.gateway.control.armFault({ operation: 'refund', kind: 'answer_lost_after_effect' });
    await askInVain(world, wish, by);
  }
  return wish;
}

async function askInVain(world: World, wish: Wish, by = api(world)): Promise<void> {
  const answer = await ask(world, by, wish);
  if (answer.status !== 202 || answer.retryAfter === null) raise(`expected 202: ${JSON.stringify(answer)}`);
}

async function silence(world: World, kind: FaultKind, step: string): Promise<void> {
  const wish = await prepareFor(world, step);
  const late = kind === 'executes_late' ? { delayMs: LATE_MS } : {};
  await world.gateway.control.armFault({ operation: operationOf(world, step), kind, times: 1, ...late });
  if (step !== CHECK) await askInVain(world, wish);
  await expectRefunded(world, wish);
  const { faults } = await world.gateway.control.readFaults();
  if (!faults.every(({ hits }) => hits === 1)) raise(`the fault never struck: ${JSON.stringify(faults)}`);
}

/** Kills the gateway while it handles the request, after the effect. */
async function gatewayKilled(world: World, step: string): Promise<void> {
  const wish = await prepareFor(world, step);
  const operation = operationOf(world, step);
  const calls = async () => (await world.gateway.control.readFaults()).calls[operation];
  const before = await calls();
  await world.gateway.control.armFault({ operation, kind: 'hang_after_effect' });
  const asking = step === CHECK ? makeRefundsDue(world, wish) : askInVain(world, wish);
  await until(async () => (await calls()) > before, `the gateway was asked to ${operation}`);
  await world.restartGateway();
  await asking;
  await expectRefunded(world, wish);
}

/** Ends the gateway's process before the step, so that connections are refused. */
async function connectionRefused(world: World, step: string): Promise<void> {
  const wish = await prepareFor(world, step);
  await world.gateway.stop('SIGKILL');
  if (step !== CHECK) await askInVain(world, wish);
  else {
    await makeRefundsDue(world, wish);
    await until(async () => (await checksOf(world, wish)) > 0, 'the reconciler looked');
  }
  await world.restartGateway();
  await expectRefunded(world, wish);
}

async function checksOf({ owner }: World, { paymentId }: Wish): Promise<number> {
  const [row] = await owner<{ checks: number }[]>`
    SELECT reconcile_count AS checks FROM refunds WHERE payment_id = ${paymentId}`;
  return row?.checks ?? 0;
}

/**
 * Lets the gateway forget its idempotency keys while the outcome of a refund is unknown, as real ones do after hours.
 */
async function keysForgotten(world: World): Promise<void> {
  const wish = await prepareFor(world, CHECK);
  await world.gateway.control.forgetIdempotencyKeys();
  await expectRefunded(world, wish);
}

/** Requests 50 refunds of 1.00 USD at once for a payment of 48.00 USD. Not more than the payment must succeed. */
async function rush(world: World): Promise<void> {
  const wish = await prepareWish(world);
  const wishes = Array.from({ length: 50 }, () => ({ ...wish, key: randomUUID(), amount: '1.00' }));
  const answers = await Promise.all(wishes.map((one, index) => ask(world, api(world, index % 2), one)));
  await recoverRefunds(world, wish);
  const codes = answers.map(({ status, body }) => (status === 201 ? '201' : `${status} ${body.error?.code}`));
  // A request that waits too long for the invoice gets a 503.
  const isExpected = (code: string) => ['201', '409 refund_exceeds_payment', '503 service_unavailable'].includes(code);
  if (!codes.every(isExpected)) raise(`answered with ${codes.join(', ')}`);
  const succeeded = (await refundsOf(world, wish)).filter(({ state }) => state === 'succeeded').length;
  const wasBusy = codes.includes('503 service_unavailable');
  if (succeeded > 48 || (succeeded < 48 && !wasBusy)) raise(`${succeeded} refunds of 1.00 of a payment of 48.00`);
  // The card paid 28.00, the credit 20.00.
  const given = (await givenBack(world, wish)).reduce((sum, amount) => sum + amount, 0n);
  if (given !== BigInt(Math.min(succeeded, 28)) * 100n) raise(`the gateway refunded ${given}`);
}

/** Sends the same refund request 50 times at once. Expects one refund. */
async function duplicates(world: World): Promise<void> {
  const wish = await prepareWish(world);
  await world.gateway.control.armFault({ operation: 'refund', kind: 'latency', delayMs: 300 });
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(world, api(world, index % 2), wish)));
  const [refund, ...others] = await refundsOf(world, wish);
  if (others.length > 0) raise(`${others.length + 1} refunds`);
  for (const { status, body } of answers) {
    const isResult = status === 201 && body.id === refund?.id;
    if (!isResult && body.error?.code !== 'idempotency_key_in_use') raise(`answered with ${JSON.stringify(body)}`);
  }
  await expectRefunded(world, wish);
}

/**
 * Suspends a process at a step while the other one finishes its refund. After it resumes, it must find the refund
 * finished.
 */
async function sleeps(world: World, step: string): Promise<void> {
  const sleeper = await world.startApi();
  const wish = await prepareFor(world, step, sleeper);
  const operation = operationOf(world, step);
  await world.gateway.control.armFault({ operation, kind: 'latency', delayMs: 700 });
  const calls = async () => (await world.gateway.control.readFaults()).calls[operation];
  const before = await calls();
  if (step === CHECK) {
    for (const other of world.apis) other.signal('SIGSTOP');
    await makeRefundsDue(world, wish);
  }
  const asking = step === CHECK ? null : ask(world, sleeper, wish);
  await until(async () => (await calls()) > before, `the gateway was asked to ${operation}`);
  sleeper.signal('SIGSTOP');
  for (const other of world.apis) other.signal('SIGCONT');
  await recoverRefunds(world, wish);
  const after = await rowOf(world, wish);
  sleeper.signal('SIGCONT');
  const answer = await asking;
  await until(async () => (await sleeper.send('GET', '/readyz')).status === 200, 'the sleeper is awake');
  await sleep(300);
  await sleeper.stop();
  if (answer !== null && answer.status !== 201) raise(`the sleeper answered with ${JSON.stringify(answer)}`);
  // Before the intent is written there is no row, and the resumed process continues.
  if (after !== '' && (await rowOf(world, wish)) !== after) raise('the sleeper changed a row that was final');
  await expectRefunded(world, wish);
}

/** Reads the row, with the transaction that wrote it. */
async function rowOf({ owner }: World, { paymentId }: Wish): Promise<string> {
  const rows = await owner<{ text: string }[]>`
    SELECT xmin::text || refunds::text AS text FROM refunds WHERE payment_id = ${paymentId}`;
  return rows.map(({ text }) => text).join();
}

/**
 * Moves the database's clock while a refund waits, so that the refund's times are in the past or the future. It must
 * still be found at once.
 */
async function databaseClock(world: World, jumpMs: number): Promise<void> {
  const wish = await prepareFor(world, CHECK);
  await world.owner`
    UPDATE refunds SET created_at = created_at - ${jumpMs} * interval '1 millisecond',
                       updated_at = updated_at - ${jumpMs} * interval '1 millisecond',
                       reconcile_at = reconcile_at - ${jumpMs} * interval '1 millisecond'
    WHERE payment_id = ${wish.paymentId}`;
  await until(
    async () => (await refundsOf(world, wish))[0]?.state === 'succeeded',
    'the refund is settled, without help',
  );
  await expectRefunded(world, wish);
}

const FAULTS: FaultKind[] = [...SILENCES, 'unauthorized', 'forbidden'];

function at(steps: string[], fault: string, run: (world: World, step: string) => Promise<void>): Cell[] {
  return steps.map((step) => ({ fault, step, run: (world) => run(world, step) }));
}

/** Every fault of the gateway at both calls of a refund, and every race, suspension and wrong clock. */
export function refundCells(): Cell[] {
  const both = [CALL, CHECK];
  return [
    ...FAULTS.flatMap((kind) => at(both, kind, (world, step) => silence(world, kind, step))),
    ...at([CALL], 'cached_server_error', (world, step) => silence(world, 'cached_server_error', step)),
    ...at(both, 'kill -9 of the gateway, during', gatewayKilled),
    ...at(both, 'connection refused', connectionRefused),
    ...at([CALL], 'keys forgotten', keysForgotten),
    ...at(['refund T1'], '50 refunds at once on two processes', rush),
    ...at([CALL], '50 times one refund on two processes', duplicates),
    ...at(both, 'SIGSTOP of the API, during', sleeps),
    ...[-24, -1, 1, 24].flatMap((hours) =>
      at([CHECK], `database's clock ${hours > 0 ? '+' : ''}${hours} h`, (world) =>
        databaseClock(world, hours * HOUR_MS),
      ),
    ),
  ];
}

/**
 * The faults while the payment is read, a call that refunds nothing. A refused connection is not among them: it would already fail at the
 * refund's own cell.
 */
export function refundOrderCells(): Cell[] {
  return [
    ...FAULTS.flatMap((kind) => at([ORDER], kind, (world, step) => silence(world, kind, step))),
    ...at([ORDER], 'kill -9 of the gateway, during', gatewayKilled),
    ...at([ORDER], 'SIGSTOP of the API, during', sleeps),
  ];
}
