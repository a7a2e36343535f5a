import { validate as isUuid, NIL } from 'uuid';
import { selectInstallation } from '../../continuity/journal/journal.service.ts';
import {
  type Gateway,
  type GatewayBookPage,
  type GatewayBookRequest,
  GatewayError,
  type GatewayPaymentObject,
  type GatewayRefundObject,
} from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { parseInstant } from '../../platform/http/schema/instants.ts';
import { compare, describe } from './ledger.differences.ts';
import { readPurposes } from './ledger.purposes.ts';
import { selectFees, selectPayouts } from './ledger.reconciliation.balance.operator.queries.ts';
import {
  type BookedRow,
  type BookRange,
  selectCaptured,
  selectDisputed,
  selectPaymentsAt,
  selectRefundsAt,
  selectSucceededRefunds,
} from './ledger.reconciliation.operator.queries.ts';
import type { Difference, Reconciliation, ReconciliationQuery } from './ledger.reconciliation.schema.ts';
import { balanceBook, compareFees, comparePayouts } from './ledger.reconciliation-balance.ts';
import { checkDispute, compareDisputes, listDisputes } from './ledger.reconciliation-disputes.ts';

/*
 * Both books are read, a page at a time: first what the gateway has, payments, refunds, disputes, fees and payouts, each against ours; then
 * what we have, against the gateway's. Nothing is kept between two pages but the cursor.
 */
const STAGES = [
  'captures',
  'refunds',
  'disputes',
  'fees',
  'payouts',
  'captured',
  'refunded',
  'disputed',
  'charged',
  'paid_out',
] as const;
type Stage = (typeof STAGES)[number];

const PAGE_SIZE = 100;
/** How far the gateway's time of an entry may differ from ours in its list. */
const BEFORE_MS = 300_000;
const AFTER_MS = 3_600_000;
const MAX_GATEWAY_PAGES = 20;

/** `others`: how many entries of the gateway were left out, because another installation made them. */
type Page = { compared: number; differences: Difference[]; next: string | null; others?: number };
type Range = { from: Date; to: Date };

/**
 * Compares a page of our books with the gateway's. @throws ApiError 400; service_unavailable when the gateway does not
 * answer
 */
export async function reconcile(
  db: Queryable,
  gateways: Gateways,
  query: ReconciliationQuery,
  now: Date,
): Promise<Reconciliation> {
  const gateway = findGateway(gateways, query.gateway);
  const { from, to } = readRange(query, now);
  const { stage, position } = readCursor(query.cursor);
  try {
    const { next, others = 0, ...page } = await comparePage(db, gateway, { from, to }, stage, position);
    const names = gateways.configured.map(({ name }) => name);
    const range = { from: from.toISOString(), to: to.toISOString() };
    const answer = { ...page, ofOtherInstallations: others, nextCursor: writeCursor(stage, next) };
    return { gateway: gateway.name, gateways: names, ...range, ...answer };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === 'rejected' && position !== '') throw refuseCursor();
    throw new ApiError('service_unavailable', `The gateway ${gateway.name} cannot show its books right now.`, {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}

/** The period to compare: by default until now, and from the beginning of the month (UTC) that it ends in. @throws ApiError 400 */
function readRange({ cursor, ...query }: ReconciliationQuery, now: Date): Range {
  if (cursor !== undefined && (query.from === undefined || query.to === undefined)) {
    throw invalidField(query.from === undefined ? 'from' : 'to', 'is required with a cursor');
  }
  const to = query.to === undefined ? now : parseInstant(query.to);
  const from = query.from === undefined ? beginningOfMonth(to ?? now) : parseInstant(query.from);
  if (from === null || to === null || from >= to) throw invalidField('to', 'must be after from');
  return { from, to };
}

/** The beginning of the month (UTC) that ends at this instant, or that the instant is in. */
function beginningOfMonth(end: Date): Date {
  const last = new Date(end.getTime() - 1);
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth()));
}

function comparePage(db: Queryable, gateway: Gateway, range: Range, stage: Stage, position: string): Promise<Page> {
  switch (stage) {
    case 'captures':
      return compareCaptures(db, gateway, range, position);
    case 'refunds':
      return compareRefunds(db, gateway, range, position);
    case 'disputes':
      return compareListedDisputes(db, gateway, range, position);
    case 'fees':
      return compareFees(db, gateway, { ...range, cursor: position || null });
    case 'payouts':
      return comparePayouts(db, gateway, { ...range, cursor: position || null });
    case 'captured':
      return compareOurs(range, position, {
        select: (books) => selectCaptured(db, gateway.name, books),
        list: async (request) => {
          const page = await gateway.listPayments(request);
          return { ...page, entries: page.entries.filter(isCaptured).map(({ id }) => id) };
        },
        check: async (our) => {
          const isThere = (await gateway.findPayment(our.gatewayPaymentId ?? ''))?.status === 'captured';
          return isThere ? [] : [describe('missing_there', 'payment', { our })];
        },
      });
    case 'refunded':
      return compareOurs(range, position, {
        select: (books) => selectSucceededRefunds(db, gateway.name, books),
        list: async (request) => {
          const page = await gateway.listRefunds(request);
          return { ...page, entries: page.entries.filter(hasSucceeded).map(({ id }) => id) };
        },
        check: async (our) => {
          const refunds = await gateway.listRefundsOf(our.gatewayPaymentId ?? '');
          return refunds.some(({ id }) => id === our.gatewayId) ? [] : [describe('missing_there', 'refund', { our })];
        },
      });
    case 'disputed':
      return compareOurs(range, position, {
        select: (books) => selectDisputed(db, gateway.name, books),
        list: async (request) => {
          const page = await listDisputes(gateway, request);
          return { ...page, entries: page.entries.map(({ id }) => id) };
        },
        check: (our) => checkDispute(gateway, our),
      });
    case 'charged':
      return compareOurs(range, position, {
        ...balanceBook(gateway, 'fee'),
        select: (books) => selectFees(db, gateway.name, books),
      });
    case 'paid_out':
      return compareOurs(range, position, {
        ...balanceBook(gateway, 'payout'),
        select: (books) => selectPayouts(db, gateway.name, books),
      });
  }
}

async function compareCaptures(db: Queryable, gateway: Gateway, range: Range, position: string): Promise<Page> {
  const { entries: listed, nextCursor } = await gateway.listPayments({ ...range, cursor: position || null });
  const captures = listed.filter(isCaptured);
  const rows = await selectPaymentsAt(db, gateway.name, {
    gatewayIds: JSON.stringify(captures.map(({ id }) => id)),
    ids: JSON.stringify(captures.map(({ reference }) => reference).filter((reference) => isUuid(reference))),
  });
  const byGatewayId = new Map(rows.map((row) => [row.gatewayId, row]));
  const byId = new Map(rows.filter(({ gatewayId }) => gatewayId === null).map((row) => [row.id, row]));
  const ourOf = (entry: GatewayPaymentObject) => byGatewayId.get(entry.id) ?? byId.get(entry.reference ?? '');
  const { entries, others } = await leaveOutOthers(db, captures, ourOf);
  const findPurpose = await readPurposes(
    db,
    entries.filter((entry) => ourOf(entry) === undefined),
  );
  const differences = entries.flatMap((entry) => {
    const { id, capturedAmountMinor: amountMinor, capturedCurrency: currency } = entry;
    const there = { gatewayId: id, gatewayPaymentId: id, amountMinor, currency, done: 'captured' };
    const purpose = findPurpose(entry);
    return compare('payment', there, ourOf(entry)).map((difference) => ({ ...difference, purpose }));
  });
  return { compared: entries.length, differences, next: nextCursor, others };
}

/**
 * Leaves out what another installation has made through the same account, unless it is in our books. What names no installation stays, and
 * so does what a copy of our database made: it names the same one.
 */
async function leaveOutOthers<Entry extends GatewayPaymentObject | GatewayRefundObject>(
  db: Queryable,
  listed: readonly Entry[],
  ourOf: (entry: Entry) => BookedRow | undefined,
): Promise<{ entries: Entry[]; others: number }> {
  const own = await selectInstallation(db);
  const isOurs = (entry: Entry) => (entry.details.installation ?? own) === own || ourOf(entry) !== undefined;
  const entries = listed.filter(isOurs);
  return { entries, others: listed.length - entries.length };
}

async function compareRefunds(db: Queryable, gateway: Gateway, range: Range, position: string): Promise<Page> {
  const { entries: listed, nextCursor } = await gateway.listRefunds({ ...range, cursor: position || null });
  const refunds = listed.filter(hasSucceeded);
  const rows = await selectRefundsAt(db, gateway.name, {
    gatewayIds: JSON.stringify(refunds.map(({ id }) => id)),
    ids: JSON.stringify(refunds.map(({ reference }) => reference).filter((reference) => isUuid(reference))),
  });
  const byGatewayId = new Map(rows.map((row) => [row.gatewayId, row]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ourOf = (entry: GatewayRefundObject) => byGatewayId.get(entry.id) ?? byId.get(entry.reference ?? '');
  const { entries, others } = await leaveOutOthers(db, refunds, ourOf);
  const differences = entries.flatMap((entry) =>
    compare('refund', { ...entry, gatewayId: entry.id, done: 'succeeded' }, ourOf(entry)),
  );
  return { compared: entries.length, differences, next: nextCursor, others };
}

type Captured = GatewayPaymentObject & { capturedAmountMinor: bigint; capturedCurrency: string };

function isCaptured(payment: GatewayPaymentObject): payment is Captured {
  return payment.status === 'captured';
}

function hasSucceeded({ status }: GatewayRefundObject): boolean {
  return status === 'succeeded';
}

async function compareListedDisputes(db: Queryable, gateway: Gateway, range: Range, position: string): Promise<Page> {
  const { entries, nextCursor } = await listDisputes(gateway, { ...range, cursor: position || null });
  return { compared: entries.length, differences: await compareDisputes(db, gateway, entries), next: nextCursor };
}

type OurBook = {
  select: (range: BookRange) => Promise<BookedRow[]>;
  /** A page of the gateway's ids. */
  list: (request: GatewayBookRequest) => Promise<GatewayBookPage<string>>;
  /** Compares one entry by asking the gateway for it. */
  check: (row: BookedRow) => Promise<Difference[]>;
};

/**
 * Compares a page of ours with the gateway's list of about the same time. An entry missing there is asked for by its
 * id, because the gateway may have it under another time.
 */
async function compareOurs(range: Range, position: string, book: OurBook): Promise<Page> {
  const rows = await book.select({ ...range, after: readPosition(position), limit: PAGE_SIZE });
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return { compared: 0, differences: [], next: null };
  const seen = await listAround(book, { from: first.createdAt, to: last.createdAt });
  const differences: Difference[] = [];
  for (const row of rows) {
    if (!seen.has(row.gatewayId ?? '')) differences.push(...(await book.check(row)));
  }
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

function findGateway({ chosen, configured }: Gateways, name: string | undefined): Gateway {
  if (name === undefined) return chosen;
  const gateway = configured.find((one) => one.name === name);
  if (gateway !== undefined) return gateway;
  throw invalidField(
    'gateway',
    `must be a gateway that is configured: ${configured.map((one) => one.name).join(', ')}`,
  );
}

function readCursor(cursor: string | undefined): { stage: Stage; position: string } {
  if (cursor === undefined) return { stage: 'captures', position: '' };
  const [name, ...rest] = cursor.split(':');
  const stage = STAGES.find((known) => known === name);
  if (stage === undefined) throw refuseCursor();
  return { stage, position: rest.join(':') };
}

function readPosition(position: string): BookRange['after'] {
  if (position === '') return { createdAt: new Date(0), id: NIL };
  const [ms = '', id = ''] = position.split('_');
  if (!/^\d{1,14}$/.test(ms) || !isUuid(id)) throw refuseCursor();
  return { createdAt: new Date(Number(ms)), id };
}

function refuseCursor(): ApiError {
  return invalidField('cursor', 'must be the nextCursor of the previous page');
}

function writeCursor(stage: Stage, next: string | null): string | null {
  if (next !== null) return `${stage}:${next}`;
  const following = STAGES[STAGES.indexOf(stage) + 1];
  return following === undefined ? null : `${following}:`;
}
