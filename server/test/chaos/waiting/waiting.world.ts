/** What the cells of payments that wait for their customer or their bank share. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import { NEVER_MS } from '../../payments/delays.ts';
import type { SourceAnswer } from '../gateways/stand-ins.ts';
import { objectsOf } from '../payments/kills.ts';
import type { ApiProcess, Seen } from '../processes.ts';
import {
  addSource,
  api,
  type Charge,
  makeDue,
  pay,
  paymentsOf,
  prepareCharge,
  RECOVERY_MS,
  raise,
  type World,
} from '../world.ts';

const POLL_MS = 50;
const PULL_MS = 2_000;
const ENDED = new Set(['captured', 'failed', 'needs_review']);

/** A charge whose payment waits for its customer, with what answers the bank. */
export type Waiting = Charge & { paymentId: string; clientSecret: string };

/** Creates a charge that the bank wants confirmed. Nobody looks at it until a test makes it due. */
export async function prepareWaiting(world: World, answer: SourceAnswer = 'asks'): Promise<Waiting> {
  const charge = await prepareCharge(world, answer);
  return becomeWaiting(world, charge, await pay(world, api(world), charge));
}

/** Reads what answers the bank from the answer to a pay. */
export async function becomeWaiting(world: World, charge: Charge, answer: Seen): Promise<Waiting> {
  expectCode(answer, 402, 'authentication_required');
  await postpone(world, charge);
  const { paymentId, nextAction } = answer.body.error;
  return { ...charge, paymentId, clientSecret: nextAction.clientSecret };
}

/** Creates a direct debit that is on its way. Nobody looks at it until a test makes it due. */
export async function prepareDebit(world: World, answer: SourceAnswer = 'a debit that settles'): Promise<Charge> {
  const charge = await prepareCharge(world, answer);
  const begun = await pay(world, api(world), charge);
  if (begun.status !== 202) raise(`expected 202: ${JSON.stringify(begun)}`);
  await expectState(world, charge, 'processing');
  await postpone(world, charge);
  return charge;
}

/** Puts off the looks of the reconcilers. */
async function postpone({ owner }: World, { invoiceId }: Charge): Promise<void> {
  await owner`
    UPDATE payments SET reconcile_at = now() + interval '1 hour'
    WHERE invoice_id = ${invoiceId} AND state IN ('requires_action', 'processing')`;
}

/** Lets the time of the charge's payment pass. */
export async function letExpire({ owner }: World, { invoiceId }: Charge): Promise<void> {
  await owner`
    UPDATE payments SET expires_at = now() - interval '1 second'
    WHERE invoice_id = ${invoiceId} AND state = 'requires_action'`;
}

/** Answers the bank in place of the customer. @returns false if nothing waits for it, or not any more */
export async function answerBank(
  { adapter, gateway }: World,
  { clientSecret }: Pick<Waiting, 'clientSecret'>,
  outcome: 'succeed' | 'fail' = 'succeed',
): Promise<boolean> {
  return (await adapter.answerBank?.(gateway, clientSecret, outcome)) ?? false;
}

/** What goes on without a payment that waits, with the operator's or the company's request for it. */
export const ACTS = {
  void: { prepare: async () => undefined, status: 200 },
  'credit note': { prepare: async () => undefined, status: 201 },
  'pay with another card': {
    prepare: (world: World, { token }: Charge) => addSource(world, token, 'pays'),
    status: 200,
  },
  'deletion of its card': { prepare: async () => undefined, status: 204 },
} as const;
export type Act = keyof typeof ACTS;

/** Requests the act through a process. */
export async function act(world: World, by: ApiProcess, name: Act, charge: Charge): Promise<Seen> {
  const { token, invoiceId } = charge;
  const operator = { token: world.operatorKey };
  switch (name) {
    case 'void':
      return by.send('POST', `/operator/invoices/${invoiceId}/void`, operator);
    case 'credit note': {
      const body = { amount: '1.00', reason: 'Outage' };
      const headers = { 'idempotency-key': `${invoiceId} credit note` };
      // Whoever was killed still holds the key.
      await world.owner`UPDATE idempotency_keys SET locked_until = now() WHERE key = ${headers['idempotency-key']} AND status IS NULL`;
      return by.send('POST', `/operator/invoices/${invoiceId}/credit-notes`, { ...operator, body, headers });
    }
    case 'deletion of its card': {
      const [card] = await world.owner<{ id: string }[]>`
        SELECT card_id AS id FROM payments WHERE invoice_id = ${invoiceId} ORDER BY created_at LIMIT 1`;
      return by.send('DELETE', `/payments/cards/${card?.id}`, { token });
    }
    default:
      return pay(world, by, charge);
  }
}

/** Expects that the act has taken effect, and that the payment which waited is canceled. */
export async function expectDone(world: World, name: Act, charge: Charge, answer: Seen): Promise<void> {
  if (answer.status !== ACTS[name].status) raise(`the ${name} was answered with ${JSON.stringify(answer)}`);
  const [first, ...others] = await paymentsOf(world, charge);
  const states = others.map(({ state }) => state).join();
  if (first?.state !== 'failed' || states !== (name === 'pay with another card' ? 'captured' : ''))
    raise(`after the ${name} the payments are ${first?.state}, ${states}`);
  const objects = (await objectsOf(world, charge)).join();
  if (objects.startsWith('canceled') !== true) raise(`after the ${name} the gateway's objects are ${objects}`);
}

/** Throws unless the answer is an error with this code. */
export function expectCode(answer: Seen, status: number, code: string): void {
  if (answer.status !== status || answer.body.error?.code !== code)
    raise(`expected ${status} ${code}: ${JSON.stringify(answer)}`);
}

/** Throws unless the charge has one payment, in this state. */
export async function expectState(world: World, charge: Charge, state: string): Promise<void> {
  const payments = await paymentsOf(world, charge);
  if (payments.length !== 1 || payments[0]?.state !== state) raise(`expected ${state}: ${JSON.stringify(payments)}`);
}

/** Throws unless a pay answers that this payment has paid the invoice. */
export async function expectPaid(world: World, by: ApiProcess, charge: Charge, paymentId: string): Promise<void> {
  const answer = await pay(world, by, charge);
  if (answer.status !== 200 || answer.body.paymentId !== paymentId)
    raise(`expected that ${paymentId} has paid: ${JSON.stringify(answer)}`);
}

/** Throws unless the customer can confirm the payment, once, and the invoice is then paid with it. */
export async function expectConfirmable(world: World, by: ApiProcess, waiting: Waiting): Promise<void> {
  if (!(await answerBank(world, waiting))) raise('there was nothing to confirm');
  if (await answerBank(world, waiting)) raise('it was confirmed twice');
  await expectPaid(world, by, waiting, waiting.paymentId);
}

/** Waits until every payment of the charge has ended, and repeatedly makes them due. */
export async function untilEnded(world: World, charge: Charge): Promise<void> {
  const deadlineMs = performance.now() + RECOVERY_MS;
  for (let nextPullMs = 0; ; ) {
    const payments = await paymentsOf(world, charge);
    if (payments.every(({ state }) => ENDED.has(state))) return;
    const nowMs = performance.now();
    if (nowMs > deadlineMs) raise(`I8 not at rest after a minute: ${JSON.stringify(payments)}`);
    if (nowMs > nextPullMs) {
      await makeDue(world, charge);
      nextPullMs = nowMs + PULL_MS;
    }
    await sleep(POLL_MS);
  }
}

/** Holds the next call of this operation at the gateway until the delays are ended. @returns whether it has arrived */
export async function holdNext(
  { gateway: { control } }: World,
  operation: GatewayOperation,
): Promise<() => Promise<boolean>> {
  await control.armFault({ operation, kind: 'latency', delayMs: NEVER_MS });
  const calls = async () => (await control.readFaults()).calls[operation];
  const before = await calls();
  return async () => (await calls()) > before;
}

/** Suspends all permanent processes, so that only this one looks at the charge, until it has died. */
export async function dieAlone(world: World, victim: ApiProcess, begin: () => Promise<unknown>): Promise<void> {
  for (const other of world.apis) other.signal('SIGSTOP');
  try {
    await begin();
    await victim.ended;
  } finally {
    for (const other of world.apis) other.signal('SIGCONT');
  }
}
