/** Companies whose bank asks the customer, and those that pay by direct debit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDebit, type SourceAnswer } from '../../gateways/stand-ins.ts';
import { addSource, api, type Charge, pay, paymentsOf, raise, recover, signUp, type World } from '../../world.ts';
import type { Party, Story } from '../story.ts';

const MOST_TRIES = 30;
const RETRY_MS = 2_000;
const POLL_MS = 50;
const MOST_CHECKS = 4;

/** Creates a company that pays so; debits are in EUR. The test decides when something is charged. */
export async function createParty(world: World, answer: SourceAnswer): Promise<Party> {
  const party = await signUp(world);
  await addSource(world, party.token, answer);
  const body = { collection: 'manual', currency: isDebit(answer) ? 'EUR' : 'USD' };
  const path = `/operator/companies/${party.companyId}/billing-settings`;
  const { status } = await api(world).send('PUT', path, { token: world.operatorKey, body });
  if (status !== 200) raise(`the billing settings were answered with ${status}`);
  return party;
}

/** Pays an invoice, as often as it takes: customers answer their bank, and debits end. @returns the status of the last answer */
export async function settleWaiting(
  story: Story,
  charge: Charge,
  outcome: 'succeed' | 'fail' = 'succeed',
): Promise<number> {
  const { world } = story;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await pay(world, api(world), charge);
    await recover(world, charge);
    const { status, body } = answer;
    if (status === 200) story.paid.push({ ...charge, paymentId: body.paymentId, leftMinor: 4_800n });
    if (status === 200) return status;
    const secret = body.error?.nextAction?.clientSecret;
    if (status === 402 && secret === undefined) return status;
    if (secret !== undefined) await answerBank(world, secret, outcome);
    else await world.gateway.control.endDelays();
    if (secret === undefined && (await untilEnded(world, charge)) === 'failed') return 402;
  }
  return raise('the pays of what waits come to no end');
}

/** Answers the bank in place of the customer. @returns false if nothing waits for the answer, or not any more */
export async function answerBank(world: World, secret: string, outcome: 'succeed' | 'fail'): Promise<boolean> {
  return (await world.adapter.answerBank?.(world.gateway, secret, outcome)) ?? false;
}

/** Waits until every payment of the charge has ended, and repeatedly makes them due. @returns the state of the last one */
export async function untilEnded(world: World, charge: Charge): Promise<string | undefined> {
  const { owner } = world;
  const deadlineMs = performance.now() + MOST_TRIES * RETRY_MS;
  for (let nextMs = 0; ; ) {
    await recover(world, charge);
    const payments = await paymentsOf(world, charge);
    if (payments.every(({ state }) => state !== 'requires_action' && state !== 'processing'))
      return payments.at(-1)?.state;
    const nowMs = performance.now();
    if (nowMs > deadlineMs) raise(`R6 it waits on: ${JSON.stringify(payments)}`);
    if (nowMs > nextMs) {
      await owner`
        UPDATE payments SET reconcile_at = now(), reconcile_count = least(reconcile_count, ${MOST_CHECKS})
        WHERE invoice_id = ${charge.invoiceId} AND state IN ('requires_action', 'processing')`;
      nextMs = nowMs + RETRY_MS;
    }
    await sleep(POLL_MS);
  }
}
