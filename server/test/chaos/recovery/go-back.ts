/** The backup, what stands then, and how the database and its journal go back. */
import { cp, rename, rm } from 'node:fs/promises';
import { pick } from '../chaos.ts';
import { LATE_MS } from '../payments/gateway.ts';
import { takeBackup, untilReady } from '../restore/restore.ts';
import { api, type Charge, pay, prepareInvoice, raise, until, type World } from '../world.ts';
import { ACTS, payWithOtherCard, recoverAllRefunds } from './acts.ts';
import type { BACKUP_STEPS, CHARGE_STEPS } from './plan.ts';
import { issue, type Party, type Story, settlePaid } from './story.ts';

/** An old copy of the journal, and where it is moved to. */
const oldCopyOf = ({ journalDirectory }: World) => `${journalDirectory}.old`;
export const movedFrom = ({ journalDirectory }: World) => `${journalDirectory}.moved`;

/** Takes the backup, while a charge or a refund stands where the plan says, and ends that. */
export async function backUp(story: Story): Promise<void> {
  const { world, plan } = story;
  const end = plan.atBackup === null ? null : await beginStanding(story, plan.atBackup);
  await takeBackup(world);
  await cp(world.journalDirectory, oldCopyOf(world), { recursive: true });
  await end?.();
}

/** @returns what ends it */
async function beginStanding(story: Story, step: (typeof BACKUP_STEPS)[number]): Promise<() => Promise<void>> {
  const { world, plan, buyer, poor } = story;
  if (step === 'after_refund_intent' || step === 'after_gateway_refund') {
    await refundInVictim(story, buyer, step);
    return () => recoverAllRefunds(story);
  }
  const isDeclined = plan.standing === 'is declined';
  const standing = await prepareInvoice(world, isDeclined ? poor : buyer);
  await payInVictim(story, standing, step);
  return () => (isDeclined ? payWithOtherCard(story, standing) : settlePaid(story, standing));
}

/** Pays in a process that dies at this step. */
export async function payInVictim(
  { world }: Story,
  charge: Charge,
  failpoint: (typeof CHARGE_STEPS)[number],
): Promise<void> {
  const victim = await world.startApi({ failpoint });
  await pay(world, victim, charge);
  await victim.ended;
}

type RefundStep = Extract<(typeof BACKUP_STEPS)[number], `${string}refund${string}`>;
const REFUNDED_MINOR = 1_000n;

/** Refunds a part of what the company has paid, in a process that dies at this step. */
async function refundInVictim({ world, paid }: Story, { companyId }: Party, failpoint: RefundStep): Promise<void> {
  const payment = paid.find((one) => one.companyId === companyId) ?? raise('nobody has paid');
  payment.leftMinor -= REFUNDED_MINOR;
  const victim = await world.startApi({ failpoint });
  const body = { amount: '10.00', reason: 'Outage' };
  await victim.send('POST', `/operator/payments/${payment.paymentId}/refunds`, {
    ...{ token: world.operatorKey, body, headers: { 'idempotency-key': `underway-${payment.paymentId}` } },
  });
  await victim.ended;
}

/** Does what is lost afterwards. */
export async function work(story: Story, tell: (what: string) => void): Promise<void> {
  for (const name of story.plan.acts) {
    tell(name);
    await ACTS[name](story);
  }
}

/** Begins what is not over when the database goes back. `paying` is the request that waits for its answer. */
export async function beginUnderway(story: Story): Promise<{ paying: Promise<unknown> }> {
  const { world, plan, hasty } = story;
  const { control } = world.gateway;
  switch (plan.underway) {
    case 'nothing':
      return { paying: Promise.resolve() };
    case 'confirmed late': {
      const charge = await issue(story, hasty);
      const { calls } = await control.readFaults();
      await control.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: LATE_MS, times: 1 });
      const paying = pay(world, api(world), charge);
      await until(async () => (await control.readFaults()).calls.confirm > calls.confirm, 'it is confirmed');
      return { paying };
    }
    case 'after_refund_intent':
    case 'after_gateway_refund':
      await refundInVictim(story, hasty, plan.underway);
      return { paying: Promise.resolve() };
    default:
      await payInVictim(story, await issue(story, hasty), plan.underway);
      return { paying: Promise.resolve() };
  }
}

/**
 * Puts the database back, and does to the journal what the plan says. @returns how often the gateway was called before the processes
 * started again; null if they go on
 */
export async function goBack(story: Story): Promise<Calls | null> {
  const { world, plan } = story;
  let calls: Calls | null = null;
  if (plan.processes === 'stopped') {
    for (const one of world.apis) one.signal('SIGKILL');
    await Promise.all(world.apis.map(({ ended }) => ended));
    calls = await countCalls(world);
  }
  await world.steps.around('restore', async () => world.restorable?.putBack());
  await changeJournal(world, plan.journal);
  if (plan.keys === 'forgotten') await world.gateway.control.forgetIdempotencyKeys();
  if (plan.processes === 'stopped') world.apis = await Promise.all(world.apis.map(() => world.startApi()));
  await untilReady(world);
  return calls;
}

export type Calls = { create: number; confirm: number };

/** How often the gateway was asked to create something, and to confirm it. */
export async function countCalls({ gateway }: World): Promise<Calls> {
  return (await gateway.control.readFaults()).calls;
}

async function changeJournal(world: World, to: Story['plan']['journal']): Promise<void> {
  const { journalDirectory } = world;
  if (to === 'kept') return;
  if (to === 'moved') return rename(journalDirectory, movedFrom(world));
  await rm(journalDirectory, { recursive: true });
  if (to === 'restored') await cp(oldCopyOf(world), journalDirectory, { recursive: true });
}

/** Clients do not know what has happened: they pay and ask again. @returns once all were answered */
export async function disturb(story: Story): Promise<void> {
  const { world, random, open, paid } = story;
  const charges = [...open, ...paid.slice(-2)];
  const again = story.sent.filter(({ path }) => path.includes('refunds')).slice(-2);
  const asking = again.map(({ path, body, key }) => {
    const options = { token: world.operatorKey, body, headers: { 'idempotency-key': key } };
    return pick(random, world.apis).send('POST', path, options);
  });
  await Promise.all([...asking, ...charges.map((charge) => pay(world, pick(random, world.apis), charge))]);
}

/** Waits until every process holds charges. */
export async function untilHeld({ world }: Story): Promise<void> {
  for (const one of world.apis) {
    await until(async () => (await one.send('GET', '/readyz')).body.charges === 'held', 'charges are held');
  }
}

/** Waits until no process holds charges (R6). */
export async function untilReleased({ world }: Story): Promise<void> {
  for (const one of world.apis) {
    await until(async () => (await one.send('GET', '/readyz')).body.charges === 'on', 'R6 the hold has ended');
  }
}
