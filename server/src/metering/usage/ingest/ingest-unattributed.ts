import { selectCompaniesByExternalIds } from '../../../customers/companies/external-ids/external-ids.service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { IndexedEvent } from './events.ts';
import { FUTURE_TOLERANCE_MS } from './ingest.operator.queries.ts';
import {
  insertUnattributed,
  lockUnattributed,
  selectWaitingDigests,
  selectWaitingIds,
  selectWaitingTotals,
  upsertWaitingIds,
  type WaitingId,
  type WaitingTotals,
} from './ingest.unattributed.operator.queries.ts';
import { BEFORE_RETENTION, IN_FUTURE, type Refusal } from './outcomes.ts';

/** How much usage waits for companies at most: external ids, events, and how long ago the first event of an id came. */
const [MAX_IDS, MAX_EVENTS, MAX_DAYS] = [1_000, 1_000_000, 30];
const DAY_MS = 86_400_000;

/** An event whose subject is an external id. */
type Named = IndexedEvent & { externalId: string };

/** By the index in the request. */
type IndexedRefusal = [index: number, refusal: Refusal];

type Kept = {
  /** Those whose company has got its external id since the request came: usage like any other. */
  attributed: IndexedEvent[];
  refused: IndexedRefusal[];
  /** The indexes of those that wait for a company now. */
  unattributed: Set<number>;
};

/**
 * Keeps events of external ids that no company has until one gets the id. From here on until the transaction ends no company gets an
 * external id, and no other request keeps such events: each event is counted once, and the bounds hold exactly.
 */
export async function keepUnattributed(tx: Tx, events: readonly IndexedEvent[], now: Date): Promise<Kept> {
  await lockUnattributed(tx);
  const named = events.filter((event): event is Named => event.externalId !== null);
  const externalIds = [...new Set(named.map(({ externalId }) => externalId))];
  const [companies, ids, totals] = await Promise.all([
    selectCompaniesByExternalIds(tx, externalIds),
    selectWaitingIds(tx, externalIds),
    selectWaitingTotals(tx),
  ]);
  const companyOf = new Map(companies.map(({ externalId, companyId }) => [externalId, companyId]));
  const attributed = named.filter(({ externalId }) => companyOf.has(externalId));
  for (const event of attributed) event.companyId = companyOf.get(event.externalId) ?? event.companyId;
  const waiting = named.filter(({ externalId }) => !companyOf.has(externalId));

  const known = await selectWaitingDigests(tx, placed(waiting, ids));
  const { accepted, refused } = judge(waiting, { now, ids, totals, known });
  await store(tx, accepted, now);
  return { attributed, refused, unattributed: new Set(accepted.map(({ index }) => index)) };
}

/** The events of external ids of which usage waits, each with the number of its id. */
function placed(events: readonly Named[], ids: readonly WaitingId[]) {
  const numberOf = new Map(ids.map(({ externalId, id }) => [externalId, id]));
  return events.flatMap((event) => {
    const id = numberOf.get(event.externalId);
    return id === undefined ? [] : [{ ...event, unattributedId: id }];
  });
}

type Waiting = {
  now: Date;
  ids: readonly WaitingId[];
  totals: WaitingTotals;
  /** The digests that wait, as `<number of the id> <digest>`. */
  known: ReadonlySet<string>;
};

/** Judges the events in their order: a repeat is a duplicate, whatever the bounds are. */
function judge(events: readonly Named[], { now, ids, totals, known }: Waiting) {
  const accepted: Named[] = [];
  const refused: IndexedRefusal[] = [];
  const idOf = new Map(ids.map((id) => [id.externalId, id]));
  const seen = new Set<string>();
  const newIds = new Set<string>();
  const refuse = ({ externalId, digest, happenedAtMs }: Named): Refusal | null => {
    if (happenedAtMs > now.getTime() + FUTURE_TOLERANCE_MS) return IN_FUTURE;
    const id = idOf.get(externalId);
    if (seen.has(`${externalId} ${digest}`) || (id !== undefined && known.has(`${id.id} ${digest}`)))
      return 'duplicate';
    const { removedUntil } = totals;
    if (removedUntil !== null && happenedAtMs < removedUntil.getTime() + FUTURE_TOLERANCE_MS) return BEFORE_RETENTION;
    if (id !== undefined && now.getTime() - id.firstAt.getTime() > MAX_DAYS * DAY_MS) {
      return refusedBy(`usage of this external id has waited for a company for more than ${MAX_DAYS} days`);
    }
    const isNew = id === undefined && !newIds.has(externalId);
    if (isNew && totals.ids + newIds.size >= MAX_IDS) {
      return refusedBy(`usage of ${format(MAX_IDS)} external ids waits for companies already`);
    }
    if (totals.events + accepted.length >= MAX_EVENTS) {
      return refusedBy(`${format(MAX_EVENTS)} events wait for companies already`);
    }
    if (isNew) newIds.add(externalId);
    seen.add(`${externalId} ${digest}`);
    return null;
  };
  for (const event of events) {
    const refusal = refuse(event);
    if (refusal === null) accepted.push(event);
    else refused.push([event.index, refusal]);
  }
  return { accepted, refused };
}

function refusedBy(bound: string): Refusal {
  return { reason: 'unknown_company', field: 'subject', message: `must be the id of a company: ${bound}` };
}

function format(count: number): string {
  return count.toLocaleString('en-US');
}

async function store(tx: Tx, accepted: readonly Named[], now: Date): Promise<void> {
  if (accepted.length === 0) return;
  const sums = [...Map.groupBy(accepted, ({ externalId }) => externalId)].map(([externalId, events]) => ({
    externalId,
    events: events.length,
    quantity: events.reduce((sum, { quantity }) => sum + quantity, 0),
    oldestMs: events.reduce((least, { happenedAtMs }) => Math.min(least, happenedAtMs), Number.POSITIVE_INFINITY),
  }));
  const ids = await upsertWaitingIds(tx, sums, now);
  await insertUnattributed(tx, placed(accepted, ids), now);
}
