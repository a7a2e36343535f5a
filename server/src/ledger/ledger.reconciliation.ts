import { validate as isUuid } from 'uuid';
import type { Queryable } from '../database/database.ts';
import { ApiError, invalidField } from '../errors.ts';
import {
  type Gateway,
  type GatewayBookPage,
  type GatewayBookRequest,
  type GatewayDispute,
  GatewayError,
} from '../gateways/gateway.ts';
import type { Gateways } from '../gateways/gateways.ts';
import { parseInstant } from '../http/instants.ts';
import { formatAmount } from '../money/money.ts';
import {
  type BookedRow,
  type BookRange,
  selectCaptured,
  selectDisputed,
  selectDisputesAt,
  selectGivenBack,
  selectPaymentsAt,
  selectRefundsAt,
} from './ledger.reconciliation.queries.ts';
import type { Difference, Reconciliation, ReconciliationQuery } from './ledger.reconciliation.schema.ts';

/*
 * Both books are read, a page at a time: first what the gateway has, payments, refunds and disputes, each against ours; then what we have,
 * against the gateway's. Nothing is kept between two pages but the cursor.
 */
const STAGES = ['captures', 'refunds', 'disputes', 'captured', 'refunded', 'disputed'] as const;
type Stage = (typeof STAGES)[number];

const PAGE_SIZE = 100;
/** How far the gateway's time of an entry may lie from ours before it is asked for each by itself. */
const BEFORE_MS = 300_000;
const AFTER_MS = 3_600_000;
const MAX_GATEWAY_PAGES = 20;
const NIL = '00000000-0000-0000-0000-000000000000';

/** What the gateway has, of either kind. */
type Entry = { gatewayId: string; amountMinor: bigint; currency: string };
type Page = { compared: number; differences: Difference[]; next: string | null };
type Range = { from: Date; to: Date };
/** The book of disputes of a gateway that has none. */
const NOTHING: GatewayBookPage<GatewayDispute> = { entries: [], nextCursor: null };

/** Compares a page of our books with the gateway's. @throws ApiError 400; service_unavailable when the gateway does not answer */
export async function reconcile(
  db: Queryable,
  gateways: Gateways,
  query: ReconciliationQuery,
): Promise<Reconciliation> {
  const gateway = findGateway(gateways, query.gateway);
  const [from, to] = [parseInstant(query.from), parseInstant(query.to)];
  if (from === null || to === null || from >= to) throw invalidField('to', 'must be after from');
  const { stage, place } = readCursor(query.cursor);
  try {
    const { compared, differences, next } = await comparePage(db, gateway, { from, to }, stage, place);
    const names = gateways.configured.map(({ name }) => name);
    return { gateway: gateway.name, gateways: names, compared, differences, nextCursor: writeCursor(stage, next) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new ApiError('service_unavailable', 'The gateway does not show its books right now.', {
      retryAfterSeconds: 5,
    });
  }
}

function comparePage(db: Queryable, gateway: Gateway, range: Range, stage: Stage, place: string): Promise<Page> {
  switch (stage) {
    case 'captures':
      return compareCaptures(db, gateway, range, place);
    case 'refunds':
      return compareRefunds(db, gateway, range, place);
    case 'disputes':
      return compareDisputes(db, gateway, range, place);
    case 'captured':
      return compareOurs(range, place, {
        entry: 'payment',
        select: (books) => selectCaptured(db, gateway.name, books),
        list: async (request) => {
          const page = await gateway.listCaptures(request);
          return { ...page, entries: page.entries.map(({ gatewayPaymentId }) => gatewayPaymentId) };
        },
        isThere: async ({ gatewayPaymentId }) =>
          (await gateway.findPayment(gatewayPaymentId ?? ''))?.status === 'captured',
      });
    case 'refunded':
      return compareOurs(range, place, {
        entry: 'refund',
        select: (books) => selectGivenBack(db, gateway.name, books),
        list: async (request) => {
          const page = await gateway.listRefunds(request);
          return { ...page, entries: page.entries.map(({ id }) => id) };
        },
        isThere: async ({ gatewayPaymentId, gatewayId }) =>
          (await gateway.listRefundsOf(gatewayPaymentId ?? '')).some(({ id }) => id === gatewayId),
      });
    case 'disputed':
      return compareOurs(range, place, {
        entry: 'dispute',
        select: (books) => selectDisputed(db, gateway.name, books),
        list: async (request) => {
          const page = (await gateway.listDisputes?.(request)) ?? NOTHING;
          return { ...page, entries: page.entries.map(({ id }) => id) };
        },
        isThere: async ({ gatewayId }) => ((await gateway.findDispute?.(gatewayId ?? '')) ?? null) !== null,
      });
  }
}

async function compareCaptures(db: Queryable, gateway: Gateway, range: Range, place: string): Promise<Page> {
  const { entries, nextCursor } = await gateway.listCaptures({ ...range, cursor: place || null });
  const ids = JSON.stringify(entries.map(({ gatewayPaymentId }) => gatewayPaymentId));
  const rows = await selectPaymentsAt(db, gateway.name, ids);
  const ours = new Map(rows.map((row) => [row.gatewayId, row]));
  const differences = entries.flatMap(({ gatewayPaymentId, ...entry }) =>
    compare('payment', 'captured', { ...entry, gatewayId: gatewayPaymentId }, ours.get(gatewayPaymentId)),
  );
  return { compared: entries.length, differences, next: nextCursor };
}

async function compareRefunds(db: Queryable, gateway: Gateway, range: Range, place: string): Promise<Page> {
  const { entries, nextCursor } = await gateway.listRefunds({ ...range, cursor: place || null });
  const rows = await selectRefundsAt(db, gateway.name, {
    gatewayIds: JSON.stringify(entries.map(({ id }) => id)),
    ids: JSON.stringify(entries.map(({ reference }) => reference).filter((reference) => isUuid(reference))),
  });
  const byGatewayId = new Map(rows.map((row) => [row.gatewayId, row]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const differences = entries.flatMap((entry) => {
    const our = byGatewayId.get(entry.id) ?? byId.get(entry.reference ?? '');
    return compare('refund', 'succeeded', { ...entry, gatewayId: entry.id }, our);
  });
  return { compared: entries.length, differences, next: nextCursor };
}

/** Of a dispute, what is withdrawn for it is compared, and how it stands. */
async function compareDisputes(db: Queryable, gateway: Gateway, range: Range, place: string): Promise<Page> {
  const request = { ...range, cursor: place || null };
  const { entries, nextCursor } = (await gateway.listDisputes?.(request)) ?? NOTHING;
  const rows = await selectDisputesAt(db, gateway.name, JSON.stringify(entries.map(({ id }) => id)));
  const ours = new Map(rows.map((row) => [row.gatewayId, row]));
  const differences = entries.flatMap(({ id: gatewayId, currency, movements, status }) => {
    const amountMinor = movements.reduce((sum, movement) => sum + movement.amountMinor, 0n);
    return compare('dispute', status, { gatewayId, amountMinor, currency }, ours.get(gatewayId));
  });
  return { compared: entries.length, differences, next: nextCursor };
}

function compare(entry: Difference['entry'], done: string, there: Entry, our: BookedRow | undefined): Difference[] {
  if (our === undefined) return [describe('missing_here', entry, { there, done })];
  const isSame = BigInt(our.amountMinor) === there.amountMinor && our.currency === there.currency;
  if (!isSame) return [describe('amount', entry, { there, our, done })];
  return our.state === done ? [] : [describe('state', entry, { there, our, done })];
}

type OurBook = {
  entry: Difference['entry'];
  select: (range: BookRange) => Promise<BookedRow[]>;
  /** The gateway's ids. */
  list: (request: GatewayBookRequest) => Promise<GatewayBookPage<string>>;
  isThere: (row: BookedRow) => Promise<boolean>;
};

/** What the gateway's list of about the same time does not have is asked for by itself: it may bear another time. */
async function compareOurs(range: Range, place: string, book: OurBook): Promise<Page> {
  const rows = await book.select({ ...range, after: readPlace(place), limit: PAGE_SIZE });
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return { compared: 0, differences: [], next: null };
  const seen = await listAround(book, { from: first.createdAt, to: last.createdAt });
  const missing: BookedRow[] = [];
  for (const row of rows) {
    if (!seen.has(row.gatewayId ?? '') && !(await book.isThere(row))) missing.push(row);
  }
  const differences = missing.map((our) => describe('missing_there', book.entry, { our, done: '' }));
  const next = rows.length < PAGE_SIZE ? null : `${last.createdAt.getTime()}_${last.id}`;
  return { compared: rows.length, differences, next };
}

async function listAround({ list }: OurBook, { from, to }: Range): Promise<Set<string>> {
  const request = { from: new Date(from.getTime() - BEFORE_MS), to: new Date(to.getTime() + AFTER_MS) };
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_GATEWAY_PAGES; pages += 1) {
    const page: GatewayBookPage<string> = await list({ ...request, cursor });
    for (const id of page.entries) seen.add(id);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return seen;
}

function describe(
  kind: Difference['kind'],
  entry: Difference['entry'],
  { there, our, done }: { there?: Entry; our?: BookedRow; done: string },
): Difference {
  return {
    kind,
    entry,
    gatewayId: there?.gatewayId ?? our?.gatewayId ?? null,
    id: our?.id ?? null,
    companyId: our?.companyId ?? null,
    invoiceId: our?.invoiceId ?? null,
    here: our === undefined ? null : side(BigInt(our.amountMinor), our.currency, our.state),
    there: there === undefined ? null : side(there.amountMinor, there.currency, done),
  };
}

function side(amountMinor: bigint, currency: string, status: string) {
  return { amount: formatAmount(amountMinor, currency), currency, status };
}

function findGateway({ chosen, configured }: Gateways, name: string | undefined): Gateway {
  if (name === undefined) return chosen;
  const gateway = configured.find((one) => one.name === name);
  if (gateway === undefined) throw invalidField('gateway', 'must be the name of a gateway that is configured');
  return gateway;
}

function readCursor(cursor: string | undefined): { stage: Stage; place: string } {
  if (cursor === undefined) return { stage: 'captures', place: '' };
  const [name, ...rest] = cursor.split(':');
  const stage = STAGES.find((known) => known === name);
  if (stage === undefined) throw refuseCursor();
  return { stage, place: rest.join(':') };
}

function readPlace(place: string): BookRange['after'] {
  if (place === '') return { createdAt: new Date(0), id: NIL };
  const [ms = '', id = ''] = place.split('_');
  if (!/^\d{1,14}$/.test(ms) || !isUuid(id)) throw refuseCursor();
  return { createdAt: new Date(Number(ms)), id };
}

function refuseCursor(): ApiError {
  return invalidField('cursor', 'must be the nextCursor of the page before');
}

function writeCursor(stage: Stage, next: string | null): string | null {
  if (next !== null) return `${stage}:${next}`;
  const following = STAGES[STAGES.indexOf(stage) + 1];
  return following === undefined ? null : `${following}:`;
}
