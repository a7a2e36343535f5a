import { type Db, type Tx, violatedConstraint } from '../../../platform/database/database.ts';
import { NO_COMPANY } from '../../../platform/http/company-ids/company-id.ts';
import type { ExternalIds } from '../../../platform/http/company-ids/external-ids.ts';
import type { Json } from '../../../platform/http/schema/json.ts';
import { type IndexedEvent, readUsageEvent, type UsageEvent } from './events.ts';
import { createPartitions, insertUsage, type Refused, selectKnownKeys } from './ingest.operator.queries.ts';
import type { IngestionResult } from './ingest.schema.ts';
import { createLatenessCheck, type LateContext, type LatenessCheck } from './ingest-late.ts';
import { keepUnattributed } from './ingest-unattributed.ts';
import {
  BEFORE_RETENTION,
  IN_FUTURE,
  idOf,
  type Outcome,
  type Refusal,
  toAnswer,
  toAnswerOfOne,
  UNKNOWN_COMPANY,
} from './outcomes.ts';

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

const REFUSALS: Record<Refused['reason'], Refusal> = {
  duplicate: 'duplicate',
  unknown_company: UNKNOWN_COMPANY,
  time_in_future: IN_FUTURE,
  too_late: BEFORE_RETENTION,
};

/** The ids of events as their results have them, those events that are well-formed, and the refusals of the others. */
export type UsageRead = {
  ids: readonly (string | null)[];
  wellFormed: readonly IndexedEvent[];
  refusals: ReadonlyMap<number, Refusal>;
};

/** Reads usage events in CloudEvents form, and looks up the companies that they name by external ids. */
export async function readUsage(externalIds: ExternalIds, items: readonly unknown[]): Promise<UsageRead> {
  const ids = items.map(idOf);
  const refusals = new Map<number, Refusal>();
  const wellFormed: IndexedEvent[] = [];
  const named: IndexedEvent[] = [];
  for (const [index, item] of items.entries()) {
    const read = readUsageEvent(item, index);
    if ('digest' in read) {
      wellFormed.push(read);
      if (read.externalId !== null) named.push(read);
    } else {
      refusals.set(index, { reason: 'invalid_event', ...read });
    }
  }
  if (named.length > 0) await findCompanies(externalIds, named);
  return { ids, wellFormed, refusals };
}

async function findCompanies(externalIds: ExternalIds, named: readonly IndexedEvent[]): Promise<void> {
  const found = await externalIds.find([...new Set(named.map(({ externalId }) => externalId ?? ''))]);
  for (const event of named) event.companyId = found.get(event.externalId ?? '') ?? NO_COMPANY;
}

/** `unattributed` says whether events of external ids that no company has are accepted. */
export type IngestContext = LateContext & { unattributed: 'accept' | 'reject' };

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
  return toAnswer(read.ids, await storeRead(tx, read, context));
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
  return toAnswerOfOne(read.ids, await storeRead(tx, read, context));
}

async function storeRead(tx: Tx, { wellFormed, refusals }: UsageRead, context: IngestContext): Promise<Outcome> {
  const stored = await storeWellFormed(tx, wellFormed, context);
  const lost = wellFormed.filter(
    ({ index, externalId }) => externalId !== null && stored.refusals.get(index) === UNKNOWN_COMPANY,
  );
  if (lost.length === 0 || context.unattributed === 'reject')
    return { ...stored, refusals: new Map([...refusals, ...stored.refusals]) };
  // The database went back to before companies that this process still knows.
  for (const event of lost) event.companyId = NO_COMPANY;
  const again = await storeWellFormed(tx, lost, context);
  const isLost = new Set(lost.map(({ index }) => index));
  const others = [...stored.refusals].filter(([index]) => !isLost.has(index));
  return {
    refusals: new Map([...refusals, ...others, ...again.refusals]),
    unattributed: new Set([...stored.unattributed, ...again.unattributed]),
  };
}

async function storeWellFormed(tx: Tx, wellFormed: readonly IndexedEvent[], context: IngestContext): Promise<Outcome> {
  const { ofCompanies, refused, unattributed } = await divide(tx, wellFormed, context);
  return { refusals: new Map([...refused, ...(await storeInTime(tx, ofCompanies, context))]), unattributed };
}

/** Keeps the events of external ids that no company has. @returns what is left to be stored */
async function divide(tx: Tx, wellFormed: readonly IndexedEvent[], { now, unattributed }: IngestContext) {
  const unknown = unattributed === 'reject' ? [] : wellFormed.filter(namesUnknownId);
  if (unknown.length === 0) return { ofCompanies: [...wellFormed], refused: [], unattributed: new Set<number>() };
  const others = wellFormed.filter((event) => !namesUnknownId(event));
  const kept = await keepUnattributed(tx, unknown, now);
  return { ...kept, ofCompanies: [...others, ...kept.attributed] };
}

function namesUnknownId({ companyId, externalId }: IndexedEvent): boolean {
  return companyId === NO_COMPANY && externalId !== null;
}

/** By the event's index in the request. */
type IndexedRefusal = [index: number, refusal: Refusal];

/** Stores events of companies except those that are too late. Sorts them. @returns the refused ones */
export async function storeInTime(tx: Tx, events: IndexedEvent[], context: LateContext): Promise<IndexedRefusal[]> {
  const { now } = context;
  const latenessOf = await createLatenessCheck(tx, events, context);
  if (latenessOf === null) return store(tx, events, now);
  const { inTime = [], late = [] } = Object.groupBy(events, (event) =>
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
  return late.map((event) => {
    const isKnown = known.has(`${event.companyId} ${event.digest}`);
    return [
      event.index,
      isKnown ? 'duplicate' : { reason: 'too_late', field: 'time', message: latenessOf(event) ?? '' },
    ];
  });
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
  if (left.rank !== right.rank) return left.rank - right.rank;
  if (left.digest !== right.digest) return left.digest < right.digest ? -1 : 1;
  if (left.companyId !== right.companyId) return left.companyId < right.companyId ? -1 : 1;
  return 0;
}
