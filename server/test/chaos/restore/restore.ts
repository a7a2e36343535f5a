/**
 * Cells of the fault matrix in which the database goes back in time: a backup is taken at a step, work continues, and the database is
 * restored. The gateway keeps what it did in between.
 */

import type { Cell } from '../chaos.ts';
import { LATE_MS } from '../payments/gateway.ts';
import type { KILLS } from '../payments/kills.ts';
import { ask, askAgain, givenBack, prepareWish, recoverRefunds, type Wish } from '../refunds/refunds.world.ts';
import {
  addSource,
  api,
  type Charge,
  makeDue,
  otherApi,
  pay,
  prepareCharge,
  raise,
  recover,
  until,
  type World,
} from '../world.ts';
import type { Restorable } from './databases.ts';

/** What the card pays of the 48.00 USD beside the company's credit. */
const OWED_MINOR = 2_800n;

type Setting = {
  kind: Restorable['kind'];
  /** Whether the processes keep running. */
  processes: 'running' | 'stopped';
  keys: 'kept' | 'forgotten';
};

/** The state that the database goes back to: an unpaid invoice, or a payment at a step of its charge. */
const STEPS: Record<string, (typeof KILLS)[number]['failpoint'] | null> = {
  issued: null,
  T1: 'after_intent',
  G1: 'after_gateway_create',
  T2: 'after_sending',
  G2: 'after_confirm',
  T3: 'after_settle',
};

/** Brings a charge to the step. The process that paid has ended by then. */
async function reach(world: World, step: string, source: 'pays' | 'refuses'): Promise<Charge> {
  const charge = await prepareCharge(world, source);
  const failpoint = STEPS[step];
  if (!failpoint) return charge;
  const victim = await world.startApi({ failpoint });
  await pay(world, victim, charge);
  await victim.ended;
  return charge;
}

/** Returns what was captured since, less what was refunded. */
async function netSince(world: World, before: Totals): Promise<bigint> {
  const now = await totalsOf(world);
  return now.taken - before.taken - (now.givenBack - before.givenBack);
}

type Totals = { taken: bigint; givenBack: bigint };

async function totalsOf({ gateway }: World): Promise<Totals> {
  const { captures, refunds } = await gateway.control.readLedger();
  const sum = (entries: { amountMinor: bigint }[]) => entries.reduce((total, entry) => total + entry.amountMinor, 0n);
  return { taken: sum(captures), givenBack: sum(refunds) };
}

/** Puts the database back. What clients were told since then no longer holds. */
async function goBack(world: World, { processes, keys }: Setting): Promise<void> {
  const { restorable } = world;
  if (processes === 'stopped') {
    for (const one of world.apis) one.signal('SIGKILL');
    await Promise.all(world.apis.map(({ ended }) => ended));
  }
  await world.steps.around('restore', async () => restorable?.putBack());
  if (keys === 'forgotten') await world.gateway.control.forgetIdempotencyKeys();
  for (const memory of [world.seen, world.seenRefunds, world.created]) memory.length = 0;
  if (processes === 'stopped') world.apis = await Promise.all(world.apis.map(() => world.startApi()));
  await untilReady(world);
}

/** Takes a backup, or a copy that is served beside the database. Connections may be closed for it. */
export async function takeBackup(world: World, step: 'backup' | 'copy' = 'backup'): Promise<void> {
  await world.steps.around(step, async () => world.restorable?.take());
  await untilReady(world);
}

/** Waits until the database and every process answer. */
export async function untilReady({ owner, second, apis }: World): Promise<void> {
  for (const database of [owner, second]) await until(() => answers(database), 'the database is back');
  for (const one of apis) {
    await until(async () => (await one.send('GET', '/readyz')).status === 200, 'the API is ready again');
  }
}

async function answers(database: World['owner']): Promise<boolean> {
  return database`SELECT 1`.then(
    () => true,
    () => false,
  );
}

/** Asks both processes to pay, and again until they report the outcome. */
async function payAgain(world: World, charge: Charge): Promise<number> {
  for (let tries = 0; tries < 20; tries += 1) {
    const paying = [pay(world, api(world), charge), pay(world, otherApi(world), charge)];
    await recover(world, charge);
    const statuses = (await Promise.all(paying)).map(({ status }) => status);
    await recover(world, charge);
    const last = await pay(world, api(world), charge);
    if (last.status === 200 || last.status === 402) return last.status;
    if (statuses.some((status) => status === 500)) raise(`a pay was answered with ${statuses.join()}`);
  }
  return raise('the pays come to no end');
}

/** Expects that nobody was charged twice, and that no invoice is Failed whose money was captured. */
async function expectPaidOnce(world: World, { invoiceId }: Charge, before: Totals): Promise<void> {
  await until(async () => (await world.gateway.control.readFaults()).pendingEffects === 0, 'all requests arrived');
  const net = await netSince(world, before);
  if (net > OWED_MINOR) raise(`R1 ${net} were taken where ${OWED_MINOR} are owed`);
  const [invoice] = await world.owner<{ status: string }[]>`SELECT status FROM invoices WHERE id = ${invoiceId}`;
  if (invoice?.status === 'Failed' && net > 0n) raise(`R3 the invoice is Failed and ${net} were taken`);
  if ((invoice?.status === 'Succeeded') !== (net === OWED_MINOR))
    raise(`R2 the invoice is ${invoice?.status} and ${net} were taken`);
}

/** Completes the charge and then loses it. The invoice is paid again, through both processes. */
async function chargeIsLost(world: World, step: string, setting: Setting): Promise<void> {
  const before = await totalsOf(world);
  const charge = await reach(world, step, 'pays');
  await takeBackup(world);
  await recover(world, charge);
  const paid = await payAgain(world, charge);
  if (paid !== 200) raise(`the pay was answered with ${paid}`);
  await goBack(world, setting);
  const status = await payAgain(world, charge);
  await expectPaidOnce(world, charge, before);
  if (status !== 200) raise(`a pay of what was paid is answered with ${status}`);
}

/** The first attempt is declined and canceled, and another card pays. Both are lost, so the first one still seems to be running. */
async function otherCardIsLost(world: World, step: string, setting: Setting): Promise<void> {
  const before = await totalsOf(world);
  const charge = await reach(world, step, 'refuses');
  await takeBackup(world);
  await recover(world, charge);
  await addSource(world, charge.token, 'pays');
  const paid = await payAgain(world, charge);
  if (paid !== 200) raise(`the pay with another card was answered with ${paid}`);
  await goBack(world, setting);
  await recover(world, charge);
  await payAgain(world, charge);
  await expectPaidOnce(world, charge, before);
}

/** A confirmation is on its way while the database goes back, and takes effect later. */
async function confirmationIsInFlight(world: World, step: string, setting: Setting): Promise<void> {
  const before = await totalsOf(world);
  const charge = await reach(world, step, 'pays');
  await world.gateway.control.armFault({ operation: 'confirm', kind: 'executes_late', delayMs: LATE_MS, times: 1 });
  const { calls } = await world.gateway.control.readFaults();
  await takeBackup(world);
  const paying = step === 'issued' ? pay(world, api(world), charge) : makeDue(world, charge);
  await until(async () => (await world.gateway.control.readFaults()).calls.confirm > calls.confirm, 'it was confirmed');
  await goBack(world, setting);
  await paying;
  await world.gateway.control.clearFaults();
  await payAgain(world, charge);
  await expectPaidOnce(world, charge, before);
}

/** Loses a refund. The operator requests it again with the same key. */
async function refundIsLost(world: World, from: 'paid' | 'asked', setting: Setting): Promise<void> {
  const wish: Wish = await prepareWish(world);
  if (from === 'asked') {
    const victim = await world.startApi({ failpoint: 'after_refund_intent' });
    await ask(world, victim, wish);
    await victim.ended;
  }
  await takeBackup(world);
  await askAgain(world, wish);
  await recoverRefunds(world, wish);
  await goBack(world, setting);
  await askAgain(world, wish);
  await recoverRefunds(world, wish);
  const { status } = await askAgain(world, wish);
  if (status !== 201) raise(`the repeated refund was answered with ${status}`);
  const given = await givenBack(world, wish);
  if (given.join() !== String(wish.cardMinor)) raise(`the gateway refunded ${given.join(', ')}`);
}

/**
 * Every step at which a backup can be taken, with running and stopped processes, and with idempotency keys that the gateway keeps or
 * forgets.
 */
export function restoreCells(kind: Restorable['kind']): Cell[] {
  // When a primary fails, the processes that use it keep running.
  const lives = kind === 'promotion' ? (['running'] as const) : (['running', 'stopped'] as const);
  const settings: Setting[] = lives.flatMap((processes) =>
    (['kept', 'forgotten'] as const).map((keys) => ({ kind, processes, keys })),
  );
  return settings.flatMap((setting) => {
    const { processes, keys } = setting;
    const cell = (lost: string, step: string, run: Cell['run']): Cell => ({
      ...{ fault: `${kind} under ${processes} processes, keys ${keys}: ${lost}`, step: `back to ${step}`, run },
    });
    return [
      ...Object.keys(STEPS).map((step) => cell('a charge', step, (world) => chargeIsLost(world, step, setting))),
      ...['issued', 'T1', 'T2'].flatMap((step) => [
        cell('another card', step, (world) => otherCardIsLost(world, step, setting)),
        cell('in flight', step, (world) => confirmationIsInFlight(world, step, setting)),
      ]),
      cell('a refund', 'T3', (world) => refundIsLost(world, 'paid', setting)),
      cell('a refund', 'refund', (world) => refundIsLost(world, 'asked', setting)),
    ];
  });
}
