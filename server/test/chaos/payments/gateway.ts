/** Cells of the fault matrix in which the gateway fails, gives wrong answers or goes away. */
import type { FaultKind, GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import { NEVER_MS, outcomeIsAwaited } from '../../payments/delays.ts';
import type { Cell } from '../chaos.ts';
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

/** Longer than the API processes wait for the gateway. */
export const LATE_MS = 2_500;

const OPERATIONS: Record<string, GatewayOperation> = {
  ...{ ask: 'ask', G1: 'create', G2: 'confirm', G3: 'cancel', check: 'find' },
};

/** Answers that are lost, late or invalid. At every step the outcome has to be found out. */
export const SILENCES: FaultKind[] = [
  'answer_lost_before_effect',
  'answer_lost_after_effect',
  'hang_before_effect',
  'hang_after_effect',
  'executes_late',
  'server_error_before_effect',
  'server_error_after_effect',
  'rate_limited',
  'outage',
  'unparsable_answer',
  'wrong_shape_answer',
  'huge_answer',
  'redirect_answer',
];

/**
 * For a fault during the reconciler's check, the answer to the confirmation is lost first, so that there is something
 * to check.
 */
async function prepareFor(world: World, step: string): Promise<Charge> {
  const charge = await prepareCharge(world, step === 'G3' ? 'refuses' : 'pays');
  if (step === 'check')
    await world.gateway.control.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  return charge;
}

/**
 * Expects that the outcome is found: there is one payment, and a retry, through the other process if there is one, gets its result without
 * a new charge.
 */
async function expectFound(world: World, charge: Charge, step: string): Promise<void> {
  await recover(world, charge);
  await until(async () => (await world.gateway.control.readFaults()).pendingEffects === 0, 'all requests arrived');
  const [payment, ...others] = await paymentsOf(world, charge);
  if (payment === undefined || others.length > 0) raise(`${others.length + 1} payments`);
  if (step === 'G3') {
    if (payment.state !== 'failed' || payment.declineCode !== world.adapter.declineCode)
      raise(`the declined payment is ${JSON.stringify(payment)}`);
    return;
  }
  const retried = await pay(world, otherApi(world), charge);
  if (retried.status !== 200 || retried.body.paymentId !== payment.id)
    raise(`the retry was answered with ${JSON.stringify(retried)}`);
}

async function silence(world: World, kind: FaultKind, step: string): Promise<void> {
  const charge = await prepareFor(world, step);
  const operation = OPERATIONS[step] ?? raise(step);
  const late = kind === 'executes_late' ? { delayMs: LATE_MS } : {};
  await world.gateway.control.armFault({ operation, kind, times: 1, ...late });
  const answer = await pay(world, api(world), charge);
  if (answer.status !== 202) raise(`expected 202: ${JSON.stringify(answer)}`);
  await expectFound(world, charge, step);
  const { faults } = await world.gateway.control.readFaults();
  if (!faults.every(({ hits }) => hits === 1)) raise(`the fault never struck: ${JSON.stringify(faults)}`);
}

/** The gateway keeps its error under the request's key. */
async function keptError(world: World, step: string): Promise<void> {
  await silence(world, 'cached_server_error', step);
  // There a second order is created at once, with another key: too many states of the model fit.
  if (step === 'G1' && world.adapter.name === 'paypal') world.steps.leaveOut();
}

/** Kills the gateway while it handles the request, after the effect. */
async function gatewayKilled(world: World, step: string): Promise<void> {
  const charge = await prepareFor(world, step);
  const operation = OPERATIONS[step] ?? raise(step);
  const calls = async () => (await world.gateway.control.readFaults()).calls[operation];
  const before = await calls();
  await world.gateway.control.armFault({ operation, kind: 'hang_after_effect' });
  const paying = pay(world, api(world), charge);
  if (step === 'check') {
    await paying;
    await makeDue(world, charge);
  }
  await until(async () => (await calls()) > before, `the gateway was asked to ${operation}`);
  await world.restartGateway();
  const { status } = await paying;
  if (status !== 202) raise(`expected 202, got ${status}`);
  await expectFound(world, charge, step);
}

/** Ends the gateway's process before the step, so that connections are refused. */
async function connectionRefused(world: World, step: string): Promise<void> {
  const charge = await prepareFor(world, step);
  if (step === 'G1') {
    await world.gateway.stop('SIGKILL');
    const refused = await pay(world, api(world), charge);
    await world.restartGateway();
    if (refused.status !== 503 || refused.retryAfter === null) raise(`expected 503: ${JSON.stringify(refused)}`);
    const [left] = await paymentsOf(world, charge);
    if (left?.state !== 'failed') raise(`the payment is ${JSON.stringify(left)}`);
    const paid = await pay(world, otherApi(world), charge);
    if (paid.status !== 200) raise(`a later pay was answered with ${JSON.stringify(paid)}`);
    return;
  }
  if (step === 'check') {
    await pay(world, api(world), charge);
    await world.gateway.stop('SIGKILL');
    await makeDue(world, charge);
    await until(async () => (await checksOf(world, charge)) > 0, 'the reconciler looked');
    await world.restartGateway();
    return expectFound(world, charge, step);
  }
  // The previous step updates the payment. While the payment's row is locked, the gateway is stopped.
  const operation = step === 'G2' ? 'create' : 'confirm';
  await world.gateway.control.armFault({ operation, kind: 'latency', delayMs: NEVER_MS });
  const calls = async () => (await world.gateway.control.readFaults()).calls[operation];
  const before = await calls();
  const paying = pay(world, api(world), charge);
  await until(async () => (await calls()) > before, `the gateway was asked to ${operation}`);
  await world.second.begin(async (tx) => {
    await tx`SELECT 1 FROM payments WHERE invoice_id = ${charge.invoiceId} FOR UPDATE`;
    await world.gateway.control.endDelays();
    await until(() => isLockAwaited(world), 'the row is waited for');
    await world.gateway.stop('SIGKILL');
  });
  const { status } = await paying;
  await world.restartGateway();
  if (status !== 202) raise(`expected 202, got ${status}`);
  await expectFound(world, charge, step);
}

async function checksOf({ owner }: World, { invoiceId }: Charge): Promise<number> {
  const [row] = await owner<{ checks: number }[]>`
    SELECT reconcile_count AS checks FROM payments WHERE invoice_id = ${invoiceId}`;
  return row?.checks ?? 0;
}

/** Whether a connection of this database waits for a lock. */
export async function isLockAwaited({ owner }: World): Promise<boolean> {
  const rows = await owner`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length > 0;
}

/**
 * Lets the gateway forget its idempotency keys while the outcome of a payment is unknown, as real ones do after hours.
 */
async function keysForgotten(world: World, step: string): Promise<void> {
  const charge = await prepareCharge(world);
  const operation = OPERATIONS[step] ?? raise(step);
  await world.gateway.control.armFault({ operation, kind: 'answer_lost_after_effect' });
  await pay(world, api(world), charge);
  await world.gateway.control.forgetIdempotencyKeys();
  await expectFound(world, charge, step);
}

/**
 * Captures another amount or currency than was requested. The payment must go to review, and the invoice must not be
 * paid.
 */
async function captureDiffers(
  world: World,
  kind: 'captures_another_amount' | 'captures_another_currency',
): Promise<void> {
  const charge = await prepareCharge(world);
  await world.gateway.control.armFault({ operation: 'confirm', kind });
  const answers = [await pay(world, api(world), charge), await pay(world, otherApi(world), charge)];
  const codes = answers.map(({ status, body }) => `${status} ${body.error?.code}`);
  if (codes.some((code) => code !== '409 payment_under_review')) raise(`answered with ${codes.join(', ')}`);
}

/** Declines a charge whose cancellation is slow. The decline must not be reported before the payment is canceled. */
async function declined(world: World): Promise<void> {
  const charge = await prepareCharge(world);
  const { declineCode } = world.adapter;
  await world.gateway.control.armFault({ operation: 'confirm', kind: 'declined', declineCode });
  const cancels = async () => (await world.gateway.control.readFaults()).calls.cancel;
  const before = await cancels();
  await world.gateway.control.armFault({ operation: 'cancel', kind: 'latency', delayMs: NEVER_MS });
  const first = pay(world, api(world), charge);
  await until(async () => (await cancels()) > before, 'the gateway was asked to cancel');
  const second = pay(world, otherApi(world), charge);
  await outcomeIsAwaited({ database: world });
  await world.gateway.control.endDelays();
  for (const answer of await Promise.all([first, second]))
    if (answer.body.error?.declineCode !== declineCode) raise(`answered with ${JSON.stringify(answer)}`);
  const paid = await pay(world, api(world), charge);
  if (paid.status !== 200) raise(`a later pay was answered with ${JSON.stringify(paid)}`);
}

/** Every fault of the gateway, at every step where it can occur. */
export function gatewayCells(): Cell[] {
  const at = (steps: string[], fault: string, run: (world: World, step: string) => Promise<void>): Cell[] =>
    steps.map((step) => ({ fault, step, run: (world) => run(world, step) }));
  const all = Object.keys(OPERATIONS);
  return [
    ...SILENCES.flatMap((kind) => at(all, kind, (world, step) => silence(world, kind, step))),
    ...(['unauthorized', 'forbidden'] as const).flatMap((kind) =>
      at(['G2', 'G3', 'check'], kind, (world, step) => silence(world, kind, step)),
    ),
    ...at(['G1', 'G2'], 'cached_server_error', keptError),
    ...at(all, 'kill -9 of the gateway, during', gatewayKilled),
    ...at(['G1', 'G2', 'G3', 'check'], 'connection refused', connectionRefused),
    ...at(['G1', 'G2'], 'keys forgotten', keysForgotten),
    ...at(['G2'], 'declined', declined),
    ...at(['G2'], 'captures_another_amount', (world) => captureDiffers(world, 'captures_another_amount')),
    ...at(['G2'], 'captures_another_currency', (world) => captureDiffers(world, 'captures_another_currency')),
  ];
}
