import { type Db, type Tx, violatedConstraint } from '../../../platform/database/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { type Json, withParts } from '../../../platform/http/schema/json.ts';
import { cutText, readUsageEvent, type UsageEvent } from './events.ts';
import { createPartitions, insertUsage, type Refused, selectKnownKeys } from './ingest.operator.queries.ts';
import type { IngestionResult } from './ingest.schema.ts';
import { type JudgeLate, judgeLateUsage } from './ingest-late.ts';

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
type Taken = UsageEvent & { index: number };

type Result = {
  id: string | null;
  status: 'accepted' | 'duplicate' | 'rejected';
  reason: string | null;
  message: string | null;
};

const REFUSALS: Record<Refused['reason'], Refusal> = {
  duplicate: { status: 'duplicate', reason: null, message: null },
  unknown_company: { status: 'rejected', reason: 'unknown_company', message: 'subject must be the id of a company' },
  time_in_future: {
    status: 'rejected',
    reason: 'time_in_future',
    message: 'time must not be more than 5 minutes in the future',
  },
  too_late: {
    status: 'rejected',
    reason: 'too_late',
    message: 'time must not be so long ago that usage of that time is kept no longer',
  },
};

/**
 * Takes CloudEvents of usage. Each has a result of its own, in order; what is wrong with one does not touch the others. They are
 * stored for good when the transaction commits. Partitions have to be there (`ensurePartitions`).
 * @returns the answer as JSON text
 */
export async function ingestUsage(tx: Tx, items: readonly unknown[], now: Date): Promise<Json<typeof IngestionResult>> {
  const refusals = new Map<number, Refusal>();
  const taken: Taken[] = [];
  for (const [index, item] of items.entries()) {
    const read = readUsageEvent(item);
    if ('digest' in read) {
      const event = read as Taken;
      event.index = index;
      taken.push(event);
    } else {
      const message = `${read.field} ${read.message}`.trim();
      refusals.set(index, { status: 'rejected', reason: 'invalid_event', message });
    }
  }
  for (const [index, refusal] of await storeInTime(tx, taken, now)) refusals.set(index, refusal);
  return toAnswer(items, refusals);
}

type Refusal = Omit<Result, 'id' | 'status'> & { status: 'duplicate' | 'rejected' };
/** By the place of the event in the request. */
type PlacedRefusal = [index: number, refusal: Refusal];

/** Stores the events but those that come too late. @returns those that were not taken */
async function storeInTime(tx: Tx, taken: Taken[], now: Date): Promise<PlacedRefusal[]> {
  const judge = await judgeLateUsage(tx, taken, now);
  if (judge === null) return store(tx, taken, now);
  const { inTime = [], late = [] } = Object.groupBy(taken, (event) => (judge(event) === null ? 'inTime' : 'late'));
  const refused = await store(tx, inTime, now);
  return late.length === 0 ? refused : [...refused, ...(await refuseLate(tx, late, judge))];
}

/** What was taken in time stays a duplicate: whoever repeats a request for want of an answer hears the same as before. */
async function refuseLate(tx: Tx, late: readonly Taken[], judge: JudgeLate): Promise<PlacedRefusal[]> {
  const known = await selectKnownKeys(tx, late);
  return late.map((event) => [
    event.index,
    known.has(`${event.companyId} ${event.digest}`)
      ? REFUSALS.duplicate
      : { status: 'rejected', reason: 'too_late', message: judge(event) },
  ]);
}

/** Most requests hold new events alone, so that this is tried first where it pays. Sorts them. @returns those that were not taken */
async function store(tx: Tx, events: Taken[], now: Date): Promise<PlacedRefusal[]> {
  const hasRepeats = sortByKey(events);
  if (events.length === 0) return [];
  const refused =
    hasRepeats || events.length < WORTH_A_SAVEPOINT
      ? null
      : await tx.savepoint((nested) => insertUsage(nested, events, { mayRepeat: false, now })).catch(passOverRepeat);
  return (refused ?? (await insertUsage(tx, events, { mayRepeat: true, now }))).map(({ place, reason }) => [
    events[place]?.index ?? 0,
    REFUSALS[reason],
  ]);
}

function passOverRepeat(error: unknown): null {
  if (violatedConstraint(error) !== 'usage_event_keys_pkey') throw error;
  return null;
}

/**
 * In the order of their keys, so that two requests with the same events wait for each other, and neither for both; repeats in
 * the order in which they came. The digests come first, for they differ at once. @returns whether there are repeats
 */
function sortByKey(events: Taken[]): boolean {
  events.sort((left, right) => compareKeys(left, right) || left.index - right.index);
  return events.some((event, place) => {
    const next = events[place + 1];
    return next !== undefined && compareKeys(event, next) === 0;
  });
}

function compareKeys(left: UsageEvent, right: UsageEvent): number {
  if (left.digest !== right.digest) return left.digest < right.digest ? -1 : 1;
  if (left.companyId !== right.companyId) return left.companyId < right.companyId ? -1 : 1;
  return 0;
}

/**
 * Takes one CloudEvent of usage, whose shape was checked; the answer is that of a batch of one.
 * @throws ApiError 400 when its company does not exist, or its time is in the future or too long ago
 */
export async function ingestUsageEvent(tx: Tx, item: object, now: Date): Promise<Json<typeof IngestionResult>> {
  const answer = await ingestUsage(tx, [item], now);
  const { results } = JSON.parse(answer) as { results: Result[] };
  const [result] = results;
  if (result?.status !== 'rejected') return answer;
  const [field = '', ...message] = (result.message ?? '').split(' ');
  throw invalidField(field, message.join(' '));
}

/** As the event is known by, so that a sender finds it again; of one that is too long, as much as an id may have. */
function idOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('id' in item)) return null;
  return typeof item.id === 'string' ? cutText(item.id.trim()) : null;
}

/** Most are accepted; their results are written out, not made first. */
function toAnswer(items: readonly unknown[], refusals: ReadonlyMap<number, Refusal>): Json<typeof IngestionResult> {
  const duplicate = [...refusals.values()].filter(({ status }) => status === 'duplicate').length;
  const rejected = refusals.size - duplicate;
  const accepted = items.length - refusals.size;
  const results = items.map((item, index) => {
    const refusal = refusals.get(index);
    const id = idOf(item);
    if (refusal !== undefined) return JSON.stringify({ id, ...refusal } satisfies Result);
    return `{"id":${JSON.stringify(id)},"status":"accepted","reason":null,"message":null}`;
  });
  const json = `[${results.join()}]` as Json<typeof IngestionResult.properties.results>;
  return withParts({ accepted, duplicate, rejected }, { results: json });
}
