/** Finds out what each process is doing from the locks that it holds in the database, and kills it at that moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pick, type Random } from '../chaos.ts';
import type { BillingWorld, Slot } from './world.ts';

/**
 * The activities that a kill can interrupt. A lock is held until the transaction ends, so it shows that the activity is
 * not committed yet.
 */
export const ACTIVITIES = ['ingesting', 'rolling up', 'in a run'] as const;
export type Activity = (typeof ACTIVITIES)[number];
export const WAYS = ['kill -9', 'connections cut', 'restart'] as const;
export type Way = (typeof WAYS)[number];

/** One planned kill. A null `aim` means that it does not wait for an activity. */
export type Kill = { way: Way; aim: Activity | null; pauseMs: number; holdMs: number; victim: number };

const MAX_DELAY_MS = 500;
const LONGEST_HOLD_MS = 6;
const AIM_TIMEOUT_MS = 4_000;

/**
 * Plans this many kills, in an order that the seed decides. The aims alternate, so that even a few kills cover all of
 * them.
 */
export function planKills(random: Random, count: number): Kill[] {
  const ways: Way[] = ['kill -9', 'kill -9', 'kill -9', 'connections cut', 'connections cut', 'restart'];
  const first = Math.floor(random() * ACTIVITIES.length);
  return Array.from({ length: count }, (_, index) => ({
    way: index < ACTIVITIES.length ? 'kill -9' : pick(random, ways),
    aim:
      index >= ACTIVITIES.length && random() < 0.2 ? null : (ACTIVITIES[(first + index) % ACTIVITIES.length] ?? null),
    pauseMs: random() * MAX_DELAY_MS,
    holdMs: random() * LONGEST_HOLD_MS,
    victim: random(),
  }));
}

type Busy = { login: string; activity: Activity };

async function findBusy({ watcher, slots }: BillingWorld): Promise<Busy[]> {
  const rows = await watcher<{ login: string; relation: string; mode: string }[]>`
    SELECT DISTINCT activity.pid, usename AS login, relname AS relation, locks.mode
    FROM pg_locks AS locks JOIN pg_stat_activity AS activity USING (pid) JOIN pg_class ON pg_class.oid = locks.relation
    WHERE datname = current_database() AND granted AND mode IN ('RowExclusiveLock', 'RowShareLock')
      AND relname IN ('usage_event_keys', 'usage_hours', 'billed_periods', 'invoices')`;
  const logins = new Set(slots.filter(({ api }) => api.isAlive()).map(({ login }) => login));
  return rows.flatMap(({ login, relation, mode }): Busy[] => {
    if (!logins.has(login) || mode !== 'RowExclusiveLock') return [];
    if (relation === 'usage_event_keys') return [{ login, activity: 'ingesting' }];
    return [{ login, activity: relation === 'usage_hours' ? 'rolling up' : 'in a run' }];
  });
}

export type Hit = { way: Way; met: Activity[] };

/**
 * Pauses, waits until a process does what the kill aims at, then waits a moment longer. Kills it and restarts what has
 * ended. @returns the activities of the victim when it was last checked
 */
export async function strike(world: BillingWorld, kill: Kill, restarting: Promise<void>[]): Promise<Hit> {
  await sleep(kill.pauseMs);
  const alive = () => world.slots.filter(({ api }) => api.isAlive());
  // With three or more processes, one keeps running.
  const least = world.slots.length > 2 ? 2 : 1;
  for (; alive().length < least; await sleep(20)) world.requireRunning();
  const aimed = kill.aim === null ? null : await waitFor(world, kill.aim);
  if (aimed !== null && kill.holdMs > 3) await sleep(kill.holdMs);
  const busy = aimed !== null && kill.holdMs <= 3 ? aimed : await findBusy(world);
  const target = pick(
    () => kill.victim,
    busy.filter(({ activity }) => activity === kill.aim),
  );
  const candidates = alive();
  const slot = candidates.find(({ login }) => login === target?.login) ?? pick(() => kill.victim, candidates);
  if (slot === undefined) return strike(world, { ...kill, pauseMs: 20 }, restarting);
  await execute(world, kill.way, slot, restarting);
  const met = busy.filter(({ login }) => login === slot.login).map(({ activity }) => activity);
  return { way: kill.way, met: [...new Set(met)] };
}

async function waitFor(world: BillingWorld, aim: Activity): Promise<Busy[] | null> {
  const deadlineMs = performance.now() + AIM_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    world.requireRunning();
    const busy = await findBusy(world);
    if (busy.some(({ activity }) => activity === aim)) return busy;
  }
  return null;
}

async function execute(world: BillingWorld, way: Way, slot: Slot, restarting: Promise<void>[]): Promise<void> {
  if (way === 'connections cut') {
    await world.watcher`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = ${slot.login} AND datname = current_database()`;
    return;
  }
  slot.api.signal(way === 'kill -9' ? 'SIGKILL' : 'SIGTERM');
  const restarted = world.startAgain(slot);
  restarted.catch(() => undefined); // The error is reported at the end, and by the functions that check `requireRunning`.
  restarting.push(restarted);
}
