/** Senders of usage events. A request without an answer is sent again unchanged until it has one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monthAfter, startOfMonth } from '../../../src/billing/runs/runs.test-model.ts';
import { usageEvent } from '../../billing/usage.ts';
import { createRandom, pick, type Random } from '../chaos.ts';
import type { Seen } from '../processes.ts';
import { raise } from '../world.ts';
import type { StoredEvent } from './books.ts';
import { type BillingWorld, PATHS } from './world.ts';

const DAY_MS = 86_400_000;
const MAX_DELAY_MS = 60;
const MOST_EVENTS = 24;
/** A request without an answer for this long is an error. */
const TIMEOUT_MS = 60_000;

/** What a sender knows of an event: how often the service accepted it, and whether it acknowledged it. */
export type SentEvent = {
  companyId: string;
  id: string;
  atMs: number;
  path: string;
  quantity: number;
  accepted: number;
  acknowledged: boolean;
  rejected: boolean;
};

export type Senders = {
  sent: Map<string, SentEvent>;
  /** Returns how many requests had no answer and were sent again. */
  repeats: () => number;
  /** Resolves when everything that was sent is answered. */
  stop: () => Promise<void>;
};

const keyOf = ({ companyId, id }: { companyId: string; id: string }) => `${companyId} ${id}`;

/** Starts this many senders. The same seed repeats their random choices. */
export function startSenders(world: BillingWorld, count: number, seed: number): Senders {
  const sent = new Map<string, SentEvent>();
  const state = { stopped: false, repeats: 0 };
  const loops = Array.from({ length: count }, async (_, number) => {
    const random = createRandom(seed + 1_000 * (number + 1));
    const own: SentEvent[] = [];
    while (!state.stopped) {
      world.requireRunning();
      const batch = drawBatch(world, random, own, `sender-${number}`);
      for (const event of batch) sent.set(keyOf(event), event);
      // One by one they are stored together with those of other senders.
      const parts = random() < 0.4 ? batch.map((event) => [event]) : [batch];
      await Promise.all(parts.map((part) => deliver(world, random, part, state)));
      await sleep(random() * MAX_DELAY_MS);
    }
  });
  // The error is reported when the senders are stopped.
  const running = Promise.all(loops);
  running.catch(() => undefined);
  return {
    sent,
    repeats: () => state.repeats,
    stop: async () => {
      state.stopped = true;
      await running;
    },
  };
}

/** Draws new events, some of them twice, and some that were sent before. */
function drawBatch(world: BillingWorld, random: Random, own: SentEvent[], source: string): SentEvent[] {
  const added = Array.from({ length: 1 + Math.floor(random() * MOST_EVENTS) }, (_, index): SentEvent => {
    const { companyId, timezone } = pick(random, world.companies);
    const id = `${source}-${own.length + index}`;
    const state = { accepted: 0, acknowledged: false, rejected: false };
    const quantity = Math.floor(random() * 10);
    return { companyId, id, atMs: drawMoment(world, random, timezone), path: pick(random, PATHS), quantity, ...state };
  });
  const again = own.length === 0 || random() < 0.7 ? [] : [pick(random, own), pick(random, own)];
  const twice = random() < 0.8 ? [] : [pick(random, added)];
  own.push(...added);
  return [...added, ...again, ...twice];
}

/**
 * Draws a time: mostly in the current month, often in the three before, sometimes at the very start of a month, never
 * in the future.
 */
function drawMoment(world: BillingWorld, random: Random, timezone: string): number {
  const nowMs = world.nowMs();
  const drawn = random();
  if (drawn < 0.7) return Math.floor(nowMs - random() * 25 * DAY_MS);
  if (drawn < 0.95) return Math.floor(nowMs - random() * 100 * DAY_MS);
  const months = [0, 30, 60].map((days) => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 7));
  const boundMs = startOfMonth(pick(random, [...months, monthAfter(months[0] ?? '')]), timezone);
  return Math.min(nowMs, boundMs + pick(random, [-1, 0, 1]));
}

/** Nothing was accepted, or the outcome is unknown: no connection, a request that a busy process read too slowly (408), or an error. */
const isUnanswered = (status: number) => status === 0 || status === 408 || status >= 500;

/** Sends the batch, or the event, until there is an answer, sometimes through two processes at once. */
async function deliver(
  world: BillingWorld,
  random: Random,
  batch: SentEvent[],
  state: { repeats: number },
): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  for (let isAnswered = false; !isAnswered; ) {
    const before = new Set(batch.filter(({ acknowledged }) => acknowledged));
    const copies = random() < 0.1 ? 2 : 1;
    const slots = Array.from({ length: copies }, () => pick(random, world.slots));
    const answers = await Promise.all(slots.map(({ api }) => post(world, api.send, batch)));
    for (const answer of answers) {
      const results = resultsOf(answer, batch);
      if (results !== null) note(batch, before, results);
      else if (!isUnanswered(answer.status)) raise(`usage was answered with ${JSON.stringify(answer)}`);
      isAnswered ||= results !== null;
    }
    if (isAnswered) return;
    world.requireRunning();
    if (performance.now() > deadlineMs) raise(`usage had no answer for a minute: ${JSON.stringify(answers)}`);
    state.repeats += 1;
    await sleep(20 + random() * 100);
  }
}

function post(
  { operatorKey }: BillingWorld,
  send: BillingWorld['slots'][number]['api']['send'],
  batch: SentEvent[],
): Promise<Seen> {
  const events = batch.map(({ companyId, id, atMs, path, quantity }) =>
    usageEvent(companyId, { id, time: new Date(atMs).toISOString(), data: { path, quantity } }),
  );
  const isAlone = events.length === 1;
  const mediaType = `application/cloudevents${isAlone ? '' : '-batch'}+json`;
  return send('POST', '/operator/usage', { token: operatorKey, body: isAlone ? events[0] : events, mediaType });
}

/** The results of an answer; null when it has none. An event that comes alone and too late is refused with 400. */
function resultsOf({ status, body }: Seen, [first]: readonly SentEvent[]): Result[] | null {
  if (status === 200) return body.results;
  if (status !== 400 || first === undefined || body.error?.details?.[0]?.field !== 'time') return null;
  return [{ id: first.id, status: 'rejected', reason: 'too_late' }];
}

type Result = { id: string; status: 'accepted' | 'duplicate' | 'rejected'; reason: string | null };

/**
 * Checks the results: an event that was acknowledged before the request was sent is a duplicate, each event is accepted once, and only
 * events that are too late are rejected. Of two simultaneous requests, one may accept an event that the other rejects as too late, because
 * its clock is later.
 */
function note(batch: SentEvent[], before: ReadonlySet<SentEvent>, results: Result[]): void {
  for (const [index, event] of batch.entries()) {
    const result = results[index] ?? raise('a result is missing');
    const what = `${event.id} of ${event.companyId}`;
    if (result.id !== event.id) raise(`the result of ${what} is that of ${result.id}`);
    if (before.has(event) && result.status !== 'duplicate') raise(`${what} was known, and then ${result.status}`);
    if (result.status === 'rejected') {
      if (!/late/.test(result.reason ?? '')) raise(`${what} was rejected: ${result.reason}`);
      event.rejected = !event.acknowledged;
      continue;
    }
    if (result.status === 'accepted') event.accepted += 1;
    if (event.accepted > 1) raise(`${what} was accepted twice`);
    event.acknowledged = true;
    event.rejected = false;
  }
}

/**
 * Checks that each acknowledged event is stored once, as it was sent, and that nothing else is stored except events that still wait for an
 * answer. `acknowledged` are the events that were acknowledged before the books were read.
 */
export function checkAcknowledged(
  { sent }: Senders,
  acknowledged: readonly SentEvent[],
  stored: readonly StoredEvent[],
): string[] {
  const found: string[] = [];
  const byKey = Map.groupBy(stored, keyOf);
  for (const [key, rows] of byKey) {
    const event = sent.get(key);
    if (event === undefined) found.push(`${key} was never sent`);
    else if (event.rejected) found.push(`${key} was rejected, and is stored`);
    else if (rows.length > 1) found.push(`${key} is stored ${rows.length} times`);
    else if (describe(event) !== describe(rows[0] ?? event)) found.push(`${key} is not stored as it was sent`);
  }
  const lost = acknowledged.filter((event) => !byKey.has(keyOf(event)));
  return [...found, ...lost.map((event) => `${keyOf(event)} was acknowledged, and is lost`)];
}

const describe = ({ atMs, path, quantity }: Pick<SentEvent, 'atMs' | 'path' | 'quantity'>) =>
  `${atMs} ${path} ${quantity}`;
