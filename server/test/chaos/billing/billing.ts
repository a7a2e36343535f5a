/**
 * Bills usage while the processes are killed. Senders report usage, sums are rolled up, and months end and are billed. At the end the books
 * are compared with an independent calculation; any difference fails the test.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { monthAfter, startOfMonth } from '../../../src/billing/runs/runs.test-model.ts';
import { closeUsageCutoff } from '../../../src/metering/usage/usage.service.ts';
import { findNumberViolations } from '../../invariants/invariants.numbers.ts';
import { createRandom, pick, type Random } from '../chaos.ts';
import type { Seen } from '../processes.ts';
import { raise } from '../world.ts';
import { checkUsage, readUsageBooks } from './books.ts';
import { ACTIVITIES, type Hit, planKills, strike, WAYS } from './kills.ts';
import { checkAcknowledged, type Senders, startSenders } from './senders.ts';
import { type BillingWorld, openBillingWorld } from './world.ts';

const DAY_MS = 86_400_000;
const POLL_MS = 60;
/** The time limit for a run once nothing is killed any more. */
const TIMEOUT_MS = 120_000;
const AUDIT_EVERY = 50;

export type BillingChaos = { seed: number; kills: number; processes: number; senders: number; databaseUrl: string };

/**
 * Runs the test and reports its progress to `report`. @returns a table of the activities that kills interrupted, and
 * those that none did
 */
export async function runBillingChaos(
  { seed, kills, processes, senders: count, databaseUrl }: BillingChaos,
  report: (line: string) => void,
): Promise<{ table: string; missing: string[] }> {
  const random = createRandom(seed);
  // In these years most of the time zones change their clocks twice, and even the last months are in the past for the
  // database.
  const firstMonth = `${2011 + Math.floor(random() * 6)}-${pick(random, ['01', '03', '06', '09'])}`;
  const plan = planKills(random, kills);
  const world = await openBillingWorld(random, {
    databaseUrl,
    processes,
    startMs: startOfMonth(firstMonth, 'UTC') + DAY_MS,
  });
  try {
    const senders = startSenders(world, count, seed);
    const restarting: Promise<void>[] = [];
    const hits: Hit[] = [];
    const killing = (async () => {
      for (const kill of plan) {
        hits.push(await strike(world, kill, restarting));
        if (hits.length % AUDIT_EVERY === 0) report(`${hits.length} kills: ${await audit(world, senders)}`);
      }
    })();
    const state = { isOver: false };
    const ended = killing.finally(() => {
      state.isOver = true;
    });
    ended.catch(() => undefined); // The error is reported when `ended` is awaited below.
    const months = await billMonths(world, createRandom(seed + 1), firstMonth, state);
    await ended;
    await Promise.all(restarting);
    await senders.stop();
    const afterwards = monthAfter(months.at(-1) ?? firstMonth);
    months.push(...(await billMonths(world, createRandom(seed + 2), afterwards, { isOver: true })));
    report(`at the end: ${await audit(world, senders, months)}`);
    report(`${months.length} months from ${firstMonth} on, ${senders.repeats()} requests repeated`);
    return summarize(hits);
  } finally {
    await world.stop();
  }
}

/** Bills one month after the other until the kills are over, and then one more. */
async function billMonths(
  world: BillingWorld,
  random: Random,
  firstMonth: string,
  state: { isOver: boolean },
): Promise<string[]> {
  const months: string[] = [];
  for (let month = firstMonth, isLast = false; !isLast; month = monthAfter(month)) {
    isLast = state.isOver;
    await moveTo(world, startOfMonth(month, 'UTC') + (5 + random() * 20) * DAY_MS);
    await sleep(random() * 800);
    // The month is then over in some time zones, but not in all.
    await moveTo(world, startOfMonth(monthAfter(month), 'UTC') + (random() - 0.5) * DAY_MS);
    if (random() < 0.5) await askForRun(world, random, month);
    if (random() < 0.3) await closeUsageCutoff(world.owner);
    await sleep(random() * 400);
    await moveTo(world, startOfMonth(monthAfter(month), 'UTC') + (2 + random()) * DAY_MS);
    await billMonth(world, random, month);
    months.push(month);
  }
  return months;
}

/** Moves the clock, but never back. */
async function moveTo(world: BillingWorld, nowMs: number): Promise<void> {
  await world.setNow(Math.max(nowMs, world.nowMs()));
}

function askForRun({ operatorKey, slots }: BillingWorld, random: Random, period: string): Promise<Seen> {
  return pick(random, slots).api.send('POST', '/operator/billing-runs', { token: operatorKey, body: { period } });
}

/** Requests the run from any live process until the run is done. Leases of dead processes are made to expire. */
async function billMonth(world: BillingWorld, random: Random, month: string): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  for (let isDone = false; !isDone; await sleep(POLL_MS)) {
    world.requireRunning();
    const answer = await askForRun(world, random, month);
    // A process may read the clock a moment later.
    const isEarly = answer.body.error?.code === 'period_not_over';
    if (answer.status !== 0 && answer.status !== 202 && answer.status < 500 && !isEarly)
      raise(`the run of ${month} was answered with ${JSON.stringify(answer)}`);
    isDone = answer.status === 202 && answer.body.status === 'done';
    if (random() < 0.2) await world.owner`UPDATE billing_runs SET leased_until = now() WHERE leased_until > now()`;
    if (performance.now() > deadlineMs) raise(`the run of ${month} makes no end: ${JSON.stringify(answer)}`);
  }
}

/**
 * Compares the books with what the senders know and with an independent calculation. At the end, when `months` is given, everything sent
 * must be acknowledged and every company billed for every month.
 */
async function audit(world: BillingWorld, senders: Senders, months: string[] | null = null): Promise<string> {
  const acknowledged = [...senders.sent.values()].filter((event) => event.acknowledged);
  const books = await readUsageBooks(world.owner);
  const { violations, billed, unbilled } = checkUsage(books, world.companies, world.prices);
  violations.push(...(await findNumberViolations(world.owner)));
  violations.push(...checkAcknowledged(senders, acknowledged, books.events));
  const sum = acknowledged.reduce((total, { quantity }) => total + quantity, 0);
  if (months !== null && sum !== billed + unbilled)
    violations.push(`${sum} were acknowledged, ${billed} are billed and ${unbilled} are not`);
  for (const { companyId } of world.companies) {
    const has = new Set(books.billed.filter((row) => row.companyId === companyId).map(({ period }) => period));
    const left = (months ?? []).filter((month) => !has.has(month));
    if (left.length > 0) violations.push(`${companyId} was not billed for ${left.join()}`);
  }
  if (violations.length > 0) raise(violations.slice(0, 20).join('\n'));
  const { events, invoices } = books;
  return `${sum} acknowledged, ${billed} billed, ${unbilled} not; ${events.length} events, ${invoices.length} invoices`;
}

function summarize(hits: readonly Hit[]): { table: string; missing: string[] } {
  const count = (way: string, activity: string | null) =>
    hits.filter(
      (hit) => hit.way === way && (activity === null ? hit.met.length === 0 : hit.met.some((met) => met === activity)),
    ).length;
  const columns = [...ACTIVITIES, null];
  const row = (name: string, cells: unknown[]) =>
    [name.padEnd(16), ...cells.map((cell) => String(cell).padStart(11))].join(' ');
  const lines = WAYS.map((way) =>
    row(
      way,
      columns.map((activity) => count(way, activity)),
    ),
  );
  const missing = ACTIVITIES.filter((activity) => WAYS.every((way) => count(way, activity) === 0));
  return {
    table: [
      row(
        '',
        columns.map((activity) => activity ?? 'between'),
      ),
      ...lines,
    ].join('\n'),
    missing,
  };
}
