/** What is done after the backup, and is lost when the database goes back. */

import { randomBytes, randomUUID } from 'node:crypto';
import { pick } from '../chaos.ts';
import { addSource, api, type Charge, pay, prepareCharge, prepareInvoice, raise, recover, until } from '../world.ts';
import { type ActName, CHARGE_STEPS } from './plan.ts';
import { putCompany } from './products/put.ts';
import { issue, order, type Paid, remember, request, type Story, settle, settlePaid } from './story.ts';
import { ACTS_OF_WAITING } from './waits/acts.ts';

const USAGE_PATH = '/v1/advice';
export const UNIT_AMOUNT = '0.01';
const FIRST_QUANTITY = 1_000;
/** Of usage that is reported after the backup. */
export const LATE_QUANTITY = 500;

async function takeOpen(story: Story): Promise<Charge> {
  return story.open.pop() ?? issue(story, story.buyer);
}

/** What is not over when the database goes back is left alone. */
function takePaid(story: Story, leastMinor: bigint): Paid | null {
  const able = story.paid.filter(
    ({ leftMinor, companyId }) => leftMinor >= leastMinor && companyId !== story.hasty.companyId,
  );
  return able.length === 0 ? null : pick(story.random, able);
}

async function refund(story: Story, amountMinor: bigint): Promise<void> {
  const paid = takePaid(story, amountMinor);
  if (paid === null) return;
  paid.leftMinor -= amountMinor;
  const amount = `${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, '0')}`;
  const { status } = await request(story, `/operator/payments/${paid.paymentId}/refunds`, { amount, reason: 'Outage' });
  if (status === undefined) raise('a refund has no status');
  await recoverAllRefunds(story);
}

/** Waits until every refund has ended, and repeatedly makes them due. */
export async function recoverAllRefunds({ world: { owner } }: Story): Promise<void> {
  await until(async () => {
    const left = await owner`
      UPDATE refunds SET reconcile_at = now() WHERE state IN ('created', 'unknown') RETURNING 1`;
    return left.length === 0;
  }, 'every refund has ended');
}

const grant = (story: Story, amount: string) =>
  request(story, `/operator/companies/${story.buyer.companyId}/credits`, {
    amount,
    currency: 'USD',
    reason: 'Goodwill',
  });

const credit = (story: Story, { invoiceId }: Charge, amount: string) =>
  request(story, `/operator/invoices/${invoiceId}/credit-notes`, { amount, reason: 'Outage' });

async function revoke(story: Story): Promise<void> {
  await grant(story, '7.00');
  await grant(story, '-3.00');
}

async function voidOne(story: Story, { invoiceId }: Charge): Promise<void> {
  await request(story, `/operator/invoices/${invoiceId}/void`, {});
  story.voided.push(invoiceId);
}

/** Pays an invoice of the company whose card or account is declined, with another one if need be. */
export async function payWithOtherCard(story: Story, charge: Charge): Promise<void> {
  const status = await settle(story, charge);
  if (status === 200) return;
  await addSource(story.world, story.poor.token, 'pays');
  await settlePaid(story, charge);
}

/** A company of which the backup knows nothing. */
async function signUp(story: Story): Promise<void> {
  const charge = await prepareCharge(story.world);
  story.late.push(charge);
  await settle(story, charge);
}

/** A product reports usage of a company, and then creates it: the backup knows nothing of either. */
async function createByProduct(story: Story): Promise<void> {
  const { world } = story;
  const externalId = randomBytes(4).toString('hex');
  const event = usageOf(`external:${externalId}`, LATE_QUANTITY);
  await reportUsage(story, [event]);
  const charge = await prepareCharge(world, 'pays', () => putCompany(world, externalId));
  story.ofProduct.push({ externalId, charge, event });
  await settle(story, charge);
  await prepareInvoice(world, charge);
}

/** The process that charges dies at a step of it, and another one ends the charge. */
async function payInDyingProcess(story: Story): Promise<void> {
  const { world, random } = story;
  const charge = await takeOpen(story);
  const victim = await world.startApi({ failpoint: pick(random, CHARGE_STEPS) });
  await pay(world, victim, charge);
  // Without a charge by card or account, it does not die.
  if (victim.isAlive()) victim.signal('SIGKILL');
  await recover(world, charge);
  await settlePaid(story, charge);
}

async function payWithLostAnswer(story: Story): Promise<void> {
  const { world, random } = story;
  const operation = pick(random, ['create', 'confirm'] as const);
  const kind = pick(random, ['answer_lost_before_effect', 'answer_lost_after_effect', 'server_error_after_effect']);
  const charge = await takeOpen(story);
  await world.gateway.control.armFault({ operation, kind: kind as 'answer_lost_after_effect' });
  await pay(world, api(world), charge);
  await recover(world, charge);
  await world.gateway.control.clearFaults();
  await settlePaid(story, charge);
}

/** The month that usage is of, or the one after it, whose invoice has late usage. Both are over. */
function monthOf(usage: 'usage' | 'late usage'): string {
  const [year = 0, month = 0] = new Date().toISOString().split('-').map(Number);
  return new Date(Date.UTC(year, month - (usage === 'usage' ? 3 : 2), 1)).toISOString().slice(0, 7);
}

/** Reports usage. */
async function use(story: Story, quantity: number): Promise<object> {
  const event = usageOf(story.buyer.companyId, quantity);
  await reportUsage(story, [event]);
  return event;
}

function usageOf(subject: string, quantity: number): object {
  return {
    ...{ specversion: '1.0', type: 'paydesk.usage', source: '/gateways/chaos', id: randomUUID() },
    ...{ subject, time: `${monthOf('usage')}-15T09:30:00Z`, data: { path: USAGE_PATH, quantity } },
  };
}

/** Reports events of usage, which counts each of them once. */
export async function reportUsage({ world }: Story, events: object[]): Promise<void> {
  const mediaType = 'application/cloudevents-batch+json';
  const request = { token: world.operatorKey, body: events, mediaType };
  await until(async () => (await api(world).send('POST', '/operator/usage', request)).status === 200, 'usage is taken');
}

/**
 * Sets the price of the usage, and lets runs bill it by the method of the gateway. A process that starts would bill the months that are
 * over, in the middle of anything. It leaves the months up to the newest run alone, and the acts bill them.
 */
export async function prepareUsage(story: Story): Promise<void> {
  const { world, buyer } = story;
  const newest = monthOf('late usage');
  await world.owner`
    INSERT INTO billing_runs (id, period, status, finished_at) VALUES (${randomUUID()}, ${newest}, 'done', now())`;
  const { method = 'default' } = world.adapter.invoiceChanges as { method?: string };
  const settings = { invoiceGraceHours: 720, paymentMethod: method, collection: 'manual' };
  const put = await api(world).send('PUT', `/operator/companies/${buyer.companyId}/billing-settings`, {
    ...{ token: world.operatorKey, body: settings },
  });
  if (put.status !== 200) raise(`the billing settings were answered with ${put.status}`);
  const price = { path: USAGE_PATH, title: 'Advice', currency: 'USD', model: 'flat', unitAmount: UNIT_AMOUNT };
  await order(story, { path: '/operator/prices', body: { ...price, effectiveFrom: '2024-01-01T00:00:00Z' } });
  await use(story, FIRST_QUANTITY);
}

/** What all usage is worth that was ever reported. */
export function worthOfUsage({ usage }: Story): number {
  return (FIRST_QUANTITY + usage.length * LATE_QUANTITY) * Number(UNIT_AMOUNT);
}

/** Bills a month, and pays its invoice if there is one that nobody has paid. */
export async function bill(story: Story, of: 'usage' | 'late usage' = 'usage'): Promise<void> {
  const { world, buyer } = story;
  const begun = await order(story, { path: '/operator/billing-runs', body: { period: monthOf(of) } });
  await until(async () => {
    const { body } = await api(world).send('GET', `/operator/billing-runs/${begun.body.id}`, {
      token: world.operatorKey,
    });
    if (body.status === 'failed') raise('the billing run has failed');
    return body.status === 'done' || body.status === 'waiting';
  }, 'the month is billed');
  const invoices = await world.owner<{ id: string; number: string }[]>`
    SELECT id, number FROM invoices WHERE company_id = ${buyer.companyId} AND debt LIKE 'usage:%' AND status = 'Processing'`;
  for (const { id: invoiceId, number } of invoices) {
    remember(story, number, invoiceId);
    await settlePaid(story, { ...buyer, invoiceId }, 0n);
  }
}

async function useAndBill(story: Story): Promise<void> {
  story.usage.push(await use(story, LATE_QUANTITY));
  await bill(story);
}

/** What may happen, in any order. */
export const ACTS: Record<ActName, (story: Story) => Promise<unknown>> = {
  'pay an invoice of before': async (story) => settlePaid(story, await takeOpen(story)),
  'pay a new invoice': async (story) => settlePaid(story, await issue(story, story.buyer)),
  'issue an invoice': async (story) => void (await issue(story, story.buyer)),
  'be declined': async (story) => void (await settle(story, await issue(story, story.poor), 0n)),
  'pay with another card': async (story) => payWithOtherCard(story, await issue(story, story.poor)),
  'refund a part': (story) => refund(story, 150n),
  'refund much': (story) => refund(story, 4_000n),
  'void an invoice of before': async (story) => voidOne(story, await takeOpen(story)),
  'void a new invoice': async (story) => voidOne(story, await issue(story, story.buyer)),
  'credit an open invoice and pay it': async (story) => {
    const charge = await takeOpen(story);
    await credit(story, charge, '8.00');
    await settlePaid(story, charge, 4_000n);
  },
  'credit a paid invoice': async (story) => {
    const paid = takePaid(story, 500n);
    if (paid === null) return;
    paid.leftMinor -= 500n;
    await credit(story, paid, '5.00');
  },
  'grant credit': (story) => grant(story, '10.00').then(() => undefined),
  'grant and revoke credit': revoke,
  'pay with credit alone': async (story) => {
    await grant(story, '50.00');
    await settlePaid(story, await issue(story, story.buyer));
  },
  'bill a month': useAndBill,
  'sign a company up': signUp,
  'create a company by the API': createByProduct,
  'charge in a process that dies': payInDyingProcess,
  'charge without an answer': payWithLostAnswer,
  ...ACTS_OF_WAITING,
};
