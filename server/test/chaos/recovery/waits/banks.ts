/** Companies whose bank asks the customer, and those that pay by direct debit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CARDS } from '../../../customers/actors.ts';
import { IBANS } from '../../../customers/card-setups.ts';
import { addCard } from '../../gateways/sandbox.ts';
import type { ChaosGateway } from '../../gateways/stand-ins.ts';
import type { Seen } from '../../processes.ts';
import { api, type Charge, pay, paymentsOf, raise, recover, signUp, type World } from '../../world.ts';
import type { Party, Story } from '../story.ts';

const DEBITED = { 'a debit that settles': IBANS.settlesLater, 'a debit that comes back': IBANS.failsLater } as const;
export type WaitingSource = 'asks' | keyof typeof DEBITED;

/** Whether payments can wait at this gateway, and a test can answer its banks. */
export function canWait({ name }: ChaosGateway): boolean {
  return name === 'sandbox';
}

const MOST_TRIES = 30;
const RETRY_MS = 2_000;
const POLL_MS = 50;
const MOST_CHECKS = 4;

/** Creates a company that pays so; debits are in EUR. The test decides when something is charged. */
export async function createParty(world: World, source: WaitingSource): Promise<Party> {
  const party = await signUp(world);
  await addWaitingSource(world, party.token, source);
  const body = { collection: 'manual', currency: source === 'asks' ? 'USD' : 'EUR' };
  const path = `/operator/companies/${party.companyId}/billing-settings`;
  expectStatus(await api(world).send('PUT', path, { token: world.operatorKey, body }), 200);
  return party;
}

/** Gives a company such a card or mandate, which is charged from then on. */
export async function addWaitingSource(world: World, token: string, source: WaitingSource): Promise<void> {
  const create = async (path: string, body: object) =>
    expectStatus(await api(world).send('POST', `/payments/${path}`, { token, body }), 201);
  if (source === 'asks') return addCard(create, CARDS.asksAlways);
  const { id: setupId, clientSecret } = await create('card-setups', { method: 'sepa_debit' });
  const sepaDebit = { iban: DEBITED[source], name: 'Ada Lovelace', email: 'ada@example.com' };
  const typed = { clientSecret, sepaDebit, mandateAccepted: true };
  expectStatus(await api(world).send('POST', '/gateways/sandbox/setups/confirm', { body: typed }), 200);
  const { id: addressId } = await create('addresses', { city: 'London' });
  await create('cards', { addressId, isDefault: true, setupId });
}

function expectStatus(answer: Seen, status: number): Seen['body'] {
  return answer.status === status ? answer.body : raise(`expected ${status}: ${JSON.stringify(answer)}`);
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
export async function answerBank(world: World, clientSecret: string, outcome: 'succeed' | 'fail'): Promise<boolean> {
  const body = { clientSecret, outcome };
  return (await api(world).send('POST', '/gateways/sandbox/challenges', { body })).status === 200;
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
