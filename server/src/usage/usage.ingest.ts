import { type Db, type Tx, violatedConstraint } from '../database/database.ts';
import { invalidField } from '../errors.ts';
import { readUsageEvent, type UsageEvent } from './usage.events.ts';
import { createPartitions, insertUsage, type Refused, selectKnownKeys } from './usage.ingest.queries.ts';
import { judgeLateUsage } from './usage.ingest-late.ts';

/** Partitions are made when they would otherwise end within this time. */
const PARTITIONS_AHEAD_MS = 35 * 24 * 60 * 60 * 1000;

/** So many events take longer to store than a savepoint takes. */
const WORTH_A_SAVEPOINT = 50;

const partitionsUntil = new WeakMap<Db, number>();

/** Makes partitions for the events of the next weeks; at once when this process has seen that they are there. */
export async function ensurePartitions(db: Db): Promise<void> {
  if ((partitionsUntil.get(db) ?? 0) > Date.now() + PARTITIONS_AHEAD_MS) return;
  partitionsUntil.set(db, (await createPartitions(db)).getTime());
}

/** A well-formed event with its place in the request. */
type Taken = { event: UsageEvent; index: number };

type Result = {
  id: string | null;
  status: 'accepted' | 'duplicate' | 'rejected';
  reason: string | null;
  message: string | null;
};

const REFUSALS: Record<Refused['reason'], Pick<Result, 'status' | 'reason' | 'message'>> = {
  duplicate: { status: 'duplicate', reason: null, message: null },
  unknown_company: { status: 'rejected', reason: 'unknown_company', message: 'subject must be the id of a company' },
  time_in_future: {
    status: 'rejected',
    reason: 'time_in_future',
    message: 'time must not be more than 5 minutes in the future',
  },
};

/**
 * Takes CloudEvents of usage. Each has a result of its own, in order; what is wrong with one does not touch the others. They are
 * stored for good when the transaction commits. Partitions have to be there (`ensurePartitions`).
 * @returns the answer as JSON text
 */
export async function ingestUsage(tx: Tx, items: readonly unknown[], now: Date): Promise<string> {
  const results: Result[] = [];
  const taken: Taken[] = [];
  for (const [index, item] of items.entries()) {
    const read = readUsageEvent(item);
    if ('digest' in read) {
      taken.push({ event: read, index });
      results.push({ id: read.id, status: 'accepted', reason: null, message: null });
    } else {
      const message = `${read.field} ${read.message}`.trim();
      results.push({ id: idOf(item), status: 'rejected', reason: 'invalid_event', message });
    }
  }
  for (const { index, ...refusal } of await storeInTime(tx, taken, now)) {
    results[index] = { id: results[index]?.id ?? null, ...refusal };
  }
  return toAnswer(results);
}

type Refusal = Omit<Result, 'id'> & { index: number };

/** Stores the events but those that come too late. @returns those that were not taken */
async function storeInTime(tx: Tx, taken: readonly Taken[], now: Date): Promise<Refusal[]> {
  const judge = await judgeLateUsage(
    tx,
    taken.map(({ event }) => event),
    now,
  );
  const judged = taken.map((one) => ({ ...one, message: judge(one.event) }));
  const inTime = judged.filter(({ message }) => message === null);
  const late = judged.filter(({ message }) => message !== null);
  const refused = await store(tx, inTime, now);
  return [
    ...refused.map(({ place, reason }) => ({ index: inTime[place]?.index ?? 0, ...REFUSALS[reason] })),
    ...(late.length === 0 ? [] : await refuseLate(tx, late)),
  ];
}

/** What was taken in time stays a duplicate: whoever repeats a request for want of an answer hears the same as before. */
async function refuseLate(tx: Tx, late: readonly (Taken & { message: string | null })[]): Promise<Refusal[]> {
  const known = await selectKnownKeys(
    tx,
    late.map(({ event }) => event),
  );
  return late.map(({ event: { companyId, digest }, index, message }) =>
    known.has(`${companyId} ${digest}`)
      ? { index, ...REFUSALS.duplicate }
      : { index, status: 'rejected', reason: 'too_late', message },
  );
}

/** Most requests hold new events alone, so that this is tried first where it pays. Sorts them. @returns those that were not taken */
async function store(tx: Tx, taken: Taken[], now: Date): Promise<Refused[]> {
  const hasRepeats = sortByKey(taken);
  const events = taken.map(({ event }) => event);
  if (events.length === 0) return [];
  if (!hasRepeats && events.length >= WORTH_A_SAVEPOINT) {
    const refused = await tx
      .savepoint((nested) => insertUsage(nested, events, { mayRepeat: false, now }))
      .catch(passOverRepeat);
    if (refused !== null) return refused;
  }
  return insertUsage(tx, events, { mayRepeat: true, now });
}

function passOverRepeat(error: unknown): null {
  if (violatedConstraint(error) !== 'usage_event_keys_pkey') throw error;
  return null;
}

/**
 * In the order of their keys, so that two requests with the same events wait for each other, and neither for both; repeats in
 * the order in which they came. @returns whether there are repeats
 */
function sortByKey(taken: Taken[]): boolean {
  taken.sort((left, right) => compareKeys(left, right) || left.index - right.index);
  return taken.some((one, place) => {
    const next = taken[place + 1];
    return next !== undefined && compareKeys(one, next) === 0;
  });
}

function compareKeys({ event: left }: Taken, { event: right }: Taken): number {
  if (left.companyId !== right.companyId) return left.companyId < right.companyId ? -1 : 1;
  if (left.digest !== right.digest) return left.digest < right.digest ? -1 : 1;
  return 0;
}

/**
 * Takes one CloudEvent of usage, whose shape was checked; the answer is that of a batch of one.
 * @throws ApiError 400 when its company does not exist, or its time is in the future or too long ago
 */
export async function ingestUsageEvent(tx: Tx, item: object, now: Date): Promise<string> {
  const answer = await ingestUsage(tx, [item], now);
  const { results } = JSON.parse(answer) as { results: Result[] };
  const [result] = results;
  if (result?.status !== 'rejected') return answer;
  const [field = '', ...message] = (result.message ?? '').split(' ');
  throw invalidField(field, message.join(' '));
}

function idOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('id' in item)) return null;
  return typeof item.id === 'string' ? item.id.slice(0, 255) : null;
}

function toAnswer(results: readonly Result[]): string {
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length;
  return JSON.stringify({
    accepted: count('accepted'),
    duplicate: count('duplicate'),
    rejected: count('rejected'),
    results,
  });
}
