/** The backup, what stands then, and how the database and its journal go back. */
import { cp, rename, rm } from 'node:fs/promises';
import { pick } from '../chaos.ts';
import { LATE_MS } from '../payments/gateway.ts';
import { takeBackup, untilReady } from '../restore/restore.ts';
import { api, type Charge, pay, prepareInvoice, raise, until, type World } from '../world.ts';
import { ACTS } from './acts.ts';
import type { CHARGE_STEPS } from './plan.ts';
import { issue, type Story, settlePaid } from './story.ts';

/** An old copy of the journal, and where it is moved to. */
const oldCopyOf = ({ journalDirectory }: World) => `${journalDirectory}.old`;
export const movedFrom = ({ journalDirectory }: World) => `${journalDirectory}.moved`;

/** Takes the backup, while a charge stands where the plan says. */
export async function backUp(story: Story): Promise<void> {
  const { world, plan } = story;
  let standing: Charge | null = null;
  if (plan.atBackup !== null) {
    standing = await prepareInvoice(world, story.buyer);
    await payInVictim(story, standing, plan.atBackup);
  }
  await takeBackup(world);
  await cp(world.journalDirectory, oldCopyOf(world), { recursive: true });
  if (standing !== null) await settlePaid(story, standing);
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

/** Does what is lost afterwards. */
export async function work(story: Story, tell: (what: string) => void): Promise<void> {
  for (const name of story.plan.acts) {
    tell(name);
    await ACTS[name](story);
  }
}

/** Begins what is not over when the database goes back. `paying` is the request that waits for its answer. */
export async function beginUnderway(story: Story): Promise<{ paying: Promise<unknown> }> {
  const { world, plan, hasty, paid } = story;
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
    case 'after_gateway_refund': {
      const { paymentId } = paid.find(({ companyId }) => companyId === hasty.companyId) ?? raise('nobody has paid');
      const victim = await world.startApi({ failpoint: plan.underway });
      const body = { amount: '10.00', reason: 'Outage' };
      await victim.send('POST', `/operator/payments/${paymentId}/refunds`, {
        ...{ token: world.operatorKey, body, headers: { 'idempotency-key': `underway-${paymentId}` } },
      });
      await victim.ended;
      return { paying: Promise.resolve() };
    }
    default:
      await payInVictim(story, await issue(story, hasty), plan.underway);
      return { paying: Promise.resolve() };
  }
}

/** Puts the database back, and does to the journal what the plan says. */
export async function goBack(story: Story): Promise<void> {
  const { world, plan } = story;
  if (plan.processes === 'stopped') {
    for (const one of world.apis) one.signal('SIGKILL');
    await Promise.all(world.apis.map(({ ended }) => ended));
  }
  await world.steps.around('restore', async () => world.restorable?.putBack());
  await changeJournal(world, plan.journal);
  if (plan.keys === 'forgotten') await world.gateway.control.forgetIdempotencyKeys();
  if (plan.processes === 'stopped') world.apis = await Promise.all(world.apis.map(() => world.startApi()));
  await untilReady(world);
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
