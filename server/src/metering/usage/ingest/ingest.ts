import { type Db, type Tx, violatedConstraint } from '../../../platform/database/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { NO_COMPANY } from '../../../platform/http/company-ids/company-id.ts';
import type { ExternalIds } from '../../../platform/http/company-ids/external-ids.ts';
import { type Json, withParts } from '../../../platform/http/schema/json.ts';
import { cutText, readUsageEvent, type UsageEvent } from './events.ts';
import { createPartitions, insertUsage, type Refused, selectKnownKeys } from './ingest.operator.queries.ts';
import type { IngestionResult } from './ingest.schema.ts';
import { createLatenessCheck, type IngestContext, type LatenessCheck } from './ingest-late.ts';

/** Partitions are created when they would otherwise end within this time. */
const PARTITIONS_AHEAD_MS = 35 * 24 * 60 * 60 * 1000;

/** Storing at least this many events takes longer than a savepoint does. */
const WORTH_A_SAVEPOINT = 50;

const partitionsUntil = new WeakMap<Db, number>();

/** Creates the partitions for the next weeks; returns at once when this process has seen that they exist. */
export async function ensurePartitions(db: Db): Promise<void> {
  if ((partitionsUntil.get(db) ?? 0) > Date.now() + PARTITIONS_AHEAD_MS) return;
  partitionsUntil.set(db, (await createPartitions(db)).getTime());
}

/** A well-formed event with its index in the request. */
type IndexedEvent = UsageEvent & { index: number };

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
    message: 'time must not be before the oldest usage that is still kept',
  },
};

/** Events as they came, those that are well-formed, and the refusals of the others. */
export type UsageRead = {
  items: readonly unknown[];
  wellFormed: readonly IndexedEvent[];
  refusals: ReadonlyMap<number, Refusal>;
};

/** Reads usage events in CloudEvents form, and looks up the companies that they name by external ids. */
export async function readUsage(externalIds: ExternalIds, items: readonly unknown[]): Promise<UsageRead> {
  const refusals = new Map<number, Refusal>();
  const wellFormed: IndexedEvent[] = [];
  const named: IndexedEvent[] = [];
  for (const [index, item] of items.entries()) {
    const read = readUsageEvent(item);
    if ('digest' in read) {
      const event = read as IndexedEvent;
      event.index = index;
      wellFormed.push(event);
      if (event.externalId !== null) named.push(event);
    } else {
      const message = `${read.field} ${read.message}`.trim();
      refusals.set(index, { status: 'rejected', reason: 'invalid_event', message });
    }
  }
  if (named.length > 0) await findCompanies(externalIds, named);
  return { items, wellFormed, refusals };
}

async function findCompanies(externalIds: ExternalIds, named: readonly IndexedEvent[]): Promise<void> {
  const found = await externalIds.find([...new Set(named.map(({ externalId }) => externalId ?? ''))]);
  for (const event of named) event.companyId = found.get(event.externalId ?? '') ?? NO_COMPANY;
}

/**
 * Stores usage events. Each has its own result, in order; an invalid one does not affect the others. They are durable when the transaction
 * commits. Partitions must exist (`ensurePartitions`).
 * @returns the answer as JSON text
 */
export async function ingestUsage(
  tx: Tx,
  read: UsageRead,
  context: IngestContext,
): Promise<Json<typeof IngestionResult>> {
  const refusals = new Map(read.refusals);
  for (const [index, refusal] of await storeInTime(tx, [...read.wellFormed], context)) refusals.set(index, refusal);
  return toAnswer(read.items, refusals);
}

type Refusal = Omit<Result, 'id' | 'status'> & { status: 'duplicate' | 'rejected' };
/** By the event's index in the request. */
type IndexedRefusal = [index: number, refusal: Refusal];

/** Stores the events except those that are too late. @returns the refused ones */
async function storeInTime(tx: Tx, wellFormed: IndexedEvent[], context: IngestContext): Promise<IndexedRefusal[]> {
  const { now } = context;
  const latenessOf = await createLatenessCheck(tx, wellFormed, context);
  if (latenessOf === null) return store(tx, wellFormed, now);
  const { inTime = [], late = [] } = Object.groupBy(wellFormed, (event) =>
    latenessOf(event) === null ? 'inTime' : 'late',
  );
  const refused = await store(tx, inTime, now);
  return late.length === 0 ? refused : [...refused, ...(await refuseLate(tx, late, latenessOf))];
}

/**
 * A late repeat of an event that was stored in time is a duplicate, so that repeating a request without an answer gets
 * the same result.
 */
async function refuseLate(tx: Tx, late: readonly IndexedEvent[], latenessOf: LatenessCheck): Promise<IndexedRefusal[]> {
  const known = await selectKnownKeys(tx, late);
  return late.map((event) => [
    event.index,
    known.has(`${event.companyId} ${event.digest}`)
      ? REFUSALS.duplicate
      : { status: 'rejected', reason: 'too_late', message: latenessOf(event) },
  ]);
}

/**
 * Tries first without checking for repeats where that pays, because most requests have only new events. Sorts them.
 * @returns the refused ones
 */
async function store(tx: Tx, events: IndexedEvent[], now: Date): Promise<IndexedRefusal[]> {
  const hasRepeats = sortByKey(events);
  if (events.length === 0) return [];
  const refused =
    hasRepeats || events.length < WORTH_A_SAVEPOINT
      ? null
      : await tx.savepoint((nested) => insertUsage(nested, events, { mayRepeat: false, now })).catch(ignoreRepeat);
  return (refused ?? (await insertUsage(tx, events, { mayRepeat: true, now }))).map(({ index, reason }) => [
    events[index]?.index ?? 0,
    REFUSALS[reason],
  ]);
}

function ignoreRepeat(error: unknown): null {
  if (violatedConstraint(error) !== 'usage_event_keys_pkey') throw error;
  return null;
}

/**
 * Sorts by key, so that of two requests with the same events one waits for the other and they never deadlock; repeats
 * stay in the order in which they came. The digest is compared first, because it differs soonest. @returns whether
 * there are repeats
 */
function sortByKey(events: IndexedEvent[]): boolean {
  events.sort((left, right) => compareKeys(left, right) || left.index - right.index);
  return events.some((event, index) => {
    const next = events[index + 1];
    return next !== undefined && compareKeys(event, next) === 0;
  });
}

function compareKeys(left: UsageEvent, right: UsageEvent): number {
  if (left.digest !== right.digest) return left.digest < right.digest ? -1 : 1;
  if (left.companyId !== right.companyId) return left.companyId < right.companyId ? -1 : 1;
  return 0;
}

/**
 * Stores one usage event whose shape was validated; the answer is that of a batch of one.
 * @throws ApiError 400 when its company does not exist, or its time is in the future or too long ago
 */
export async function ingestUsageEvent(
  tx: Tx,
  read: UsageRead,
  context: IngestContext,
): Promise<Json<typeof IngestionResult>> {
  const answer = await ingestUsage(tx, read, context);
  const { results } = JSON.parse(answer) as { results: Result[] };
  const [result] = results;
  if (result?.status !== 'rejected') return answer;
  const [field = '', ...message] = (result.message ?? '').split(' ');
  throw invalidField(field, message.join(' '));
}

/** The event's id in the result, truncated to the longest allowed length. */
function idOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('id' in item)) return null;
  return typeof item.id === 'string' ? cutText(item.id.trim()) : null;
}

/** Most events are accepted; their results are written as text directly. */
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
