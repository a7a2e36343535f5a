/** Cells of the fault matrix in which PostgreSQL dies: in a world whose only API process brings its server along. */

import type { Db } from '../src/database/database.ts';
import { isLockAwaited } from './chaos.gateway.ts';
import type { Cell } from './chaos.ts';
import { api, pay, paymentsOf, prepareCharge, raise, recover, until, type World } from './chaos.world.ts';

type Victim = 'backend' | 'postmaster';

/** What is in the way of a transaction, so that the kill meets it in its middle; and the gateway call that comes before it. */
const STEPS = {
  T1: { before: null, table: 'invoices' },
  T2: { before: 'create', table: 'payments' },
  T3: { before: 'confirm', table: 'invoices' },
} as const;

/** The transaction is lost with the server: 503 with Retry-After. Nothing has to be started anew by hand, and one capture. */
async function killDuring(world: World, victim: Victim, step: keyof typeof STEPS): Promise<void> {
  const { before, table } = STEPS[step];
  const charge = await prepareCharge(world);
  const server = api(world);
  const lock = async (work: () => Promise<void>) =>
    world.second.begin(async (tx) => {
      const where = table === 'invoices' ? tx`id = ${charge.invoiceId}` : tx`invoice_id = ${charge.invoiceId}`;
      await tx`SELECT 1 FROM ${tx(table)} WHERE ${where} FOR UPDATE`;
      await work();
    });

  if (before !== null) await world.gateway.control.armFault({ operation: before, kind: 'latency', delayMs: 500 });
  const calls = async () => (before === null ? 0 : (await world.gateway.control.readFaults()).calls[before]);
  const callsBefore = await calls();
  let paying = before === null ? null : pay(world, server, charge);
  if (before !== null) await until(async () => (await calls()) > callsBefore, `the gateway was asked to ${before}`);
  let killed = false;
  await lock(async () => {
    paying ??= pay(world, server, charge);
    await until(() => isLockAwaited(world), `${step} is under way`);
    process.kill(await pidOf(world, victim), 'SIGKILL');
    killed = true;
    await until(async () => !(await answers(world.owner)), 'PostgreSQL is gone');
  }).catch((error) => {
    // The lock goes with the server.
    if (!killed) throw error;
  });
  const answer = (await paying) ?? raise('nobody paid');
  if (answer.status !== 503 || answer.retryAfter === null) raise(`expected 503: ${JSON.stringify(answer)}`);
  if (!server.isAlive()) raise('the API process did not live through it');

  await until(async () => (await server.send('GET', '/readyz')).status === 200, 'the API is ready again');
  await until(() => answers(world.owner), 'PostgreSQL is back');
  await until(() => answers(world.second), 'PostgreSQL is back');
  const [left] = await paymentsOf(world, charge);
  await recover(world, charge);
  const paid = await pay(world, server, charge);
  const [payment, ...others] = await paymentsOf(world, charge);
  if (paid.status !== 200 || paid.body.paymentId !== payment?.id || others.length > 0)
    raise(`the retry was answered with ${JSON.stringify(paid)}`);
  if (step === 'T1' ? left !== undefined : left?.id !== payment?.id) raise(`the kill left ${JSON.stringify(left)}`);
}

/** The process to kill: the one that runs the transaction, or the one that all others depend on. */
async function pidOf(world: World, victim: Victim): Promise<number> {
  if (victim === 'backend') {
    const [row] = await world.owner<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row?.pid ?? raise('nobody waits for the lock');
  }
  const starts = ['PostgreSQL takes connections', 'PostgreSQL takes connections again'];
  const entry = starts.flatMap((message) => api(world).logged(message)).at(-1);
  return Number(entry?.pid ?? raise('PostgreSQL was never started'));
}

async function answers(database: Db): Promise<boolean> {
  return database`SELECT 1`.then(
    () => true,
    () => false,
  );
}

/** Every death of PostgreSQL, for a world of its own. */
export function postgresCells(): Cell[] {
  const steps = Object.keys(STEPS) as (keyof typeof STEPS)[];
  return (['backend', 'postmaster'] as const).flatMap((victim) =>
    steps.map((step) => ({
      fault: `kill -9 of PostgreSQL's ${victim}, during`,
      step,
      run: (world: World) => killDuring(world, victim, step),
    })),
  );
}
