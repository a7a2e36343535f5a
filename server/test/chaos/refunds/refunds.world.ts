/** What the cells of the refund share: a payment to refund, the operator's requests, and reads of both books. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiProcess, Seen } from '../processes.ts';
import { api, type Charge, otherApi, pay, prepareCharge, RECOVERY_MS, raise, until, type World } from '../world.ts';

const POLL_MS = 50;
const PULL_MS = 2_000;

/**
 * A refund with its idempotency key, which every request for it uses. `cardMinor` is the part that is refunded through
 * the gateway.
 */
export type Wish = Charge & { paymentId: string; key: string; amount: string; cardMinor: bigint };

/**
 * A refund of 30.00 USD returns all of the 28.00 that the card paid, and 2.00 of credit. One of 10.00 would fit twice.
 */
const AMOUNTS = { part: { amount: '10.00', cardMinor: 1_000n }, withCredit: { amount: '30.00', cardMinor: 2_800n } };

/** Creates a paid invoice of 48.00 USD, and a refund to request. */
export async function prepareWish(world: World, amount: keyof typeof AMOUNTS = 'part'): Promise<Wish> {
  const charge = await prepareCharge(world);
  const paid = await pay(world, api(world), charge);
  if (paid.status !== 200) raise(`the pay was answered with ${JSON.stringify(paid)}`);
  return { ...charge, paymentId: paid.body.paymentId, key: randomUUID(), ...AMOUNTS[amount] };
}

/** Requests the refund as the operator. The answers are compared with the database later. */
export async function ask(world: World, by: ApiProcess, { paymentId, key, amount }: Wish): Promise<Seen> {
  const answer = await by.send('POST', `/operator/payments/${paymentId}/refunds`, {
    ...{ token: world.operatorKey, headers: { 'idempotency-key': key } },
    body: { amount, reason: 'Outage' },
  });
  world.seenRefunds.push(answer);
  return answer;
}

/** Requests the refund again after a process was killed, until the key that it held is free some seconds later. */
export async function askAgain(world: World, wish: Wish): Promise<Seen> {
  await world.owner`UPDATE idempotency_keys SET locked_until = now() WHERE key = ${wish.key} AND status IS NULL`;
  return ask(world, otherApi(world), wish);
}

export type RefundSeen = { id: string; state: string };

/** Returns the payment's refunds in the database, the oldest first. */
export async function refundsOf({ owner }: World, { paymentId }: Pick<Wish, 'paymentId'>): Promise<RefundSeen[]> {
  return owner<RefundSeen[]>`SELECT id, state FROM refunds WHERE payment_id = ${paymentId} ORDER BY created_at, id`;
}

/** Returns the amounts that the gateway refunded for the payment. */
export async function givenBack(world: World, { paymentId }: Pick<Wish, 'paymentId'>): Promise<bigint[]> {
  const { payments, refunds } = await world.gateway.control.readLedger();
  const objects = new Set(payments.filter(({ reference }) => reference === paymentId).map(({ id }) => id));
  return refunds.filter((refund) => objects.has(refund.paymentId)).map(({ amountMinor }) => amountMinor);
}

/** Makes every refund of the payment due now. */
export async function makeRefundsDue({ owner }: World, { paymentId }: Pick<Wish, 'paymentId'>): Promise<void> {
  await owner`
    UPDATE refunds SET reconcile_at = now() WHERE payment_id = ${paymentId} AND state IN ('created', 'unknown')`;
}

/** Waits until every refund of the payment has ended, and repeatedly makes them due. */
export async function recoverRefunds(world: World, wish: Pick<Wish, 'paymentId'>): Promise<void> {
  const deadlineMs = performance.now() + RECOVERY_MS;
  for (let nextPullMs = 0; ; ) {
    const refunds = await refundsOf(world, wish);
    if (!refunds.some(({ state }) => state === 'created' || state === 'unknown')) return;
    const nowMs = performance.now();
    if (nowMs > deadlineMs) raise(`I8 not at rest after a minute: ${JSON.stringify(refunds)}`);
    if (nowMs > nextPullMs) {
      await makeRefundsDue(world, wish);
      nextPullMs = nowMs + PULL_MS;
    }
    await sleep(POLL_MS);
  }
}

/** Expects that the key gets the one refund, and that the gateway refunded once. */
export async function expectRefunded(world: World, wish: Wish): Promise<void> {
  await recoverRefunds(world, wish);
  await until(async () => (await world.gateway.control.readFaults()).pendingEffects === 0, 'all requests arrived');
  const repeated = await askAgain(world, wish);
  const [refund, ...others] = await refundsOf(world, wish);
  if (refund === undefined || others.length > 0) raise(`${others.length + 1} refunds`);
  if (repeated.status !== 201 || repeated.body.id !== refund.id || repeated.body.status !== 'Succeeded')
    raise(`the retry was answered with ${JSON.stringify(repeated)}`);
  const given = await givenBack(world, wish);
  if (given.join() !== String(wish.cardMinor)) raise(`the gateway refunded ${given.join(', ')}`);
}
