/**
 * Cells of the fault matrix in which PostgreSQL is killed, in a world whose only API process starts an embedded server.
 */

import type { Db } from '../../../src/platform/database/database.ts';
import { NEVER_MS } from '../../payments/delays.ts';
import type { Cell } from '../chaos.ts';
import type { ChaosGateway } from '../gateways/stand-ins.ts';
import type { Seen } from '../processes.ts';
import { ask, askAgain, expectRefunded, prepareWish, refundsOf } from '../refunds/refunds.world.ts';
import { settleDebit } from '../waiting/kills.ts';
import {
  act,
  becomeWaiting,
  expectConfirmable,
  expectDone,
  expectState,
  prepareWaiting,
} from '../waiting/waiting.world.ts';
import { api, type Charge, pay, paymentsOf, prepareCharge, raise, recover, until, type World } from '../world.ts';
import { isLockAwaited } from './gateway.ts';

type Victim = 'backend' | 'postmaster';

/** The table whose lock stops a transaction in the middle, so that the kill interrupts it, and the gateway call before it. */
const STEPS = {
  T1: { before: null, table: 'invoices' },
  T2: { before: 'create', table: 'payments' },
  T3: { before: 'confirm', table: 'invoices' },
  'confirmation T': { before: 'confirm', table: 'invoices' },
  'confirmation end': { before: 'cancel', table: 'invoices' },
  'debit T': { before: 'confirm', table: 'invoices' },
  'refund T1': { before: null, table: 'invoices' },
  'refund T2': { before: 'refund', table: 'invoices' },
} as const;
type Step = keyof typeof STEPS;

/** Kills PostgreSQL while a payment begins to wait, or while one that waits is canceled for a void. */
async function killDuringWaiting(world: World, victim: Victim, step: Step): Promise<void> {
  const server = api(world);
  if (step === 'confirmation end') {
    const waiting = await prepareWaiting(world);
    const request = () => act(world, server, 'void', waiting);
    await killInTheMiddle(world, victim, step, { charge: waiting, request });
    return expectDone(world, 'void', waiting, await request());
  }
  const charge = await prepareCharge(world, step === 'debit T' ? 'a debit that settles' : 'asks');
  await killInTheMiddle(world, victim, step, { charge, request: () => pay(world, server, charge) });
  await recover(world, charge);
  if (step === 'debit T') return settleDebit(world, charge);
  await expectState(world, charge, 'requires_action');
  await expectConfirmable(world, server, await becomeWaiting(world, charge, await pay(world, server, charge)));
}

/**
 * Kills PostgreSQL during a transaction. The answer is 503 with Retry-After, the service recovers without a restart, and the charge takes
 * effect once.
 */
async function killDuring(world: World, victim: Victim, step: Step): Promise<void> {
  if (step === 'refund T1' || step === 'refund T2') return killDuringRefund(world, victim, step);
  if (/^confirmation|^debit/.test(step)) return killDuringWaiting(world, victim, step);
  const charge = await prepareCharge(world);
  const server = api(world);
  await killInTheMiddle(world, victim, step, { charge, request: () => pay(world, server, charge) });
  const [left] = await paymentsOf(world, charge);
  await recover(world, charge);
  const paid = await pay(world, server, charge);
  const [payment, ...others] = await paymentsOf(world, charge);
  if (paid.status !== 200 || paid.body.paymentId !== payment?.id || others.length > 0)
    raise(`the retry was answered with ${JSON.stringify(paid)}`);
  if (step === 'T1' ? left !== undefined : left?.id !== payment?.id) raise(`the kill left ${JSON.stringify(left)}`);
}

async function killDuringRefund(world: World, victim: Victim, step: 'refund T1' | 'refund T2'): Promise<void> {
  const wish = await prepareWish(world, 'withCredit');
  await killInTheMiddle(world, victim, step, { charge: wish, request: () => ask(world, api(world), wish) });
  const left = await refundsOf(world, wish);
  if (left.length !== (step === 'refund T1' ? 0 : 1)) raise(`the kill left ${JSON.stringify(left)}`);
  await askAgain(world, wish);
  await expectRefunded(world, wish);
}

/** Kills while the step waits for a row that the test has locked. Afterwards the API becomes ready again by itself. */
async function killInTheMiddle(
  world: World,
  victim: Victim,
  step: Step,
  { charge, request }: { charge: Charge; request: () => Promise<Seen> },
): Promise<void> {
  const { before, table } = STEPS[step];
  const { control } = world.gateway;
  const lock = async (work: () => Promise<void>) =>
    world.second.begin(async (tx) => {
      const where = table === 'invoices' ? tx`id = ${charge.invoiceId}` : tx`invoice_id = ${charge.invoiceId}`;
      await tx`SELECT 1 FROM ${tx(table)} WHERE ${where} FOR UPDATE`;
      await work();
    });

  if (before !== null) await control.armFault({ operation: before, kind: 'latency', delayMs: NEVER_MS });
  const calls = async () => (before === null ? 0 : (await control.readFaults()).calls[before]);
  const callsBefore = await calls();
  let answering = before === null ? null : request();
  if (before !== null) await until(async () => (await calls()) > callsBefore, `the gateway was asked to ${before}`);
  let killed = false;
  await lock(async () => {
    answering ??= request();
    await control.endDelays();
    await until(() => isLockAwaited(world), `${step} is running`);
    process.kill(await pidOf(world, victim), 'SIGKILL');
    killed = true;
    await until(async () => !(await answers(world.owner)), 'PostgreSQL is gone');
  }).catch((error) => {
    // The lock ends with the server.
    if (!killed) throw error;
  });
  const answer = (await answering) ?? raise('nobody asked');
  if (answer.status !== 503 || answer.retryAfter === null) raise(`expected 503: ${JSON.stringify(answer)}`);
  const server = api(world);
  if (!server.isAlive()) raise('the API process did not live through it');
  await until(async () => (await server.send('GET', '/readyz')).status === 200, 'the API is ready again');
  await until(() => answers(world.owner), 'PostgreSQL is back');
  await until(() => answers(world.second), 'PostgreSQL is back');
}

/** Finds the process to kill: the one that runs the transaction, or the postmaster. */
async function pidOf(world: World, victim: Victim): Promise<number> {
  if (victim === 'backend') {
    const [row] = await world.owner<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row?.pid ?? raise('nobody waits for the lock');
  }
  const starts = ['PostgreSQL accepts connections', 'PostgreSQL accepts connections again'];
  const entry = starts.flatMap((message) => api(world).logged(message)).at(-1);
  return Number(entry?.pid ?? raise('PostgreSQL was never started'));
}

async function answers(database: Db): Promise<boolean> {
  return database`SELECT 1`.then(
    () => true,
    () => false,
  );
}

/** Every kill of PostgreSQL. These cells need their own world. */
export function postgresCells({ answerBank }: ChaosGateway): Cell[] {
  const all = Object.keys(STEPS) as Step[];
  const steps = all.filter((step) => answerBank !== undefined || !/^confirmation|^debit/.test(step));
  return (['backend', 'postmaster'] as const).flatMap((victim) =>
    steps.map((step) => ({
      fault: `kill -9 of PostgreSQL's ${victim}, during`,
      step,
      run: (world: World) => killDuring(world, victim, step),
    })),
  );
}
